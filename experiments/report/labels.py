"""Names short enough for a chart: the parts that they share are cut, the parts that differ stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

CUT = "\N{HORIZONTAL ELLIPSIS}"
LONGEST = 24  # characters of a name in a chart
SHARED = 0.02  # what a letter of a word counts that all names have, beside one that a single name has
KEY = 0.2  # what a letter of a key counts beside one of a kind of agent or of a value
WORD = re.compile(r"[^\W_]+|\W|_")


def told_apart(names: Iterable[str], most: int = LONGEST) -> list[str]:
    """Returns names with a part cut from the inside of those that are too long: the part whose words most of the others have, too.

    >>> told_apart(["mcts:simulations=10000", "mcts:simulations=30000"], 16)
    ['mcts:si…ns=10000', 'mcts:si…ns=30000']

    A cut that would make another name look the same is taken only if there is no better one.
    """
    names = list(names)
    counts = Counter(word for name in set(names) for word in set(WORD.findall(name)))
    others = max(1, len(set(names)) - 1)
    weights = {word: SHARED + 1 - (count - 1) / others for word, count in counts.items()}
    cuts = {name: _cuts(name, most, weights) for name in names}
    makers = Counter(cut for name in cuts for cut in set(cuts[name]))
    return [next((cut for cut in cuts[name] if makers[cut] == 1), cuts[name][0]) for name in names]


def _cuts(name: str, most: int, weights: Mapping[str, float]) -> list[str]:
    """Returns a name without a part of the right length, first the one whose words weigh least, the nearest to its middle of equals."""
    excess = len(name) - most + len(CUT)
    if len(name) <= most:
        return [name]
    letters = [weights[word] for word in WORD.findall(name) for _ in word]
    costs = [weight * (KEY if is_key else 1) for weight, is_key in zip(letters, _keys(name), strict=True)]
    starts = sorted(
        range(1, len(name) - excess),
        key=lambda start: (round(sum(costs[start : start + excess]), 6), abs(2 * start + excess - len(name))),
    )
    return [name[:start] + CUT + name[start + excess :] for start in starts]


def _keys(name: str) -> list[bool]:
    """Returns for each character whether it belongs to a key, "depth=" in "alphabeta:depth=4": not to the kind of agent or a value."""
    head = name.find(":")
    spans = [range(*match.span()) for match in re.finditer(r"[^:,=]+=", name)]
    return [i > head and any(i in span for span in spans) for i in range(len(name))]
