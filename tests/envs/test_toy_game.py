"""A game from outside: the one of docs/your_own_game.md, written into a folder of its own, played by everything there is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest
import sparring
from sparring.envs.compiled import is_plain
from sparring.envs.conformance import check_board_env
from sparring.envs.registration import GAMES
from sparring.envs.rules.errors import RulesError, UnknownGameError

from ..pages import files_of, write_files

PAGE = (Path(__file__).parents[2] / "docs" / "your_own_game.md").read_text(encoding="utf-8")
ID = "toys:toys/Nim-v0"
PLAY = f"""
import json, pickle
import gymnasium, sparring
from sparring.envs.compiled import is_plain
from sparring.envs.conformance import check_board_env

env = gymnasium.make("{ID}", cells=9, opponent="alphabeta:depth=2")
check_board_env(lambda **options: gymnasium.make("toys/Nim-v0", **options), games=3)
endings = set()
for opponent in ("random", "greedy", "alphabeta:depth=3", "mcts:simulations=50") if is_plain() else ("alphabeta:depth=3",):
    games = gymnasium.make_vec("{ID}", num_envs=4, cells=9, opponent=opponent)
    games.reset(seed=1)
    for _ in range(12):
        infos = games.step(games.unwrapped.random_actions())[4]
        endings |= set(infos.get("termination", [])) - {{None}}
found = {{"endings": sorted(endings)}}
for agent in ("alphabeta:depth=1", "alphabeta:depth=9,evaluation=evaluation", "best:depth=3", "random", "greedy", "mcts:simulations=200"):
    player = sparring.agents.make(agent, "{ID}:cells=12")
    player.reset(1)
    found[agent] = player.act(sparring.Position("{ID}:cells=12"))
