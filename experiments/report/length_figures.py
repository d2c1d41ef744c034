"""Charts of how long games were, by how they ended or by what they were for an agent."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from markupsafe import Markup

from .charts import OUTCOME_STYLES, ending_styles, length_chart
from .log_digest import Digest
from .sections import FigureView

Lengths = dict[str, Counter[int]]


def outcome_figure(games: Digest, pairings: Collection[Sequence[str]], section_id: str) -> list[FigureView]:
    """Returns the chart of the lengths of some pairings' games by outcome for the first agent; nothing without games.

    Args:
        games: of a run.
        pairings: at least one, all of the same first agent.
        section_id: unique on the page.
    """
    agent, known = next(iter(pairings))[0], {frozenset(pairing) for pairing in pairings}
    lengths: Lengths = defaultdict(Counter)
    for kind, count in games.kinds.items():
        if kind.pairing in known:
            lengths[kind.outcome(agent)][kind.plies] += count
    return _figure(lengths, OUTCOME_STYLES, f"{section_id}-lengths", f"Game lengths, by outcome for {agent}")


def ending_figure(games: Digest, section_id: str) -> list[FigureView]:
    """Returns the chart of the lengths of all games by how they ended; nothing without games."""
    lengths: Lengths = defaultdict(Counter)
    for kind, count in games.kinds.items():
        lengths[kind.termination][kind.plies] += count
    return _figure(lengths, ending_styles(sorted(lengths)), f"{section_id}-endings", "Game lengths, by how the games ended")


def _figure(lengths: Lengths, styles: Mapping[str, tuple[str, str]], name: str, caption: str) -> list[FigureView]:
    return [FigureView(Markup(length_chart(lengths, styles, name)), caption)] if lengths else []
