"""The documentation: its scripts run as they are pasted, its tables leave nothing out, and its pages ask for nothing from outside."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from sparring.agents import AGENTS, parameters_of
from sparring.envs.registration import GAMES
from sparring.experiments.commands.config_keys import models

from .pages import scripts_of, write_files

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
SCRIPTS = {
    f"{page.relative_to(ROOT)}:{number}": (page, script)
    for page in PAGES
    for number, script in enumerate(scripts_of(page.read_text(encoding="utf-8")), start=1)
}
OUTSIDE = re.compile(
    r"<(?:link|script|img|iframe|source)\b[^>]*\b(?:href|src)=[\"']?(?:https?:)?//[^\s>]*|url\([\"']?(?:https?:)?//[^)]*|@import[^;]*//"
)


@pytest.fixture(scope="module")
def hooks():
    spec = importlib.util.spec_from_file_location("docs_hooks", DOCS / "hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs", reason="needs the extra `docs`")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_there_are_scripts():
    assert len(SCRIPTS) >= 25
    assert any(name.startswith("README.md") for name in SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs_as_it_is_pasted(name, tmp_path):
    page, script = SCRIPTS[name]
    write_files(page.read_text(encoding="utf-8"), tmp_path)
    for word, package in {"sb3": "sb3_contrib", "pettingzoo": "pettingzoo"}.items():
        if word in script:
            pytest.importorskip(package, reason="needs an extra")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_every_key_of_every_config_has_a_sentence(hooks):
    for name, model in models().items():
        meanings = hooks.meanings(model)
        for key in model.model_fields:
            assert meanings.get(key, "").endswith("."), f"{name}.{key}: expected a sentence in the docstring of {model.__name__}"


def test_every_part_of_a_config_has_its_table(hooks):
    text = hooks.kind_sections() + hooks.part_sections()
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(re.findall(r"\{ #(\S+) \}", text))
    assert {"sprt", "executor", "schedule", "train.evaluate", "claims", "learners"} <= models().keys()
    assert "| `timesteps` | whole number, 1 to 10<sup>12</sup> | **required** |" in text


def test_agents_and_games_are_all_there(hooks):
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    for name in AGENTS:
        assert f"`{name}`" in hooks.agents()
        assert all(f"`{parameter.name}`" in hooks.agent_sections() for parameter in parameters_of(name))
    for id in GAMES:
        assert id in hooks.environments()
        assert f'"{id}"' in text


def test_a_marker_that_means_nothing_is_refused(hooks):
    with pytest.raises(KeyError):
        hooks.on_page_markdown("{{ nonsense }}")
    with pytest.raises(KeyError):
        hooks.on_page_markdown("{{ section Gomoku Nonsense }}")


def test_the_navigation_lists_every_page():
    def pages(entry):
        if isinstance(entry, str):
            return [entry]
        return [page for inner in (entry.values() if isinstance(entry, dict) else entry) for page in pages(inner)]

    listed = pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def test_no_page_asks_for_anything_from_outside(site):
    files = [file for file in site.rglob("*") if file.suffix in (".html", ".css", ".svg")]
    assert len(files) > 25
    for file in files:
        assert not (found := OUTSIDE.findall(file.read_text(encoding="utf-8"))), f"{file.relative_to(site)}: {found}"


@pytest.mark.parametrize(
    "text",
    [
        '<link rel="x" href="https://a.b/c.css">',
        "<script async src=//a.b/c.js>",
        '<img alt="" src="http://a.b/c.png">',
        "x{y:url(//a.b/c)}",
    ],
)
def test_what_is_from_outside_is_seen(text):
    assert OUTSIDE.search(text)
    assert not OUTSIDE.search('<a href="https://gymnasium.farama.org">Gymnasium</a>')


def test_the_torch_of_the_front_page_is_that_of_the_constraints():
    pinned = re.search(r"^torch==\S+", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"pip install {pinned[0]} --index-url" in (DOCS / "index.md").read_text(encoding="utf-8")
