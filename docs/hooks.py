"""Fills the pages' markers when the site is built: tables of configs, agents, games and ladders, from the code itself.

A marker is a line such as `{{ keys match }}`: the name of a function of GENERATORS and its arguments.
"""

from __future__ import annotations

import atexit
import inspect
import re
import shutil
import tempfile
import types
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf
from pydantic import BeforeValidator, PositiveFloat
from pydantic.fields import FieldInfo
from sparring.agents import AGENTS, alias_of, ladder, parameters_of, type_text
from sparring.envs.board_env import BoardEnv
from sparring.envs.game import Game
from sparring.envs.registration import GAMES
from sparring.envs.rules.isola_presets import PRESETS
from sparring.experiments.config.parts import Settings, read_agent, read_game, read_pool
from sparring.experiments.games.entries import PlayedGame
from sparring.experiments.kinds import KINDS as KIND_NAMES
from sparring.experiments.kinds import kind_of

ROOT = Path(__file__).parent.parent
MARKER = re.compile(r"^\{\{ (\w+)(.*?) \}\}$", re.MULTILINE)
LONG_CELL = re.compile(r"(?<=>)[^<>\s]{25,}(?=</td>)")
FREE = {read_game: "a game", read_agent: "an agent", read_pool: "an agent or pool"}
WORDS = {int: "whole number", float: "number", str: "text", bool: "true or false"}
GAME_LADDERS = {
    "ConnectFour": ["ConnectFour"],
    "TicTacToe": ["TicTacToe"],
    "ConnectK": ["ConnectK:width=9,height=7,k=5,gravity=true", "ConnectK:width=9,height=7,k=5"],
    "Gomoku": ["Gomoku"],
    "Isola": ["Isola", "Isola:rules=classic"],
}
KINDS = {name: kind_of(name).config for name in KIND_NAMES}


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


def code(value: Any) -> str:
    """Returns a value as a config or a spec writes it."""
    if isinstance(value, dict) and "name" in value:
        rest = ",".join(f"{key}={inner}" for key, inner in value.items() if key != "name")
        return f"`{value['name']}{':' if rest else ''}{rest}`"
    if isinstance(value, list):
        return ", ".join(code(entry.get("opponent", entry) if isinstance(entry, dict) else entry) for entry in value) or "none"
    if value is None or value in ("", {}):
        return "none"
    if isinstance(value, float):
        return f"`{value:g}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def meanings(cls: type, section: str = "Attributes") -> dict[str, str]:
    """Returns what the docstrings of a class and its bases say of each name in a section such as "Attributes:"."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        doc = inspect.cleandoc(base.__dict__.get("__doc__") or "")
        found |= entries(doc, section)
    return found


def entries(doc: str, section: str) -> dict[str, str]:
    """Returns the entries of a section of a clean docstring by name; `a, b: text` stands for both."""
    block = re.search(rf"^{section}.*:\n((?: {{4}}.*\n?|\n)+)", doc, re.MULTILINE)
    found: dict[str, str] = {}
    for names, text in re.findall(r"^ {4}(\w[\w, ]*): ((?:.*\n?)(?: {8}.*\n?)*)", block[1] if block else "", re.MULTILINE):
        found |= dict.fromkeys(names.split(", "), sentence(text))
    return found


def sentence(text: str) -> str:
    """Returns a text on one line with a full stop, and with a capital unless it begins with a name from the code."""
    text = " ".join(text.split()).rstrip(".")
    return f"{text[0].upper()}{text[1:]}." if re.match(r"[a-z]+(['-][a-z]+)?[ ,]", text) else f"{text}."


# Configs


def keys(name: str) -> str:
    """Returns the table of all keys of a kind or of a part of configs."""
    cls = KINDS.get(name) or PARTS[name]
    hints, meaning = typing.get_type_hints(cls, include_extras=True), meanings(cls)
    return table(
        ["key", "values", "default", "meaning"],
        [[f"`{key}`", allowed(hints[key]), default_of(field), meaning[key]] for key, field in cls.model_fields.items()],
    )


def default_of(field: FieldInfo) -> str:
    """Returns the default of a key; parts of a config have defaults of their own."""
    if field.is_required():
        return "**required**"
    return "its defaults" if isinstance(field.default, Settings) else code(field.default)


def allowed(hint: Any) -> str:
    """Returns the values that a type hint of a key allows, in words."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is PositiveFloat:
        return "number above 0"
    if origin is typing.Annotated:
        return annotated(arguments[0], list(flat(arguments[1:])))
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments)
    if origin in (types.UnionType, typing.Union):
        words = ["none" if part is type(None) else allowed(part) for part in arguments]
        return (", or " if any("," in word for word in words) else " or ").join(words)
    if origin is list:
        return f"list: {allowed(arguments[0])}"
    if origin is dict:
        inner = arguments[1]
        return f"by name: {'parameters' if typing.get_origin(inner) is dict else allowed(inner)}"
    if inspect.isclass(hint) and issubclass(hint, Settings):
        part = next(name for name, cls in {**KINDS, **PARTS}.items() if cls is hint)
        return f"[{part}](#{part})"
    return WORDS[hint]


