"""``python -m scorekey`` is the command ``scorekey``."""

from scorekey.command import main

if __name__ == "__main__":
    main()
