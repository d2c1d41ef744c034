"""Games as a sequence of boards, so that the page can replay them without knowing any rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...envs.game import Game
from ...envs.position import Position
from ...envs.rendering import column_names, fixed_squares, style_of, winning_lines
from ..score import outcome_of, seat_of

MOST_GAMES = 60  # of one run in its report
MOST_CHARACTERS = 600_000  # of board texts of one run; a page stays within a few megabytes


def replay_of(games: Sequence[dict[str, Any]], agent: str) -> dict[str, Any]:
    """Returns what the page needs to replay some games, fit for JSON.

    Args:
        games: entries of a games log, at least one, all of one game.
        agent: whose wins and losses they are.

    Returns:
        shape (what the board looks like), agent, total (number of games there are) and games, see `boards_of`.
    """
    position = Position(Game.of(games[0]["game"]["id"], **games[0]["game"]["parameters"]))
    shape = {
        "style": style_of(position),
        "width": position.game.width,
        "height": position.game.height,
        "columns": column_names(position),
        "fixed": list(fixed_squares(position)),
    }
    shown, characters = [], 0
    for game in choose(games, lambda game: (opponent_of(game, agent), seat_of(game, agent), outcome_of(game, agent))):
        entry = describe(game, agent) | boards_of(position.game, game["moves"])
        characters += sum(len(board) for board in entry["boards"])
        if shown and characters > MOST_CHARACTERS:
            break
        shown.append(entry)
    return {"shape": shape, "agent": agent, "total": len(games), "games": sorted(shown, key=lambda entry: entry["id"])}


def describe(game: dict[str, Any], agent: str) -> dict[str, Any]:
    """Returns who played a game and how it ended for the agent."""
    kept = {key: game[key] for key in ("id", "first", "second", "opening", "result", "termination")}
    return kept | {"seat": seat_of(game, agent), "outcome": outcome_of(game, agent), "opponent": opponent_of(game, agent)}


def opponent_of(game: dict[str, Any], agent: str) -> str:
    """Returns the other player of a game."""
    return game["second"] if seat_of(game, agent) == "first" else game["first"]


def boards_of(game: Game, moves: str) -> dict[str, Any]:
    """Returns a game's moves, the board text before the first and after every move, and the end squares of the winning lines."""
    position = Position(game)
    words = game.rules.split_moves(position.state, moves)
    boards = [position.text]
    for word in words:
        position.push(word)
        boards.append(position.text)
    return {"moves": words, "boards": boards, "lines": winning_lines(position)}


def choose(games: Iterable[dict[str, Any]], group_of: Callable[[dict[str, Any]], Any], most: int = MOST_GAMES) -> list[dict[str, Any]]:
    """Returns at most `most` games: one of each group in turn, games with the same moves as an earlier one last."""
    groups: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    repeats: list[dict[str, Any]] = []
    seen: set[Any] = set()
    for game in games:
        identity = (group_of(game), game["moves"])
        (repeats if identity in seen else groups[group_of(game)]).append(game)
        seen.add(identity)
    longest = max(map(len, groups.values()), default=0)
    in_turn = [group[index] for index in range(longest) for group in groups.values() if index < len(group)]
    return (in_turn + repeats)[:most]