def flat(metadata: Any) -> Iterator[Any]:
    """Yields what stands beside a type, the bounds inside a Field one by one."""
    for entry in metadata:
        yield from entry.metadata if isinstance(entry, FieldInfo) else [entry]


def annotated(inner: Any, metadata: list[Any]) -> str:
    """Returns the values that an annotated type allows."""
    for entry in metadata:
        if isinstance(entry, BeforeValidator) and entry.func in FREE:
            return FREE[entry.func]
    if typing.get_origin(inner) in (types.UnionType, typing.Union) and all(issubclass(part, Settings) for part in typing.get_args(inner)):
        return "a config of " + ", ".join(f"[{name}](#{name})" for name, cls in KINDS.items() if cls in typing.get_args(inner))
    least = next((entry for entry in metadata if isinstance(entry, Ge | Gt | MinLen)), None)
    most = next((entry for entry in metadata if isinstance(entry, Le | Lt | MaxLen)), None)
    even = "even " if any(isinstance(entry, MultipleOf) for entry in metadata) else ""
    return f"{even}{allowed(inner)}{bounds(least, most)}"


def bounds(least: Any, most: Any) -> str:
    """Returns the bounds of a number, or of a list's length, in words."""
    match least, most:
        case (MinLen(low), MaxLen(high)) if low == high:
            return f", {low} of them"
        case (MinLen(low), None):
            return f", at least {low}"
        case (None, MaxLen(high)):
            return f", at most {high} of them"
        case (Gt(low), Le(high)):
            return f" above {short(low)}, at most {short(high)}"
        case (Gt(low), Lt(high)):
            return f" above {short(low)}, below {short(high)}"
        case (Ge(low), Lt(high)):
            return f", {short(low)} to {short(high - 1)}"
        case (Ge(low), Le(high)):
            return f", {short(low)} to {short(high)}"
        case (Ge(low), None):
            return f", at least {short(low)}"
    return ""


def short(number: float) -> str:
    """Returns a bound with its thousands apart, great powers of ten as powers."""
    power = len(str(number)) - 1
    return f"10<sup>{power}</sup>" if power > 6 and number == 10**power else f"{number:,}"


PARTS: dict[str, type[Settings]] = {}


def find_parts() -> None:
    """Collects the parts of all kinds by the key that holds them."""
    todo: list[type[Settings]] = list(KINDS.values())
    while todo:
        cls = todo.pop(0)
        for key, hint in typing.get_type_hints(cls, include_extras=True).items():
            for part in parts_in(hint):
                if part not in PARTS.values() and part not in KINDS.values() and key in cls.model_fields:
                    PARTS[f"{cls.model_fields['kind'].default}.{key}" if key in KINDS else key] = part
                    todo.append(part)


def parts_in(hint: Any) -> Iterator[type[Settings]]:
    """Yields the parts of a config in a type hint."""
    if inspect.isclass(hint) and issubclass(hint, Settings):
        yield hint
    for argument in typing.get_args(hint):
        if typing.get_origin(hint) is not Literal:
            yield from parts_in(argument)


find_parts()


def kinds() -> str:
    """Returns the table of kinds, a line each."""
    return table(["kind", "what it is"], [[f"[`{name}`](configs.md#{name})", summary(cls)] for name, cls in KINDS.items()])


def kind_sections() -> str:
    """Returns a section with the keys of each kind."""
    return _sections(KINDS)


def part_sections() -> str:
    """Returns a section with the keys of each part of configs."""
    return _sections(PARTS)


def _sections(models: typing.Mapping[str, type[Settings]]) -> str:
    return "\n\n".join(f"### {name} {{ #{name} }}\n\n{summary(cls)}\n\n{keys(name)}" for name, cls in models.items())


def summary(cls: type) -> str:
    """Returns the first line of a docstring."""
    return inspect.getdoc(cls).partition("\n\n")[0].replace("\n", " ")  # pyright: ignore[reportOptionalMemberAccess] - all have one


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
        given = ", ".join(f"`{key}={code(value).strip('`')}`" for key, value in entry.defaults.items())
        return f"{first} Parameters as [`{model}`](#{model}), with other defaults: {given}."
    rows = [
        [f"`{each.name}`", values_of(each), code(each.default), each.doc if each.choices else sentence(each.doc)]
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
        text += (
            f", {short(parameter.low)} to {short(parameter.high)}" if parameter.high is not None else f", at least {short(parameter.low)}"
        )
    return text


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
    rows = [[f"`{each.name}`", code(each.default), sentence(meaning[each.name].partition(". ")[0])] for each in keywords]
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
    words = ", ".join(f"{name}={code(value).strip('`')}" for name, value in found.as_game.options.items())
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
