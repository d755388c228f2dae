"""How many threads the compiled core may use."""

from __future__ import annotations

import os
import re

from scorekey.messages import shown

__all__ = ["get_num_threads", "set_num_threads"]

_MOST = 9999
_chosen: int | None = None


def set_num_threads(number: int | None) -> None:
    """Choose how many threads the core may use in this process.

    Results are the same for every number, to the bit.

    Parameters
    ----------
    number : int or None
        From 1 to 9999; None returns to the environment variable ``SCOREKEY_NUM_THREADS`` or, where
        that is not such a number, to the number of processors that the process may use.

    Raises
    ------
    ValueError
        If `number` is not such a number.

    Examples
    --------
    >>> import scorekey as sk
    >>> sk.set_num_threads(1)
    >>> sk.get_num_threads()
    1
    >>> sk.set_num_threads(None)
    """
    global _chosen
    if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
        raise ValueError(f"the number of threads must be a whole number, not {shown(number)}")
    if number is not None and not 1 <= number <= _MOST:
        raise ValueError(f"the number of threads must be from 1 to {_MOST}, not {shown(number)}")
    _chosen = number


def get_num_threads() -> int:
    """Return how many threads the core may use; see `set_num_threads`.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> import scorekey as sk
    >>> sk.get_num_threads() >= 1
    True
    """
    if _chosen is not None:
        return _chosen
    setting = os.environ.get("SCOREKEY_NUM_THREADS", "")
    if re.fullmatch("[0-9]{1,4}", setting) and int(setting) > 0:
        return int(setting)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
