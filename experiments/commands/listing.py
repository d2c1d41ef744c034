"""Tables of environments, agents, ladders and configs for `sparring list` and `sparring configs`."""

from __future__ import annotations

import inspect
import re
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
from ..kinds import KINDS
from .config_keys import keys_of, parts_of, summary_of


def envs_table(ids: Iterable[str] = GAMES) -> Table:
    """Returns a table of Gymnasium ids."""
    table = _table("envs", "id", "parameters and defaults", "what")
    for registration in (GAMES[id] for id in ids):
        parameters = [f"{name}={_text(value)}" for name, value in Game.free_parameters(registration.id).items()]
        table.add_row(registration.id, ", ".join(parameters), registration.summary)
    table.add_section()
    shared = inspect.signature(BoardEnv.__init__).parameters.values()
    options = [f"{option.name}={_text(option.default)}" for option in shared if option.default is not option.empty]
    table.add_row("all of them", ", ".join(options), f"seat: {', '.join(SEATS)}; illegal: {', '.join(ILLEGAL)}")
    return table


def tables_of(what: str | None) -> list[Table]:
    """Returns the tables for an argument: all of one sort, or one agent, game or kind of config in full; for None a line for each.

    Raises:
        ConfigError: the argument is unknown.
    """
    tables = {"envs": envs_table, "agents": lambda: agents_table(list(AGENTS)), "ladders": ladders_table, "kinds": kinds_table}
    games = {Game(id).name: id for id in GAMES}
    if what is None:
        return [envs_table(), overview()]
    if what in tables:
        return [tables[what]()]
    if what in AGENTS:
        return [agents_table([what], is_whole=True)]
    if what in games or what in GAMES:
        return [envs_table([games.get(what, what)])]
    if what in KINDS:
        return [keys_table(name) for name in (what, *parts_of(what))]
    raise ConfigError(f"list: {unknown('name', what, [*tables, *games, *AGENTS, *KINDS])}")


def overview() -> Table:
    """Returns a table of the agents, a line each."""
    table = _table("agents", "agent", "games", "parameters", "what")
    for name, entry in AGENTS.items():
        games = ", ".join(entry.kinds or ["all"])
        table.add_row(name, games, str(len(parameters_of(name)) or ""), entry.summary)
    return table


def agents_table(names: list[str], is_whole: bool = False) -> Table:
    """Returns a table of agents, a line for each parameter; those shared with an earlier agent only if `is_whole`."""
    table = _table("agents", "agent", "parameter", "type", "default", "what")
    for name in names:
        entry, parameters, model = AGENTS[name], parameters_of(name), None if is_whole else alias_of(name)
        if model and parameters:
            table.add_row(
                name,
                f"as {model}",
                "",
                ", ".join(f"{parameter}={_text(value)}" for parameter, value in entry.defaults.items()),
                entry.summary,
            )
            continue
        table.add_row(name, "", "", "", entry.summary)
        for parameter in parameters:
            table.add_row("", parameter.name, type_text(parameter.type), _text(parameter.default), parameter.doc)
    return table


def ladders_table() -> Table:
    """Returns a table of the rungs of all ladders that the package has."""
    table = _table("ladders", "game", "rung", "agent", "Elo", "95 % interval")
    for ladder in ladders():
        game = Game.of(ladder.game["id"], **ladder.game["parameters"])
        options = ", ".join(f"{name}={_text(value)}" for name, value in game.options.items())
        for number, rung in enumerate(ladder.rungs):
            first = (game.id, options)[number] if number < 2 else ""
            table.add_row(first, str(number), rung.name, f"{rung.elo:.0f}", f"{rung.low:.0f} to {rung.high:.0f}")
        table.add_section()
    return table


def kinds_table() -> Table:
    """Returns a table of the kinds of config."""
    table = _table("kinds", "kind", "what it is")
    for name in KINDS:
        table.add_row(name, summary_of(name))
    return table


def keys_table(name: str) -> Table:
    """Returns a table of the keys of a kind of config, or of a part of one."""
    table = _table(name, "key", "values", "default", "meaning")
    for key in keys_of(name):
        table.add_row(key.name, *(re.sub(r"[`*]|\[\[|\]\]", "", text) for text in key[1:]))
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
