"""Medians, their intervals, and the ratio of two programs that were run in turn. No NumPy."""

import math


def interval(ordered):
    """95 % interval of the median: the ranks that enclose it (binomial). None below 6 samples."""
    n = len(ordered)
    if n < 6:
        return None, None
    if n > 100:
        rank = int((n - 1.96 * math.sqrt(n)) / 2)
    else:
        rank, below = 0, 0.0
        while below + math.comb(n, rank) / 2**n <= 0.025:
            below += math.comb(n, rank) / 2**n
            rank += 1
    return ordered[rank - 1], ordered[n - rank]


def middle(ordered):
    n = len(ordered)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def summary(values):
    """(median, low, high) of a few rounds: 95 % of the median; below 6 rounds, least and most."""
    ordered = sorted(values)
    lo, hi = interval(ordered)
    if lo is None:
        lo, hi = ordered[0], ordered[-1]
    return middle(ordered), lo, hi


def ratio(theirs, ours):
    """summary() of theirs / ours, round by round: {round: seconds} each. None without a round that
    has both: a ratio of two medians of different rounds would be one of two machines."""
    both = sorted(set(theirs) & set(ours))
    return summary([theirs[r] / ours[r] for r in both]) if both else None


def verdict(found, target):
    """Whether a ratio (median, low, high) reaches the target: yes, no, or not to be told apart."""
    _, lo, hi = found
    if lo >= target:
        return "yes"
    return "no" if hi < target else "unclear"
