"""The models of the lines of a run's logs (games.jsonl and others), and the checks of a line against them and against its task."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ...agents.foreign import STRICT, conform
from ...envs.game import Game
from ...envs.position import Position
from ...envs.registration import OTHER_ENDINGS
from ...envs.rules.errors import SparringError, shown
from .task import GameTask, game_from
from .waiting import MOST_PLIES

Count = Annotated[int, Field(ge=0, le=2**53)]
Plies = Annotated[int, Field(ge=0, le=MOST_PLIES)]
Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Seconds = Annotated[float, Field(ge=0, le=1e12)]
Share = Annotated[float, Field(ge=0, le=1)]
Two = Field(min_length=2, max_length=2)


class Entry(BaseModel):
    """Base of all entries: no unknown keys, no conversions."""

    model_config = STRICT | {"extra": "forbid"}


class GameRecord(Entry):
    """The game that an entry was played at."""

    id: str
    parameters: dict[str, Any]


class Labels(Entry):
    """What a teacher thought of the positions of a game: of the one before each move, those of the opening included.

    Attributes:
        moves: the teacher's, as integers.
        scores: of these moves, in its view and units, null for none.
        final: whether the score is proven.
        move_scores: the moves that it scored one by one, each with its score, null for none.
    """

    moves: list[Count]
    scores: list[Whole | None] | None = None
    final: list[bool] | None = None
    move_scores: list[list[tuple[Count, Whole]] | None] | None = None


class PlayedGame(Entry):
    """A line of games.jsonl; `play` writes it.

    Attributes:
        stage: "final" or "challenge" in trainings and tunings.
        id: number of the game in its run.
        game: id and all parameters of the rules.
        first: the agent in the first seat.
        second: the agent in the second seat.
        pair: number of the pair of games that share an opening, each agent once in each seat.
        opening: number of opening moves.
        moves: all moves, in the game's notation.
        result: the seat that won, or "draw".
        termination: how the game ended: one of its kind's endings ("line", "full", "blocked"), or "adjudicated", "illegal", "timeout",
            "crash".
        plies: the number of moves.
        seed: of the agents' random choices.
        seconds: thinking time of the first and of the second seat, in seconds.
        scores: for each move after the opening its agent's score, in that agent's view and units, null for none.
        depths: for each move after the opening the searched depth in plies, null for none.
        reason: of a loss by an illegal move, by time or by a crash.
        labels: what the teacher of a data set thought of each position; its `moves` are integers.
    """

    stage: str | None = None
    id: Count
    game: GameRecord
    first: str
    second: str
    pair: Count
    opening: Plies
    moves: str
    result: Literal["first", "second", "draw"]
    termination: str
    plies: Plies
    seed: Count
    seconds: Annotated[list[Seconds], Two]
    scores: list[Whole | None] | None = None
    depths: list[Whole | None] | None = None
    reason: str | None = None
    labels: Labels | None = None


class Search(Entry):
    """One search of a line of searches.jsonl."""

    ply: Plies
    move: Count
    depth: Plies
    nodes: Count
    evaluations: Count
    table_hits: Count
    seconds: Seconds
    settled: bool
    depths: list[tuple[Plies, Count, Seconds, Whole | None, Count]]


class SearchedGame(Entry):
    """A line of searches.jsonl; `ablation` writes it."""

    id: Count
    configuration: str
    game_number: Count
    plies: Plies
    moves: str
    searches: list[Search]


class Answered(Entry):
    """A line of answers.jsonl; `accuracy` writes it.

    Attributes:
        id: number of the answer in its run; those of the first agent come first.
        agent: who was asked.
        moves: that led to the position, and the agent's.
        seconds: that it thought.
    """

    id: Count
    agent: str
    moves: str
    seconds: Seconds


class Evaluated(Entry):
    """A line of curve.jsonl; `train` writes it."""

    timesteps: Count
    opponent: str
    games: Count
    wins: Count
    draws: Count
    losses: Count
    score: Share
    low: Share
    high: Share


def mistake_in(entry: dict[str, Any], model: type[Entry]) -> str | None:
    """Returns the mistake in an entry as `key: expected …, got …`, or None."""
    try:
        conform(entry, model)
    except ValueError as error:
        return str(error)
    return _mistake_in_game(entry) if model is PlayedGame else None


def mistake_of_task(entry: dict[str, Any], task: GameTask) -> str | None:
    """Returns the difference between a game and its task, or None; moves after the opening are checked when they are replayed."""
    expected = {
        "stage": task.stage,
        "game": task.game,
        "first": task.first.name,
        "second": task.second.name,
        "pair": task.pair,
        "opening": len(task.opening),
        "seed": task.seed,
    }
    for key, value in expected.items():
        if entry.get(key) != value:
            return f"{key}: expected {shown(value)}, got {shown(entry.get(key))}"
    if task.teacher and not entry.get("labels"):
        return "labels: missing"
    opening, moves = _opening_tokens(json.dumps(task.game), task.opening), _tokens(entry)
    if moves[: len(opening)] != opening:
        return f"moves: expected the opening {' '.join(opening)}, got {shown(entry['moves'])}"
    return _mistake_in_lengths(entry)


def _mistake_in_game(entry: dict[str, Any]) -> str | None:
    """Returns the mistake that concerns several fields of a game together, or None."""
    try:
        _tokens(entry)
        endings = (*_game(json.dumps(entry["game"])).endings, *OTHER_ENDINGS)
    except (SparringError, TypeError) as error:
        return f"game: {error}"
    if entry["termination"] not in endings:
        return f"termination: expected one of {', '.join(endings)}, got {shown(entry['termination'])}"
    if entry["termination"] in ("illegal", "timeout", "crash") and entry.get("reason") is None:
        return "reason: missing"
    return None


def _mistake_in_lengths(entry: dict[str, Any]) -> str | None:
    """Returns the mistake if a field of a game does not have the length of its moves, or None."""
    plies, opening, moves = entry["plies"], entry["opening"], len(_tokens(entry))
    if plies != moves or opening > plies:
        return f"plies: expected {moves}, the number of moves, and an opening of at most {moves}, got {plies} and {opening}"
    for key, numbers in (entry.get("labels") or {}).items():
        if numbers is not None and len(numbers) != plies:
            return f"labels.{key}: expected {plies} entries, one for each move, got {len(numbers)}"
    for key in ("scores", "depths"):
        if entry.get(key) is not None and len(entry[key]) != plies - opening:
            return f"{key}: expected {plies - opening} entries, one for each move after the opening, got {len(entry[key])}"
    return None


def _tokens(entry: dict[str, Any]) -> list[str]:
    """Returns the moves of a game, each as text."""
    game = _game(json.dumps(entry["game"]))
    return game.rules.split_moves(game.initial(), entry["moves"])


@functools.lru_cache(maxsize=16)
def _game(choice: str) -> Game:
    return game_from(json.loads(choice))


@functools.lru_cache(maxsize=4096)
def _opening_tokens(choice: str, opening: Sequence[int]) -> list[str]:
    position, tokens = Position(_game(choice)), list[str]()
    for move in opening:
        tokens.append(position.move_text(move))
        position.push(move)
    return tokens
