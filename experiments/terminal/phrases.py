"""Parts of lines of text: numbers of things, enumerations, games, scores and ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...envs.game import Game
from ..config.parts import game_of
from ..results import Matchup, Standing
from ..statistics.estimate import Estimate
from ..statistics.score import Score
from ..statistics.sprt import verdict_text


def counted(number: int, noun: str) -> str:
    """Returns a number of things: "1 run", "3 runs"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def joined(texts: Sequence[str]) -> str:
    """Returns texts as an enumeration: "a, b and c"."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def choice_text(choice: dict[str, Any]) -> str:
    """Returns the game of a config as the command line and configs write it: "Gomoku:size=9,rule=freestyle"."""
    return game_argument(game_of(choice))


def game_argument(game: Game) -> str:
    """Returns a game as the command line writes it."""
    options = [f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in game.options.items()]
    name = game.id if ":" in game.id else game.name  # a game from outside is found by its module
    return f"{name}:{','.join(options)}" if options else name


def score_text(score: Score) -> str:
    """Returns a score with its interval, such as "0.625 (95 %: 0.510-0.724)"."""
    return f"{score.value:.3f} (95 %: {score.low:.3f}-{score.high:.3f})"


def rating_text(elo: Estimate) -> str:
    """Returns a rating with its interval, such as "Elo 1843 (95 %: 1790 to 1896)"."""
    return f"Elo {elo.value:.0f} (95 %: {elo.low:.0f} to {elo.high:.0f})"


def matchup_line(matchup: Matchup) -> str:
    """Returns the results of the games between two agents in a line."""
    games = f"{matchup.games} games, {matchup.distinct_games} distinct"
    test = f"; {verdict_text(matchup.sprt)}" if matchup.sprt else ""
    return f"{' - '.join(matchup.agents)}: {score_text(matchup.interval)}, {games}, {seats_text(matchup)}{test}"


def seats_text(matchup: Matchup) -> str:
    """Returns wins, draws and losses by seat, such as "+12 =3 -5 as first, +10 =2 -8 as second"."""
    return ", ".join(f"+{outcomes.win} ={outcomes.draw} -{outcomes.loss} as {seat}" for seat, outcomes in matchup.outcomes.items())


def standing_line(rank: int, row: Standing) -> str:
    """Returns the rank of an agent in a tournament, in a line."""
    return f"{rank}. {row.agent}: {rating_text(row.elo)}, score {score_text(row.interval)}, {row.games} games"
