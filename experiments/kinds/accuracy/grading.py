"""`sparring.grade`: an agent's moves in graded positions against exact play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ....agents import make, spec_text
from ....envs.game import Game
from ....envs.position import Position
from ....envs.rules.errors import AgentError, ConfigError, shown, whole_number
from ...games.connect_four_sets import level_of, stage_of
from ...games.position_set import Graded, PositionSet, read_position_set, shipped_set
from ...games.task import derived_seed
from ...statistics.score import Score, score_interval
from .results import Answer, Grade, PositionsRecord

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
        AgentError: no such agent, one that does not play the game, or one that answers with an illegal move.
        ConfigError: no positions of the game, or a damaged file.
    """
    game = Game.of(game)
    found = shipped_set(game) if positions is None else read_position_set(Path(positions))
    if found.game != game:
        raise ConfigError(f"{positions}: expected positions of {shown(game)}, got some of {shown(found.game)}")
    return grade_of(spec_text(agent), make(agent, game), found, seed)


def grade_of(name: str, agent: Any, positions: PositionSet, seed: int, show: Callable[[int], None] = lambda done: None) -> Grade:
    """Returns the grade of an agent.

    Args:
        name: of the agent.
        agent: an object with `act`.
        positions: to play.
        seed: of its random choices.
        show: called with the number of positions that are played.

    Raises:
        AgentError: an illegal move.
    """
    answers: list[Answer] = []
    for index, graded in enumerate(positions.positions):
        if hasattr(agent, "reset"):
            agent.reset(derived_seed(seed, index))
        answers.append(_answer(name, agent, positions.game, graded))
        show(index + 1)
    kept = [answer.lost for answer in answers if answer.kept_value]
    blunders = [answer for answer in answers if not answer.kept_value]
    return Grade(
        agent=name,
        positions=PositionsRecord(game=positions.game.name, version=positions.version, hash=positions.hash, count=len(positions.positions)),
        blunders=_blunders(answers),
        by_stage=_blunders_by(answers, "stage", ("begin", "middle", "end")),
        by_level=_blunders_by(answers, "level", ("easy", "medium", "hard")),
        best_moves=score_interval([float(answer.lost == 0) for answer in answers]),
        points=sum(answer.lost for answer in answers) / len(answers),
        points_kept=sum(kept) / len(kept) if kept else 0.0,
        worst=sorted(blunders, key=lambda answer: -answer.lost)[:MOST_SHOWN],
    )


def _answer(name: str, agent: Any, game: Game, graded: Graded) -> Answer:
    """Returns an agent's move in a position."""
    position = Position(game, graded.moves)
    given = agent.act(position.copy())
    move = whole_number(given)
    if move is None or move not in graded.scores:
        raise AgentError(f"agent {name!r}: expected a legal move after {graded.moves}, got {shown(given)}")
    best = max(graded.scores, key=graded.scores.__getitem__)
    return Answer(
        moves=graded.moves,
        stage=stage_of(position.ply),
        level=level_of(position.ply, graded.scores[best]),
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
