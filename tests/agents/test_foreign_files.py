"""Networks and ladders that somebody else wrote, or that are damaged: AgentError in one line, before memory is asked for."""

import json
import time
from pathlib import Path

import pytest
from sparring import agents
from sparring.agents.ladder import FOLDER, read_ladder
from sparring.envs.rules.errors import AgentError, SparringError
from sparring.experiments.kinds import checked
from sparring.experiments.kinds.evaluate.config import ladder_for

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
from safetensors.torch import load_file, save_file
from sb3_contrib import MaskablePPO
from sparring.agents.network import Network, save_network
from sparring.envs.game import Game
from sparring.envs.sb3 import BoardVecEnv


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """The file of a small network for tic-tac-toe."""
    model = MaskablePPO("MlpPolicy", BoardVecEnv("sparring/TicTacToe-v0", 1), policy_kwargs={"net_arch": [8]}, device="cpu")
    path = tmp_path_factory.mktemp("network") / "model.safetensors"
    save_network(path, model.policy, Network((8,)), Game("TicTacToe"))
    return path


def refusal(path):
    start = time.perf_counter()
    with pytest.raises(AgentError) as caught:
        agents.make({"name": "policy", "path": str(path)}, "TicTacToe")
    assert time.perf_counter() - start < 5
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600
    return str(caught.value)


SHAPE = {"layers": [8], "channels": 0, "window": 4, "blocks": 0}
WHOLE = {"format": 1, "game": {"id": "sparring/TicTacToe-v0"}, "network": SHAPE}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"game": "TicTacToe"}, "game: expected a mapping, got 'TicTacToe'"),
        ({"game": {"id": []}}, "unknown game"),
        ({"network": {**SHAPE, "channels": -1}}, "network.channels: expected at least 0, got -1"),
        ({"network": {**SHAPE, "channels": 10**6}}, "network.channels: expected at most 4096, got 1000000"),
        ({"network": {**SHAPE, "channels": 4096, "blocks": 256}}, "weights, as its description says, got"),
        ({"network": {**SHAPE, "layers": [16384] * 16}}, "weights, as its description says, got"),
        ({"network": {**SHAPE, "layers": 7}}, "network.layers: expected a list, got 7"),
        ({"network": None}, "network: expected"),
        ({"format": 2}, "format: expected 1, got 2"),
    ],
)
def test_descriptions_of_networks_that_cannot_be(network, tmp_path, changes, told):
    path = tmp_path / "model.safetensors"
    save_file(load_file(network), path, {"sparring": json.dumps(WHOLE | changes)})
    assert told in refusal(path)


