"""Names short enough for a chart: what is cut is what they share, and what tells them apart stays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

CUT = "\N{HORIZONTAL ELLIPSIS}"
LONGEST = 26  # characters of a name in a chart
WORD = re.compile(r"[^\W_]+|\W|_")


def shortened(names: Iterable[str], most: int = LONGEST) -> list[str]:
    """Returns names with a part cut from the inside of those that are too long: the part whose words most of the others have, too.

    >>> shortened(["mcts:simulations=10000", "mcts:simulations=30000"], 14)
    ['mcts:si…=10000', 'mcts:si…=30000']

    Two names that would come out alike are left whole.
    """
    names = list(names)
    shared = Counter(word for name in names for word in set(WORD.findall(name)))
    cut = {name: _cut(name, most, shared) for name in names}
    alike = Counter(cut.values())
    return [cut[name] if alike[cut[name]] == 1 else name for name in names]


def _cut(name: str, most: int, shared: Counter[str]) -> str:
    """Returns a name without the part of the right length that costs least, the nearest to its middle of equals."""
    excess = len(name) - most + len(CUT)
    if len(name) <= most:
        return name
    costs = [
        (1 + (place == 0)) / shared[word] for place, word in enumerate(WORD.findall(name)) for _ in word
    ]  # a name begins with its kind
    starts = range(1, len(name) - excess)
    best = min(starts, key=lambda start: (round(sum(costs[start : start + excess]), 6), abs(2 * start + excess - len(name))))
    return name[:best] + CUT + name[best + excess :]
