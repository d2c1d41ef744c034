"""The command `sparring`: runs a command, and turns its errors into one line and an exit code."""

from __future__ import annotations

import re
import sys

import typer

from ...envs.rules.errors import SparringError, shortened
from .app import app
from .interrupts import INTERRUPTED, RunInterruptedError

USER_MISTAKE = 2  # exit code


def main() -> None:
    """Runs the command line; a user's mistake is one line on stderr and exit code 2."""
    try:
        code = app(prog_name="sparring", standalone_mode=False)
        if code == INTERRUPTED:
            _complain("interrupted", code)
    except RunInterruptedError as interrupt:
        code = _complain(str(interrupt), interrupt.code)
    except (KeyboardInterrupt, typer.Abort):
        code = _complain("interrupted", INTERRUPTED)
    except SparringError as error:
        code = _complain(str(error), USER_MISTAKE)
    except OSError as error:
        code = _complain(f"{error.filename or 'sparring'}: {(error.strerror or str(error)).lower()}", USER_MISTAKE)
    except Exception as error:
        if not hasattr(error, "format_message"):  # typer's usage errors come from its own copy of click or from click
            raise
        line = error.format_message()  # pyright: ignore[reportAttributeAccessIssue] - seen above
        code = _complain(f"{line}{_usage_hint(line, sys.argv[1:])}" if line else "", USER_MISTAKE)
    sys.exit(code if isinstance(code, int) else 0)


def _usage_hint(line: str, arguments: list[str]) -> str:
    """Returns the end of a message about an unknown command or option: what the person may have meant."""
    from ..config.shipped import names

    if match := re.match(r"No such command '(.+?)'", line):
        configs = [name for name in names() if match[1] in (name, name.partition("/")[0])]
        if configs:
            return f" To run a config: sparring run {configs[0]}"
    if (match := re.match(r"No such option: --([^ =]+)", line)) and arguments[:1] == ["run"]:
        option = f"--{match[1]}"
        values = [argument.partition("=")[2] for argument in arguments if argument.startswith(f"{option}=")]
        following = arguments[arguments.index(option) + 1 :] if option in arguments else []
        return f" (settings are written without dashes: {match[1]}={(values + following + ['VALUE'])[0]})"
    return ""


def _complain(line: str, code: int) -> int:
    if line:  # empty where typer shows its help
        print("\n".join(map(shortened, line.split("\n"))), file=sys.stderr)
    return code
