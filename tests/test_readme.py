"""The README's scripts run as they are pasted, one by one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
SCRIPTS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_there_are_scripts():
    assert len(SCRIPTS) == 6


@pytest.mark.parametrize("number", range(6))
def test_a_script_runs_as_it_is_pasted(number, tmp_path):
    script = SCRIPTS[number]
    if "sb3" in script:
        pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
