"""The commands put together."""

from __future__ import annotations

from typing import Annotated

import typer

from scorekey import __version__
from scorekey.command.audit import audit
from scorekey.command.judge import judge
from scorekey.command.key import key
from scorekey.command.reliability import reliability
from scorekey.command.scales import scales
from scorekey.command.score import score


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"scorekey {__version__}")
        raise typer.Exit


def _start(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Score the answers to a questionnaire: item scores and scale scores."""


application = typer.Typer(
    callback=_start,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=(
        "Exit codes: 0 done (also with warnings), 1 something cannot be read, scored or written, "
        "2 wrong usage, 3 a finding that --fail-on names, 130 interrupted."
    ),
)
application.command()(score)
application.command()(scales)
application.command()(key)
application.command()(reliability)
application.command()(audit)
application.command()(judge)
