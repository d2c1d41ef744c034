"""`sparring.grade`: an agent's moves in graded positions against exact play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ....agents import make, spec_text
from ....envs.game import Game
from ....envs.position import Position
from ....envs.rules.errors import AgentError, ConfigError, shown
from ...games.exact_scores import plies_left_at, unit_of
from ...games.position_set import Graded, PositionSet, read_position_set, shipped_set
from ...games.stages import LEVELS, STAGES, level_of, stage_of
from ...games.task import GameTask, Player, derived_seed
from ...results import GameRecord
from ...statistics.score import Score, score_interval
from ...terminal.phrases import game_argument
from ...workers.executors import InProcess
from .results import Answer, Grade, PositionsRecord

NOBODY = Player("nobody", {"name": "random"})  # in the seat that is not asked
MOST_SHOWN = 10  # of the worst moves


def grade(agent: Any, game: str | Game, *, positions: str | Path | None = None, seed: int = 0) -> Grade:
    """Returns how an agent plays positions whose exact scores are known: how often it gives away a win or a draw, and where.

    >>> sparring.grade("greedy", "ConnectFour").blunders  # doctest: +SKIP

    Every position is a game of its own: the agent is reset, with a seed of its own, and makes one move. All are played in this process.

    Args:
        agent: a name with parameters, a model of Stable-Baselines3, an object with `act`, a class of such objects, or a function from a
            Position to a move.
        game: an id, or a Game.
        positions: a file of graded positions, as `kind: positions` writes it; by default the package's set of the game.
        seed: decides the agent's random choices.

    Raises:
        AgentError: no such agent, one that does not play the game, or one that answers with an illegal move or an error.
        ConfigError: no positions of the game, or a damaged file.
    """
    game = Game.of(game)
    found = shipped_set(game) if positions is None else read_position_set(Path(positions))
    if found.game != game:
        raise ConfigError(f"{positions}: expected positions of {shown(game)}, got some of {shown(found.game)}")
    player = Player(spec_text(agent), agent)
    entries = InProcess({player.name: make(agent, game)}).run(tasks_of(player, found, seed))
    return grade_of(player.name, found, [answered(entry, player.name) for entry in entries])


def tasks_of(player: Player, positions: PositionSet, seed: int, first_id: int = 0) -> Iterator[GameTask]:
    """Yields the task of each position: a game that begins there and stops after the player's move."""
    record = GameRecord.of(positions.game).model_dump()
    for number, graded in enumerate(positions.positions):
        position = Position(positions.game, graded.moves)
        first, second = (player, NOBODY) if position.side == 0 else (NOBODY, player)
        own_seed = derived_seed(seed, number)
        yield GameTask(first_id + number, record, first, second, number, tuple(position.moves), own_seed, plies=1)


def answered(entry: dict[str, Any], agent: str) -> dict[str, Any]:
    """Returns the log entry of an agent's answer from that of the game that begins with it.

    Raises:
        AgentError: it did not answer with a legal move.
    """
    if "reason" in entry:
        raise AgentError(f"agent {agent!r}: after {entry['moves'] or 'no move'}: {entry['reason']}")
    return {"id": entry["id"], "agent": agent, "moves": entry["moves"], "seconds": sum(entry["seconds"])}


def grade_of(agent: str, positions: PositionSet, entries: Iterable[dict[str, Any]]) -> Grade:
    """Returns the grade of an agent from the log entries of its answers, in the order of the positions."""
    answers = [_answer(positions.game, graded, entry) for graded, entry in zip(positions.positions, entries, strict=True)]
    kept = [answer.lost for answer in answers if answer.kept_value]
    blunders = [answer for answer in answers if not answer.kept_value]
    return Grade(
        agent=agent,
        positions=PositionsRecord(
            game=game_argument(positions.game),
            version=positions.version,
            hash=positions.hash,
            count=len(positions.positions),
            unit=unit_of(positions.game),
        ),
        blunders=_blunders(answers),
        by_stage=_blunders_by(answers, "stage", STAGES),
        by_level=_blunders_by(answers, "level", LEVELS),
        best_moves=score_interval([float(answer.lost == 0) for answer in answers]),
        points=sum(answer.lost for answer in answers) / len(answers),
        points_kept=sum(kept) / len(kept) if kept else 0.0,
        worst=sorted(blunders, key=lambda answer: -answer.lost)[:MOST_SHOWN],
    )


def _answer(game: Game, graded: Graded, entry: dict[str, Any]) -> Answer:
    """Returns an agent's move in a position with its score."""
    position, move = Position(game, graded.moves), Position(game, entry["moves"]).moves[-1]
    best = max(graded.scores, key=graded.scores.__getitem__)
    return Answer(
        moves=graded.moves,
        stage=stage_of(game, position.ply),
        level=level_of(game, plies_left_at(position, graded.scores[best])),
        move=position.move_text(move),
        best=position.move_text(best),
        score=graded.scores[move],
        best_score=graded.scores[best],
    )


def _blunders(answers: Sequence[Answer]) -> Score:
    return score_interval([float(not answer.kept_value) for answer in answers])


def _blunders_by(answers: Sequence[Answer], name: str, groups: Sequence[str]) -> dict[str, Score]:
    """Returns the share of blunders by stage or level, of those that there are."""
    by_group = {group: [answer for answer in answers if getattr(answer, name) == group] for group in groups}
    return {group: _blunders(members) for group, members in by_group.items() if members}