@pytest.mark.parametrize("text", ["[" * 100_000, "null", "", '{"format": ' + "1" * 5000 + "}"])
def test_descriptions_that_are_none(network, tmp_path, text):
    path = tmp_path / "model.safetensors"
    save_file(load_file(network), path, {"sparring": text})
    assert "expected a network that sparring has saved" in refusal(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers(network, tmp_path, value):
    path, tensors = tmp_path / "model.safetensors", load_file(network)
    tensors["action_net.bias"][3] = value
    save_file(tensors, path, {"sparring": json.dumps(WHOLE)})
    assert "action_net.bias: expected finite weights" in refusal(path)


def test_a_zip_file_of_which_a_part_is_damaged(tmp_path):
    model = MaskablePPO("MlpPolicy", BoardVecEnv("sparring/TicTacToe-v0", 1), device="cpu")
    model.save(tmp_path / "model.zip")
    data = bytearray((tmp_path / "model.zip").read_bytes())
    data[data.index(b"policy.pth") + 200 : data.index(b"policy.pth") + 260] = bytes(60)
    (tmp_path / "model.zip").write_bytes(data)
    with pytest.raises(AgentError, match="expected a model that MaskablePPO has saved, got"):
        agents.make({"name": "policy", "path": str(tmp_path / "model.zip"), "trust": True}, "TicTacToe")


@pytest.fixture
def ladder(tmp_path):
    """Returns a function that writes the ladder of tic-tac-toe with a change to its data."""
    from importlib.resources import files

    data = json.loads((files("sparring.agents") / FOLDER / "TicTacToe.json").read_text())

    def write(change):
        change(data)
        (tmp_path / "ladder.json").write_text(json.dumps(data))
        return tmp_path / "ladder.json"

    return write


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda data: data.update(game=None), "game: expected a mapping, got None"),
        (lambda data: data.update(game={"id": "Chess", "parameters": {}}), "game: unknown game 'Chess'"),
        (lambda data: data.update(game={"id": "Gomoku", "parameters": 7}), "game: "),
        (lambda data: data.update(model=[]), "model: expected text, got []"),
        (lambda data: data["covariance"][1].__setitem__(2, "x"), "covariance.1.2: expected a number, got 'x'"),
        (lambda data: data["covariance"][1].__setitem__(1, -1.0), "covariance: expected variances from 0"),
        (lambda data: data["covariance"][1].__setitem__(2, 1e300), "covariance: expected variances from 0"),
        (lambda data: data["rungs"][2].update(name=3), "rungs.2.name: expected text, got 3"),
        (lambda data: data["rungs"][2].update(name="random"), "anchor: expected one of the rungs, each of another name"),
        (lambda data: data["rungs"][2].update(elo=10**30), "rungs.2: expected"),
        (lambda data: data["rungs"][2].update(elo=None), "rungs.2.elo: expected a number, got None"),
        (
            lambda data: data["rungs"][2].update(spec={"name": "python", "target": "os:system"}),
            "rungs.2.spec: expected an agent that plays",
        ),
        (lambda data: data.update(openings={"plies": 10**9}), "openings: expected up to 20 plies"),
        (lambda data: data.update(anchor=7), "anchor: expected text, got 7"),
        (lambda data: data.update(rungs={}), "rungs: expected a list"),
    ],
)
def test_ladders_that_cannot_be(ladder, change, told):
    path = ladder(change)
    with pytest.raises(AgentError) as caught:
        read_ladder(path)
    assert str(caught.value).startswith(f"expected the file of a ladder, got '{path}': {told}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


def test_a_ladder_of_a_rung_that_is_no_agent_is_refused_before_it_is_played(ladder):
    from sparring.experiments.kinds.evaluate.call import evaluate

    path = ladder(lambda data: data["rungs"][1].update(spec={"name": "alphabeta", "depth": 10**9}))
    with pytest.raises(ValueError, match=r"rungs\.1\.spec: agent 'alphabeta': depth: expected at most 64"):
        evaluate("random", "TicTacToe", ladder=str(path), games=2)


def test_a_ladder_that_nests_too_deeply(tmp_path):
    (tmp_path / "ladder.json").write_text('{"game": ' + "[" * 100_000)
    with pytest.raises(AgentError, match="nested too deeply"):
        read_ladder(tmp_path / "ladder.json")


def test_an_untouched_ladder_is_read(ladder):
    assert read_ladder(ladder(lambda data: None)) == agents.ladder("TicTacToe")


@pytest.mark.parametrize(
    "judge", ["python:target=mod:x", "policy:path=x.zip,trust=true", " ladder:3", "random", "alphabeta:seconds=1", "nobody"]
)
def test_a_foreign_ladder_starts_no_code_by_its_judge(tmp_path, judge):
    shipped = json.loads((Path(agents.__file__).parent / FOLDER / "TicTacToe.json").read_text())
    data = {**shipped, "openings": {"plies": 2, "judge": judge}}
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps(data))
    with pytest.raises(SparringError, match=r"openings\.judge: "):
        ladder_for(checked({"kind": "evaluate", "game": "TicTacToe", "agent": "random", "ladder": str(path)}))