game = sparring.Game.of("toys/Nim-v0", cells=5)
assert pickle.loads(pickle.dumps(game)) == game == sparring.Game.of(game.id, **game.parameters) and game.id == "{ID}"
print(json.dumps(found))
"""
COUNT = 'import sparring; from sparring.envs.perft import count; print(count(sparring.Position("toys:toys/Nim-v0"), 2))'
MATCH = """
kind: match
game: toys:toys/Nim-v0:cells=7
agents: [greedy, random]
games: 6
executor: {name: local, workers: 2}
"""


def run(folder, *words, plain=False):
    """Runs Python in a new process that finds the game in a folder, and returns what it prints."""
    settings = {**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache"), "SPARRING_JIT": "0" if plain else "1"}
    settings.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-W", "error", *words], cwd=folder, capture_output=True, text=True, env=settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def toys(tmp_path):
    """A folder with the game."""
    write_files(PAGE, tmp_path)
    return tmp_path


@pytest.fixture
def forget():
    """Forgets after a test what was registered and imported in it."""
    games, environments, modules = dict(GAMES), dict(gymnasium.registry), set(sys.modules)
    yield
    for registry, before in ((GAMES, games), (gymnasium.registry, environments)):
        registry.clear()
        registry.update(before)
    for name in sys.modules.keys() - modules:
        if name.partition(".")[0] == "toys":
            del sys.modules[name]


def test_a_game_from_outside_is_played_by_everything(toys):
    found, plain = (json.loads(run(toys, "-c", PLAY, plain=plain)) for plain in (False, True))
    assert found == plain
    assert found["endings"] == ["last_cell"]
    assert found["alphabeta:depth=1"] == found["alphabeta:depth=9,evaluation=evaluation"] == found["best:depth=3"] == 2  # leaves nine


def test_a_changed_rule_is_never_served_stale(toys):
    assert run(toys, "-c", COUNT) == "9\n"  # one to three stones twice
    rules = toys / "toys" / "rules.py"
    rules.write_text(
        rules.read_text().replace("return 0 <= move < min(MOST, ", "return 0 <= move < min(2, ").replace("= min(MOST, ", "= min(2, ")
    )
    assert run(toys, "-c", COUNT) == "4\n"  # one or two stones
    rules.write_text(
        rules.read_text()
        .replace("min(2, ", "min(ENOUGH, ")
        .replace("from sparring.envs.rules.errors", "from .limits import ENOUGH\nfrom sparring.envs.rules.errors")
    )
    for enough, leaves in ((3, 9), (2, 4)):
        (toys / "toys" / "limits.py").write_text(f"ENOUGH = {enough}\n")
        assert run(toys, "-c", COUNT) == f"{leaves}\n"


def test_workers_and_logs_find_a_game_from_outside(toys):
    (toys / "match.yaml").write_text(MATCH)
    run(toys, "-m", "sparring", "run", "match.yaml", "--out", "match", plain=True)
    log = (toys / "match" / "games.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in log]
    assert len(entries) == 6
    assert {(entry["game"]["id"], entry["termination"]) for entry in entries} == {(ID, "last_cell")}
    assert "by leaving the last cell" in (toys / "match" / "report.html").read_text(encoding="utf-8")
    position = f"sparring.Position({ID!r}, {entries[0]['moves']!r}, cells=7)"
    assert run(toys, "-c", f"import sparring; print({position}.termination)", plain=True) == "last_cell\n"


@pytest.mark.skipif(not is_plain(), reason="compiled in the test above, in a process of its own")
@pytest.mark.usefixtures("forget")
def test_a_game_from_outside_keeps_the_promises_of_all_environments(toys, monkeypatch):
    monkeypatch.syspath_prepend(toys)
    gymnasium.make(ID)
    check_board_env(lambda **options: gymnasium.make("toys/Nim-v0", cells=6, **options), games=5)


@pytest.mark.usefixtures("forget")
class TestRefusals:
    """What a record leaves out is said in one line, and leaves nothing behind."""

    @pytest.fixture(autouse=True)
    def importable(self, toys, monkeypatch):
        monkeypatch.syspath_prepend(toys)

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"endings": {}}, "kind.endings: expected a dict"),
            ({"endings": {"crash": "by a crash"}}, "kind.endings: expected other names"),
            ({"rules": "toys.evaluation"}, "kind.rules: toys.evaluation: missing STATE, moves, play, undo"),
            ({"rules": "toys.nothing"}, "kind.rules: expected a module that can be imported, got 'toys.nothing'"),
            ({"evaluations": "toys.evaluation"}, "kind.evaluations: expected a tuple of texts"),
            ({"evaluations": ("toys.rules",)}, "kind.evaluations: toys.rules: missing evaluate"),
            ({"name": "gomoku"}, "kind.name: 'gomoku' is taken by the kind of sparring/Gomoku-v0"),
            ({"planes": 1}, "kind.planes: expected a whole number from 2"),
            ({"style": lambda state: "hexagons"}, "kind.style: expected one of drop, grid, stones, tiles, got 'hexagons'"),
            ({"style": lambda state: state.gravity}, "AttributeError: state has no field 'gravity'"),
            ({"warm_boards": ("Gomoku",)}, "kind.warm_boards: expected a game of this kind, got 'Gomoku'"),
            ({"warm_boards": ("Mim:cells=5",)}, "unknown game 'Mim'"),
            ({"bitboards": "toys.evaluation"}, "kind.bitboards: toys.evaluation: missing fits"),
        ],
    )
    def test_a_forgotten_field(self, fields, message):
        kind = sparring.Game(ID).kind
        before = dict(GAMES), dict(gymnasium.registry)
        with pytest.raises(RulesError, match=r"^game 'toys/New-v0': ") as caught:
            sparring.register_game("toys/New-v0", kind._replace(**fields), "toys:NimEnv", module="toys")
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
        assert (GAMES, gymnasium.registry) == before

    def test_an_evaluation_written_for_earlier_names(self, toys):
        (toys / "toys" / "before.py").write_text("def survey(state, memory):\n    pass\n\n\ndef evaluate(state, memory):\n    return 0\n")
        kind = sparring.Game(ID).kind._replace(evaluations=("toys.before",))
        with pytest.raises(RulesError, match=r"^game 'toys/New-v0': kind.evaluations: toys.before: survey is now called set_up$"):
            sparring.register_game("toys/New-v0", kind, "toys:NimEnv", module="toys")

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            ({"id": "Nim"}, "id: expected a namespace"),
            ({"id": "toys/Gomoku-v0"}, "id: name 'Gomoku' is taken by a game of the package"),
            ({"id": "CartPole-v1"}, "id: expected a namespace"),
            ({"id": "sparring/Gomoku-v0"}, "id: taken by sparring/Gomoku-v0"),
            ({"module": "__main__"}, "module: expected the name of a module that other processes can import"),
            ({"entry_point": "toys.NimEnv"}, "entry_point: expected module:Class"),
            ({"entry_point": "toys.rules:State"}, "entry_point: expected a subclass of BoardEnv"),
            ({"preset": {"size": 4}}, "unexpected keyword argument 'size'"),
            ({"kind": None}, "kind: expected a GameKind, got None"),
        ],
    )
    def test_a_wrong_argument(self, words, message):
        words = {"id": "toys/New-v0", "kind": sparring.Game(ID).kind, "entry_point": "toys:NimEnv", "module": "toys", **words}
        before = dict(GAMES), dict(gymnasium.registry)
        with pytest.raises(RulesError) as caught:
            sparring.register_game(**words)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
        assert (GAMES, gymnasium.registry) == before

    def test_a_module_that_fails_is_named(self, toys):
        (toys / "broken.py").write_text("raise OSError('no disk')\n")
        with pytest.raises(UnknownGameError, match=r"'broken:toys/Nim-v0': cannot import the module that registers it: OSError: no disk"):
            sparring.Game("broken:toys/Nim-v0")
        with pytest.raises(UnknownGameError, match="unknown game 'toys:toys/Chess-v0'"):
            sparring.Game("toys:toys/Chess-v0")

    def test_a_name_of_two_games_asks_for_the_id(self):
        game = sparring.Game("sparring:sparring/TicTacToe-v0"), sparring.Game(ID)
        sparring.register_game("other/Nim-v0", game[1].kind, "toys:NimEnv", module="toys")
        with pytest.raises(UnknownGameError, match="the name of toys:toys/Nim-v0 and toys:other/Nim-v0"):
            sparring.Game.of("Nim")
        assert sparring.Game("other/Nim-v0").id == "toys:other/Nim-v0"

    def test_a_game_that_is_registered_again_is_replaced(self):
        kind = sparring.Game(ID).kind
        sparring.register_game("toys/Nim-v0", kind._replace(endings={"empty": "with an empty row"}), "toys:NimEnv", module="toys")
        assert sparring.Game(ID).endings == ("empty",)


def test_the_page_has_all_files():
    assert list(files_of(PAGE)) == ["toys/rules.py", "toys/evaluation.py", "toys/__init__.py"]
