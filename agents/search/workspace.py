"""The memory of a search: every array that its kernels work on, made once for a game, an evaluation and the settings."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ...envs import compiled
from ...envs.game import Game
from ...envs.rules.state import State
from ..evaluation import interface as evaluation_interface
from . import alphabeta, deepening, fours, threats
from .limits import NO_LIMITS, Limits
from .settings import SWITCHES, Settings
from .table import BUCKET, ENTRY

FOUR_ENTRIES, THREAT_ENTRIES = 1 << 14, 1 << 16


class Workspace(NamedTuple):
    """Arrays for searches of one game, for one thread.

    Attributes:
        states: STATE[1], the position to search; in the middle of a line until a window is finished.
        memories: MEMORY[1], what the evaluation remembers of it.
        frames: FRAME[MAX_DEPTH + 1], one a level.
        progress: PROGRESS[1], where the search stands, and what sets its table entries apart from those of earlier ones.
        switches: SWITCHES[1].
        plans: PLAN[1], the depth to search, how, and what was found.
        moves, order_keys: int64[(MAX_DEPTH + 1) * actions], a stack of move lists, and the order keys of the moves.
        lines: int64[MAX_DEPTH + 1, MAX_DEPTH + 1], the principal variation from each level on.
        found_line: int64[MAX_DEPTH + 1], that of the last finished depth.
        equals, ties: int64[actions], the root moves with the best score, of this window and of the last finished depth.
        history: int64[2, actions].
        killers: int64[MAX_DEPTH + 1, 2].
        table: ENTRY[power of two].
        fours: FOURS[1], where a search for a win by fours stands.
        four_frames: FOUR_FRAME[MAX_FOURS].
        four_moves: int64[(MAX_FOURS + 2) * actions], a stack of move lists.
        four_line: int64[LONGEST_LINE], the win by fours that was found.
        four_table: int64[power of two], positions without one.
        threats: THREATS[1], where a search for a win by threes and fours stands.
        threat_frames: THREAT_FRAME[MAX_LEVEL + 1].
        threat_moves: int64[2 * actions], a list of moves.
        children: CHILD[(MAX_LEVEL + 1) * actions], a stack of lists of moves and what is known of them.
        threat_table: THREAT_ENTRY[power of two]. What concerns fours and threats has one element each if none is asked for.
    """

    states: Any
    memories: Any
    frames: Any
    progress: Any
    switches: Any
    plans: Any
    moves: Any
    order_keys: Any
    lines: Any
    found_line: Any
    equals: Any
    ties: Any
    history: Any
    killers: Any
    table: Any
    fours: Any
    four_frames: Any
    four_moves: Any
    four_line: Any
    four_table: Any
    threats: Any
    threat_frames: Any
    threat_moves: Any
    children: Any
    threat_table: Any


def workspace_for(
    game: Game,
    bitboards: ModuleType | None,
    evaluation: ModuleType,
    settings: Settings,
    weights: Mapping[str, int] | None,
    limits: Limits = NO_LIMITS,
) -> Workspace:
    """Returns the memory for searches of a game.

    Args:
        game: what is played.
        bitboards: the bitboard rules, if the search is to use them; see `Game.bitboards`.
        evaluation: a module of `agents.evaluation`.
        settings: the switches.
        weights: of the evaluation, those that differ from its own.
        limits: depth and nodes of `deepening.answer`, which does without a clock; a searcher has its own.
    """
    levels, actions = alphabeta.MAX_DEPTH + 1, game.action_count
    record_of = bitboards.record_of if bitboards else State.record
    memories = compiled.records(1, getattr(evaluation, "MEMORY", evaluation_interface.MEMORY))
    if own := getattr(evaluation, "WEIGHTS", None):
        memories["weights"][0] = [*{**own, **(weights or {})}.values()]
    switches, plans = compiled.records(1, SWITCHES), compiled.records(1, deepening.PLAN)
    switches[:] = settings.switches
    deepest = min(limits.depth, alphabeta.MAX_DEPTH)
    for name, value in (
        ("first", 1 if settings.deepening else deepest),
        ("deepest", deepest),
        ("nodes", limits.nodes or deepening.UNLIMITED),
        ("aspiration", 0 if settings.method == "minimax" else settings.aspiration),
        ("mtdf", settings.method == "mtdf"),
    ):
        plans[name] = value

    def asked(size: int) -> int:
        """Returns a size, or 1 if no threats are searched for."""
        return size if settings.parts else 1

    entries = max(int(settings.table_mib * 2**20) // ENTRY.itemsize, BUCKET)
    return Workspace(
        states=compiled.readable(record_of(game.initial())),
        memories=memories,
        frames=compiled.records(levels, alphabeta.FRAME),
        progress=compiled.records(1, alphabeta.PROGRESS),
        switches=switches,
        plans=plans,
        moves=np.zeros(levels * actions, np.int64),
        order_keys=np.zeros(levels * actions, np.int64),
        lines=np.zeros((levels, levels), np.int64),
        found_line=np.zeros(levels, np.int64),
        equals=np.zeros(actions, np.int64),
        ties=np.zeros(actions, np.int64),
        history=np.zeros((2, actions), np.int64),
        killers=np.zeros((levels, 2), np.int64),
        table=compiled.records(1 << (entries.bit_length() - 1), ENTRY),
        fours=compiled.records(1, fours.FOURS),
        four_frames=compiled.records(asked(fours.MAX_FOURS + 1), fours.FOUR_FRAME),
        four_moves=np.zeros(asked((fours.MAX_FOURS + 2) * actions), np.int64),
        four_line=np.zeros(asked(fours.LONGEST_LINE), np.int64),
        four_table=np.zeros(asked(FOUR_ENTRIES), np.int64),
        threats=compiled.records(1, threats.THREATS),
        threat_frames=compiled.records(asked(threats.MAX_LEVEL + 1), threats.THREAT_FRAME),
        threat_moves=np.zeros(asked(4 * actions), np.int64),
        children=compiled.records(asked((threats.MAX_LEVEL + 1) * actions), threats.CHILD),
        threat_table=compiled.records(asked(THREAT_ENTRIES), threats.THREAT_ENTRY),
    )
