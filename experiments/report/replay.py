"""Games as a sequence of boards, so that the page can replay them without knowing any rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...agents.search.scores import LIMIT, WIN
from ...envs.drawing.board_art import COLOURS
from ...envs.drawing.rendering import column_names, fixed_squares, style_of, winning_lines
from ...envs.drawing.symbols import css, page_layout
from ...envs.game import Game
from ...envs.position import Position
from ..games.log import replayed
from .log_digest import LogGames
from .wording import endings

MOST_CHARACTERS = 600_000  # of board texts of one run; a page stays within a few megabytes
KEPT = ("id", "first", "second", "opening", "result", "termination", "reason", "scores", "depths")  # of a log's entry


def replay_of(games: LogGames, agent: str = "") -> dict[str, Any]:
    """Returns what the page needs to replay some games, fit for JSON.

    Args:
        games: at least one, all of one game.
        agent: whose wins and losses they are; empty where no agent plays all of them.

    Returns:
        shape (what the board looks like), agent, total (number of games there are), endings (in words), decisive (the score beyond which a
        search has seen the end, and the score of a win) and games, see `describe` and `boards_of`.
    """
    digest = games.digest
    assert digest.game is not None
    position = Position(Game.of(digest.game["id"], **digest.game["parameters"]))
    style = style_of(position)
    shape = {
        **page_layout(style, position.game.width, position.game.height)._asdict(),
        "columns": column_names(position),
        "fixed": list(fixed_squares(position)),
        "colours": [css(colour) for colour in COLOURS[style]],
    }
    shown, characters = [], 0
    for game in chosen_games(games):
        with replayed(games.path or Path(), game):
            entry = describe(game) | boards_of(position.game, game["moves"])
        characters += sum(len(board) for board in entry["boards"])
        if shown and characters > MOST_CHARACTERS:
            break
        shown.append(entry)
    shown.sort(key=lambda entry: entry["id"])
    head = {"shape": shape, "agent": agent, "total": digest.count, "endings": endings(), "decisive": [LIMIT, WIN]}
    return head | {"games": shown}


def chosen_games(games: LogGames) -> list[dict[str, Any]]:
    """Returns games of all sorts, the most interesting first."""
    ranks = {id: rank for rank, id in enumerate(games.digest.choice())}
    return sorted((game for game in games if game["id"] in ranks), key=lambda game: ranks[game["id"]])


def describe(game: dict[str, Any]) -> dict[str, Any]:
    """Returns the players of a game, its end, and the agents' scores and depths."""
    return {key: game[key] for key in KEPT if key in game}


def boards_of(game: Game, moves: str) -> dict[str, Any]:
    """Returns a game's moves, the board text before the first and after every move, and the end squares of the winning lines."""
    position = Position(game)
    tokens = game.rules.split_moves(position.state, moves)
    boards = [position.text]
    for token in tokens:
        position.push(token)
        boards.append(position.text)
    return {"moves": tokens, "boards": boards, "lines": winning_lines(position)}
