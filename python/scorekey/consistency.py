"""The algebra of internal consistency, on the covariances and correlations of a scale's items."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class Moments(NamedTuple):
    """What is known of the items of a scale, respondents put together.

    Attributes
    ----------
    n : int
        The number of respondents: with pairwise deletion those with any answer, with listwise
        deletion those with all.
    counts : ndarray of int64, shape (k,)
        The number of answers to each item.
    means, deviations : ndarray of float64, shape (k,)
        Mean and standard deviation (n - 1) of each item.
    covariances, correlations : ndarray of float64, shape (k, k)
        Each over the respondents who answered both items, with n - 1.
    """

    n: int
    counts: npt.NDArray[np.int64]
    means: Array
    deviations: Array
    covariances: Array
    correlations: Array


def find_moments(answers: Array, *, listwise: bool) -> Moments:
    """Return the moments of answers.

    Parameters
    ----------
    answers : ndarray of float64, shape (n, k)
        Respondents by items; NaN where there is no answer.
    listwise : bool
        Whether only respondents with all answers count.

    Returns
    -------
    Moments
    """
    known = ~np.isnan(answers)
    complete = known.all(axis=1)
    if listwise and not complete.all():
        answers, known = answers[complete], known[complete]
    n = int(known.any(axis=1).sum())
    there = known.astype("float64")
    counts = there.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(known, answers, 0).sum(axis=0) / counts
        # About the mean, because squares of the answers themselves would lose digits.
        centred = np.where(known, answers - means, 0)
        pairs = there.T @ there
        sums = centred.T @ there
        products = centred.T @ centred - sums * sums.T / pairs
        covariances = np.where(pairs > 1, products / (pairs - 1), np.nan)
        # The variance of each item over the respondents who answered the other one too.
        squares = (centred**2).T @ there - sums**2 / pairs
        correlations = products / np.sqrt(squares * squares.T)
        deviations = np.sqrt(np.diag(covariances))
    np.fill_diagonal(correlations, np.where(deviations > 0, 1, np.nan))
    return Moments(n, counts.astype("int64"), means, deviations, covariances, correlations)


def alpha_of(covariances: Array) -> float:
    """Return Cronbach's alpha; NaN for fewer than two items, or if the sum of all is 0."""
    k = len(covariances)
    total = float(covariances.sum())
    if k < 2 or total == 0:
        return float("nan")
    return float(k / (k - 1) * (1 - np.trace(covariances) / total))


def alphas_if_dropped(covariances: Array) -> list[float]:
    """Return alpha without each of the items."""
    return [
        alpha_of(np.delete(np.delete(covariances, item, axis=0), item, axis=1))
        for item in range(len(covariances))
    ]


def item_total_correlations(covariances: Array) -> Array:
    """Return each item's correlation with the sum of the others; NaN if one of both is constant."""
    variances = np.diag(covariances)
    shared = covariances.sum(axis=0) - variances
    rest = covariances.sum() - 2 * shared - variances
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((variances > 0) & (rest > 0), shared / np.sqrt(variances * rest), np.nan)


def mean_correlation(correlations: Array) -> float:
    """Return the mean of the correlations between different items; NaN for fewer than two."""
    k = len(correlations)
    if k < 2:
        return float("nan")
    return float(correlations[np.triu_indices(k, 1)].mean())


def alpha_interval(alpha: float, n: int, k: int, confidence: float) -> tuple[float, float]:
    """Return the interval of Feldt (1965) for alpha; needs scipy.

    Parameters
    ----------
    alpha : float
        Cronbach's alpha.
    n, k : int
        The numbers of respondents and of items.
    confidence : float
        The share of samples whose interval holds the alpha of the population.

    Returns
    -------
    tuple of (float, float)
        The lower and the upper bound.
    """
    from scipy.special import fdtri

    degrees = n - 1, (n - 1) * (k - 1)
    tail = (1 - confidence) / 2
    low, high = (float(1 - (1 - alpha) * fdtri(*degrees, q)) for q in (1 - tail, tail))
    return low, high


def omega_total(correlations: Any) -> float | None:
    """Return omega total of one factor; None where one factor cannot be found.

    The factor's loadings are those that leave the smallest squares of the residual correlations
    (minres, Harman and Jones 1966): omega is the share of the common variance in that of the sum.

    Parameters
    ----------
    correlations : ndarray of float64, shape (k, k)
        The correlations of three or more items.

    Returns
    -------
    float or None
        None if a correlation is missing, the loadings do not converge, or an item's variance would
        have to be all common (a Heywood case).
    """
    loadings = find_loadings(correlations)
    if loadings is None:
        return None
    common = loadings.sum() ** 2
    return float(common / (common + (1 - loadings**2).sum()))


_MOST_COMMON = 0.995
"""More of an item's variance cannot be common: the bound of psych and of factor_analyzer."""
_MOST_STEPS = 500
_CLOSE = 1e-9
"""The largest slope at which the loadings have converged."""
_ROUNDING = 1e-12


def find_loadings(correlations: Array) -> Array | None:
    """Return the loadings of one factor by minres, their sum positive; None as in `omega_total`."""
    if not np.isfinite(correlations).all():
        return None
    values, vectors = np.linalg.eigh(correlations)
    loadings: Array = vectors[:, -1] * np.sqrt(values[-1])
    shared = correlations - np.diag(np.diag(correlations))

    def residuals(at: Array) -> Array:
        rest = shared - np.outer(at, at)
        np.fill_diagonal(rest, 0)
        return rest

    # Newton's steps, made shorter and downhill by damping (Levenberg) as far as is needed.
    damping = 1.0
    rest = residuals(loadings)
    for _ in range(_MOST_STEPS):
        slope = -rest @ loadings
        if np.abs(slope).max() < _CLOSE:
            if (loadings**2 > _MOST_COMMON).any():
                return None
            return loadings * (1 if loadings.sum() >= 0 else -1)
        curvature = np.outer(loadings, loadings) - rest
        np.fill_diagonal(curvature, loadings @ loadings - loadings**2)
        bends, ways = np.linalg.eigh(curvature)
        step = ways @ ((ways.T @ -slope) / (np.abs(bends) + damping))
        tried = residuals(loadings + step)
        # Close to the end the sums differ by rounding alone.
        if (tried**2).sum() <= (rest**2).sum() * (1 + _ROUNDING):
            loadings, rest = loadings + step, tried
            damping /= 10
        else:
            damping *= 10
    return None
