"""From sections to the page: one HTML file that needs nothing else."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ...envs.drawing.symbols import page_layout, symbols
from .run import Run
from .sections import DASH, VERDICTS, PageView
from .wording import duration, moment, percent

HERE = Path(__file__).parent
SCRIPTS = ("board.js", "replay.js", "page.js")
MOST_ROWS = 40  # of a table that is open from the start


def render(page: PageView) -> str:
    """Returns a page as HTML that needs nothing else."""
    read = functools.partial(Path.read_text, encoding="utf-8")
    script = "\n".join(read(HERE / name) for name in SCRIPTS)
    template = environment().get_template("page.html")
    names = {"verdict_names": VERDICTS, "dash": DASH, "most_rows": MOST_ROWS}
    return template.render(page=page, **names, style=Markup(read(HERE / "page.css")), script=Markup(script))


@functools.cache
def environment() -> Environment:
    """Returns the template engine: everything is escaped, unknown names are errors."""
    environment = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined)
    filters: dict[str, Any] = {"percent": percent, "duration": duration, "breakable": breakable, "symbols": symbols_of}
    environment.filters.update(filters)
    return environment


def symbols_of(shape: dict[str, Any], prefix: str) -> Markup:
    """Returns the symbols that draw the games of a replay, see `replay_of`; `prefix` begins their ids."""
    layout = page_layout(shape["style"], shape["width"], shape["height"])
    return Markup(symbols(layout, shape["columns"], shape["fixed"], prefix))


def breakable(text: str) -> Markup:
    """Returns a text that a line may break after the marks in an agent's name."""
    return Markup(re.sub(r"([,:](?=[^\s\d])|[=_](?=\w))", r"\1<wbr>", str(escape(text))))


def facts_of(run: Run[Any]) -> dict[str, str]:
    """Returns the facts of a run for the page's header, in order."""
    record = run.record
    git = record.get("package_git") or record.get("git")
    machine = record.get("machine") or {}
    versions = {"sparring": record.get("package_version"), **(record.get("versions") or {})}
    commit = f"{git['commit'][:10]}{' with changes' if git['dirty'] else ''}" if git else DASH
    return {
        "Started": moment(record.get("started")),
        "Took": duration(record.get("seconds") or 0.0) if run.is_finished else "not finished",
        "Seed": str(record.get("seed", DASH)),
        "Git commit": commit,
        "Machine": ", ".join([str(machine.get("system", DASH)), *([f"{machine['cores']} cores"] if machine.get("cores") else [])]),
        "Versions": ", ".join(f"{name} {version}" for name, version in versions.items() if version),
    }
