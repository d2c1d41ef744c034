"""Fills the pages' markers when the site is built: tables of configs, agents, games and ladders, from the code itself.

A marker is a line such as `{{ keys match }}`: the name of a function of GENERATORS and its arguments.
"""

from __future__ import annotations

import atexit
import inspect
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sparring.agents import AGENTS, alias_of, ladder, parameters_of, type_text
from sparring.envs.board_env import BoardEnv
from sparring.envs.game import Game
from sparring.envs.registration import GAMES
from sparring.envs.rules.isola_presets import PRESETS
from sparring.experiments.commands.config_keys import entries, keys_of, meanings, models, sentence, summary_of, written
from sparring.experiments.games.entries import PlayedGame
from sparring.experiments.kinds import KINDS

ROOT = Path(__file__).parent.parent
MARKER = re.compile(r"^\{\{ (\w+)(.*?) \}\}$", re.MULTILINE)
LONG_CELL = re.compile(r"(?<=>)[^<>\s]{25,}(?=</td>)")
GAME_LADDERS = {
    "ConnectFour": ["ConnectFour"],
    "TicTacToe": ["TicTacToe"],
    "ConnectK": ["ConnectK:width=9,height=7,k=5,gravity=true", "ConnectK:width=9,height=7,k=5"],
    "Gomoku": ["Gomoku"],
    "Isola": ["Isola", "Isola:rules=classic"],
}


def on_config(config: Any) -> Any:
    """Lets mkdocstrings read the package's source without importing it, so that no extra has to be installed."""
    folder = Path(tempfile.mkdtemp())  # in which the package has its name, whatever the checkout is called
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "sparring").mkdir()
    for name in ("__init__.py", "version.py", "envs", "agents", "experiments"):
        (folder / "sparring" / name).symlink_to(ROOT / name)
    config.plugins["mkdocstrings"].config.handlers["python"]["paths"] = [str(folder)]
    return config


on_config.mkdocs_priority = 100  # before mkdocstrings sets up its reader


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Returns a page with its markers filled, as MkDocs asks before it reads the page."""
    return MARKER.sub(lambda marker: GENERATORS[marker[1]](*marker[2].split()), markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Returns a page in which long names of agents in tables may be broken at their colons and commas."""
    return LONG_CELL.sub(lambda cell: re.sub(r"([:,])(?=\w)", r"\1<wbr>", cell[0]), html)


