"""How many threads the compiled core may use."""

from __future__ import annotations

import os

from scorekey.messages import shown

__all__ = ["get_num_threads", "set_num_threads"]

_chosen: int | None = None


def set_num_threads(number: int | None) -> None:
    """Choose how many threads the core may use in this process.

    Results are the same for every number, to the bit.

    Parameters
    ----------
    number : int or None
        At least 1; None returns to the environment variable ``SCOREKEY_NUM_THREADS`` or, without
        it, to the number of processors that the process may use.

    Raises
    ------
    ValueError
        If `number` is not a positive whole number.

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
    if number is not None and number < 1:
        raise ValueError(f"the number of threads must be at least 1, not {number}")
    _chosen = number


def get_num_threads() -> int:
    """Return how many threads the core may use; see `set_num_threads`."""
    if _chosen is not None:
        return _chosen
    setting = os.environ.get("SCOREKEY_NUM_THREADS", "")
    if setting.isascii() and setting.isdigit() and 0 < int(setting) < 2**16:
        return int(setting)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
