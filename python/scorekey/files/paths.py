"""Which files a user means: paths and patterns to existing files, each once."""

from __future__ import annotations

import glob
import logging
import os
from collections.abc import Iterable
from pathlib import Path

from scorekey.messages import shown

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

_LOG = logging.getLogger("scorekey")


def find_files(paths: Paths) -> list[Path]:
    """Return the files that the paths and patterns name, each file once.

    Parameters
    ----------
    paths : path, pattern, or iterable of them
        The path of a file that exists is taken as it is, whatever characters it has; any other
        text is a pattern with ``*``, ``?``, ``[...]`` and ``**`` (folders at any depth).

    Returns
    -------
    list of Path
        The files in the order of `paths`, those of one pattern by name.

    Raises
    ------
    FileNotFoundError
        If a path does not exist, a pattern matches no file, or `paths` is empty.
    IsADirectoryError
        If a path is a folder.
    TypeError
        If `paths` holds anything else.
    """
    single = isinstance(paths, (str, os.PathLike))
    wanted = [paths] if single else _listed(paths)
    if not wanted:
        raise FileNotFoundError("no results file was named")
    found: dict[tuple[int, int], Path] = {}
    for name in wanted:
        if not isinstance(name, (str, os.PathLike)):
            raise TypeError(f"a results file is named by a path, not by {shown(name)}")
        for path in _matches(os.fspath(name)):
            status = path.stat()
            known = found.setdefault((status.st_dev, status.st_ino), path)
            if known is not path:
                _LOG.info("%s is the same file as %s and is read once", path, known)
    return list(found.values())


def _listed(paths: object) -> list[object]:
    if isinstance(paths, bytes) or not isinstance(paths, Iterable):
        raise TypeError(f"paths must be a path or a sequence of paths, not {shown(paths)}")
    return list(paths)


def _matches(name: str) -> list[Path]:
    try:
        exists = Path(name).exists()
    except (OSError, ValueError):  # too long, or with a NUL
        exists = False
    if exists:
        if Path(name).is_dir():
            raise IsADirectoryError(
                f"{name} is a folder; name its files, for instance {Path(name) / '*.csv'}"
            )
        return [Path(name)]
    if not glob.has_magic(name):
        raise FileNotFoundError(f"there is no file {shown(name)}")
    # Path.glob takes no absolute patterns.
    matches = [Path(match) for match in sorted(glob.glob(name, recursive=True))]  # noqa: PTH207
    files = [path for path in matches if not path.is_dir()]
    if not files:
        raise FileNotFoundError(f"no file matches the pattern {shown(name)}")
    return files