def table(headings: list[str], rows: list[list[str]]) -> str:
    """Returns a table in Markdown."""
    lines = [headings, ["---"] * len(headings), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# Configs


def keys(name: str) -> str:
    """Returns the table of all keys of a kind or of a part of configs."""
    rows = [[f"`{key.name}`", in_markdown(key.values), key.default, key.meaning] for key in keys_of(name)]
    return table(["key", "values", "default", "meaning"], rows)


def in_markdown(values: str) -> str:
    """Returns the values of a key with links to the parts, and great powers of ten as powers."""
    linked = re.sub(r"\[\[(.+?)\]\]", r"[\1](#\1)", values)
    return re.sub(r"\b10{0,2}(,000){2,}\b", lambda number: f"10<sup>{len(number[0].replace(',', '')) - 1}</sup>", linked)


def kinds() -> str:
    """Returns the table of kinds, a line each."""
    return table(["kind", "what it is"], [[f"[`{name}`](configs.md#{name})", summary_of(name)] for name in KINDS])


def kind_sections() -> str:
    """Returns a section with the keys of each kind."""
    return _sections(KINDS)


def part_sections() -> str:
    """Returns a section with the keys of each part of configs."""
    return _sections(name for name in models() if name not in KINDS)


def _sections(names: Iterable[str]) -> str:
    return "\n\n".join(f"### {name} {{ #{name} }}\n\n{summary_of(name)}\n\n{keys(name)}" for name in names)


def log_fields() -> str:
    """Returns the table of the fields of games.jsonl."""
    meaning = meanings(PlayedGame)
    rows = [
        [f"`{name}`", f"{meaning[name]}{'' if field.is_required() else ' May be missing.'}"]
        for name, field in PlayedGame.model_fields.items()
    ]
    return table(["field", "holds"], rows)


# Agents


def agents() -> str:
    """Returns the table of agents, a line each."""
    rows = []
    for name, entry in AGENTS.items():
        games = "all" if entry.kinds is None else ", ".join(Game(id).name for id in GAMES if GAMES[id].kind.name in entry.kinds)
        rows.append([f"[`{name}`](#{name})" if parameters_of(name) else f"`{name}`", games, entry.summary])
    return table(["agent", "games", "what it does"], rows)


def agent_sections() -> str:
    """Returns a section for each agent with parameters; names that share a class share its table."""
    return "\n\n".join(f"### {name}\n\n{agent(name)}" for name in AGENTS if parameters_of(name))


def agent(name: str) -> str:
    """Returns what an agent does and its parameters, or in what it differs from the agent whose table it shares."""
    entry, model = AGENTS[name], alias_of(name)
    first = sentence(entry.summary)
    if model:
        given = ", ".join(f"`{key}={written(value).strip('`')}`" for key, value in entry.defaults.items())
        return f"{first} Parameters as [`{model}`](#{model}), with other defaults: {given}."
    rows = [
        [f"`{each.name}`", values_of(each), written(each.default), each.doc if each.choices else sentence(each.doc)]
        for each in parameters_of(name)
    ]
    return f"{first}\n\n{table(['parameter', 'values', 'default', 'meaning'], rows)}"


def values_of(parameter: Any) -> str:
    """Returns the values that an agent's parameter takes, in words."""
    if parameter.choices:
        return ", ".join(f"`{choice}`" for choice in parameter.choices)
    text = type_text(parameter.type).replace("int", "whole number").replace("float", "number").replace("bool", "true or false")
    text = re.sub(r"\bdict\[.*?\]|\bdict\b", "whole numbers by name", text.replace("str", "text")).replace(" or none", "")
    if parameter.low is not None:
        text += f", {parameter.low:,} to {parameter.high:,}" if parameter.high is not None else f", at least {parameter.low:,}"
    return in_markdown(text)


# Games


def environments() -> str:
    """Returns the table of Gymnasium ids with the parameters of the rules."""
    rows = []
    for id, registration in GAMES.items():
        words = ", ".join(f"`{name}={value}`" for name, value in Game.free_parameters(id).items() if value is not None)
        rest = ", ".join(f"`{name}`" for name, value in Game.free_parameters(id).items() if value is None)
        page = re.sub(r"(?<!^)(?=[A-Z])", "_", Game(id).name).lower()
        rows.append([f"[`{id}`](games/{page}.md)", registration.summary, ", ".join(filter(None, (words, rest)))])
    return table(["id", "game", "parameters"], rows)


def arguments() -> str:
    """Returns the table of arguments that all environments take."""
    meaning = entries(inspect.cleandoc(BoardEnv.__init__.__doc__ or ""), "Args")
    keywords = [each for each in inspect.signature(BoardEnv.__init__).parameters.values() if each.kind == each.KEYWORD_ONLY]
    rows = [[f"`{each.name}`", written(each.default), sentence(meaning[each.name].partition(". ")[0])] for each in keywords]
    return table(["argument", "default", "meaning"], rows)


def info() -> str:
    """Returns the table of what `info` holds."""
    meaning = entries(inspect.cleandoc(BoardEnv.__doc__ or ""), "Info")
    return table(["key", "holds"], [[f"`{name}`", text] for name, text in meaning.items()])


def section(game: str, *title: str) -> str:
    """Returns a section of the docstring of a game's environment."""
    module, _, name = GAMES[Game.of(game).id].entry_point.partition(":")
    doc = inspect.cleandoc(getattr(__import__(module, fromlist=[name]), name).__doc__)
    block = re.search(rf"^## {' '.join(title)}\n(.*?)(?=^## |\Z)", doc, re.MULTILINE | re.DOTALL)
    return block[1].strip() if block else _missing(game, title)


def _missing(game: str, title: tuple[str, ...]) -> str:
    raise KeyError(f"{game}: no section {' '.join(title)!r} in the docstring of its environment")


def isola_presets() -> str:
    """Returns the table of Isola's presets."""
    rows = [
        [
            f"`{name}`",
            f"{words['width']} by {words['height']}",
            words["step"],
            words["removal"],
            words["starts"],
            "yes" if words["fixed"] else "no",
        ]
        for name, words in PRESETS.items()
    ]
    return table(["`rules`", "board", "`step`", "`removal`", "`starts`", "`fixed`"], rows)


def numbering(game: str) -> str:
    """Returns a drawn board with the number of each column's or cell's action."""
    board = Game.of(game)
    if board.action_count == board.width:
        cells = [["."] * board.width for _ in range(board.height)]
        foot = "action"
        below = [str(column) for column in range(board.width)]
    else:
        cells = [[str(row * board.width + column) for column in range(board.width)] for row in range(board.height)]
        foot, below = "", [chr(ord("a") + column) for column in range(board.width)]
    wide = max(len(cell) for row in cells for cell in [*row, *below]) + 1
    lines = [f"{f'row {row}':>7} " + "".join(f"{cell:>{wide}}" for cell in cells[row]) for row in reversed(range(board.height))]
    lines.append(f"{foot:>7} " + "".join(f"{cell:>{wide}}" for cell in below))
    return "```text\n" + "\n".join(lines) + "\n```"


def ladders(game: str) -> str:
    """Returns the rungs of the ladders of a game, each ladder in a block that opens."""
    return "\n\n".join(map(_rungs, GAME_LADDERS[game]))


def _rungs(game: str) -> str:
    found = ladder(game)
    words = ", ".join(f"{name}={written(value).strip('`')}" for name, value in found.as_game.options.items())
    rows = [
        [str(place), f"`{rung.name}`", f"{rung.elo:.0f}", f"{rung.low:.0f} to {rung.high:.0f}"] for place, rung in enumerate(found.rungs)
    ]
    title = f"{found.as_game.name}{f' ({words})' if words else ''}: {len(found.rungs)} rungs, Elo above random play"
    body = table(["rung", "agent", "Elo", "95 % interval"], rows)
    return f'??? note "{title}"\n\n' + "\n".join(f"    {line}" for line in body.splitlines())


GENERATORS: dict[str, Callable[..., str]] = {
    each.__name__: each
    for each in (
        keys,
        kinds,
        kind_sections,
        part_sections,
        log_fields,
        agents,
        agent_sections,
        environments,
        arguments,
        info,
        section,
        isola_presets,
        numbering,
        ladders,
    )
}
