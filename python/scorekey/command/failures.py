"""What goes wrong, as one line and an exit code; warnings, as one line each."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import typer

UNREADABLE = 1
INTERRUPTED = 130


@contextmanager
def reported() -> Iterator[None]:
    """Report what the block warns of and why it fails.

    Raises
    ------
    typer.BadParameter
        If a file or pattern is not there: wrong usage, exit code 2.
    typer.Exit
        With exit code 1 for content that cannot be read, scored or written, with 130 after Ctrl-C.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = _show_warning
            yield
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:  # whoever reads the output has seen enough
        raise
    except (FileNotFoundError, IsADirectoryError) as error:
        raise typer.BadParameter(reason(error)) from None
    except MemoryError:
        say("error", "there is not enough memory")
        raise typer.Exit(UNREADABLE) from None
    except (OSError, ValueError, TypeError, ImportError) as error:
        say("error", reason(error))
        _forget_output()
        raise typer.Exit(UNREADABLE) from None


def _forget_output() -> None:
    """Give up output that cannot be written, which Python would try once more as it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def reason(error: BaseException) -> str:
    """Return what an error says, without the numbers of the operating system."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def say(kind: str, message: str) -> None:
    """Print one line on standard error."""
    typer.echo(f"{kind}: {' '.join(message.split())}", err=True)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    say("warning", str(message))
