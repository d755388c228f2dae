"""The command: ``score``, ``scales``, ``reliability``, ``key``, ``audit`` and ``judge``."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command ``scorekey``; it ends with the exit code that tells how it went.

    Without the packages of the ``cli`` extra it says how to install them.
    """
    try:
        try:
            import rich  # noqa: F401
            import typer  # noqa: F401
        except ImportError:
            print('The command needs more packages: pip install "scorekey[cli]"', file=sys.stderr)
            sys.exit(1)
        from scorekey.command.application import application

        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a terminal may lack the letters of an answer
                stream.reconfigure(errors="backslashreplace")
        application(prog_name="scorekey")
    except KeyboardInterrupt:
        sys.exit(130)
