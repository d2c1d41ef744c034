"""Tables of what there is: environments and agents with their parameters."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from rich.table import Table

from ...agents import AGENTS, alias_of, parameters_of, type_text
from ...agents.ladder import ladders
from ...envs.board_env import BoardEnv
from ...envs.game import Game
from ...envs.options import ILLEGAL, SEATS
from ...envs.registration import GAMES
from ...envs.rules.errors import ConfigError, unknown
from ..config.shipped import names, summary


def envs_table(ids: Iterable[str] = GAMES) -> Table:
    """Returns a table of Gymnasium ids."""
    table = _table("envs", "id", "parameters and defaults", "what")
    for registration in (GAMES[id] for id in ids):
        words = [f"{name}={_text(value)}" for name, value in Game.free_parameters(registration.id).items()]
        table.add_row(registration.id, ", ".join(words), registration.summary)
    table.add_section()
    shared = inspect.signature(BoardEnv.__init__).parameters.values()
    words = [f"{word.name}={_text(word.default)}" for word in shared if word.default is not word.empty]
    table.add_row("all of them", ", ".join(words), f"seat: {', '.join(SEATS)}; illegal: {', '.join(ILLEGAL)}")
    return table


def tables_of(what: str | None) -> list[Table]:
    """Returns the tables for a word: all of one kind, or one agent or game with all its parameters; for none a line of each.

    Raises:
        ConfigError: the word means nothing here.
    """
    whole = {"envs": envs_table, "agents": lambda: agents_table(list(AGENTS)), "ladders": ladders_table}
    games = {Game(id).name: id for id in GAMES}
    if what is None:
        return [envs_table(), overview()]
    if what in whole:
        return [whole[what]()]
    if what in AGENTS:
        return [agents_table([what], is_whole=True)]
    if what in games or what in GAMES:
        return [envs_table([games.get(what, what)])]
    raise ConfigError(f"list: {unknown('name', what, [*whole, *games, *AGENTS])}")


def overview() -> Table:
    """Returns a table of the agents, a line each."""
    table = _table("agents", "agent", "games", "parameters", "what")
    for name, entry in AGENTS.items():
        games = ", ".join(entry.kinds or ["all"])
        table.add_row(name, games, str(len(parameters_of(name)) or ""), entry.summary)
    return table


def agents_table(names: list[str], is_whole: bool = False) -> Table:
    """Returns a table of agents, a line for each parameter; also for those of another agent that one shares, if `is_whole`."""
    table = _table("agents", "agent", "parameter", "type", "default", "what")
    for name in names:
        entry, parameters, model = AGENTS[name], parameters_of(name), None if is_whole else alias_of(name)
        if model and parameters:
            table.add_row(
                name, f"as {model}", "", ", ".join(f"{word}={_text(value)}" for word, value in entry.defaults.items()), entry.summary
            )
            continue
        table.add_row(name, "", "", "", entry.summary)
        for parameter in parameters:
            table.add_row("", parameter.name, type_text(parameter.type), _text(parameter.default), parameter.doc)
    return table


def ladders_table() -> Table:
    """Returns a table of the rungs of all ladders that the package has."""
    table = _table("ladders", "game", "rung", "agent", "Elo", "95 % interval")
    for found in ladders():
        game = Game.of(found.game["id"], **found.game["parameters"])
        options = ", ".join(f"{name}={_text(value)}" for name, value in game.options.items())
        for number, rung in enumerate(found.rungs):
            first = (game.id, options)[number] if number < 2 else ""
            table.add_row(first, str(number), rung.name, f"{rung.elo:.0f}", f"{rung.low:.0f} to {rung.high:.0f}")
        table.add_section()
    return table


def configs_table() -> Table:
    """Returns a table of the configs that the package ships."""
    table = _table("configs", "name", "what")
    for name in names():
        table.add_row(name, summary(name))
    return table


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _text(value: Any) -> str:
    """Returns a value as it is written in a spec or config."""
    return {True: "true", False: "false", None: "none"}[value] if value is None or isinstance(value, bool) else str(value)
