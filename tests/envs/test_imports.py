"""What the light path loads, and what it costs."""

import json
import subprocess
import sys

HEAVY = ("numba", "torch", "pygame", "matplotlib", "PIL", "scipy", "pydantic", "rich", "typer", "stable_baselines3")
LIGHT_PATH = "import sparring, gymnasium; e = gymnasium.make('sparring/ConnectFour-v0', opponent='greedy'); e.reset(); e.step(3)"
REPORT = f"import sys, time, json; print(json.dumps([time.process_time(), [m for m in {HEAVY!r} if m in sys.modules]]))"


def test_a_first_step_is_light():
    seconds = []
    for _ in range(3):  # the machine may be busy: the best of three counts
        done = subprocess.run([sys.executable, "-c", f"{LIGHT_PATH}; {REPORT}"], capture_output=True, text=True, check=True)
        spent, loaded = json.loads(done.stdout)
        assert loaded == []
        seconds.append(spent)
    assert min(seconds) < 0.6


def test_registering_needs_no_import():
    code = "import gymnasium; print(gymnasium.make('sparring:sparring/TicTacToe-v0').reset()[0].shape)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(2, 3, 3)"


def test_all_public_names_are_listed_at_once():
    code = "import sparring; print(set(sparring.__all__) - set(dir(sparring)), 'numba' in __import__('sys').modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set() False"


def test_a_missing_extra_is_named_where_its_module_is_imported():
    for module, package in (
        ("sparring.envs.sb3", "stable_baselines3"),
        ("sparring.experiments.kinds.evaluate.callback", "stable_baselines3"),
        ("sparring.agents.network", "torch"),
    ):
        hidden = f"import sys; sys.modules['{package}'] = None\n"
        code = f"{hidden}try: import {module}\nexcept ImportError as error: print(type(error).__name__, error)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        name = module.replace("experiments.kinds.evaluate.callback", "LadderCallback")
        remedy = "install it with: pip install 'sparring[train]' (a CPU torch first saves gigabytes; see README)"
        expected = f"MissingExtraError {name} needs {package}; {remedy}"
        assert done.stdout.strip() == expected
