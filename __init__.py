"""Two-player line and territory games as Gymnasium environments, with classical-search opponents.

>>> import gymnasium, sparring
>>> env = gymnasium.make("sparring/ConnectFour-v0", opponent="greedy", seat="first")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(3)
>>> env.unwrapped.position.ply
2

Importing `sparring` registers the environments and loads nothing heavy: no compiler, no network, no window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .envs.registration import register_environments
from .version import __version__

if TYPE_CHECKING:
    from . import agents as agents
    from .envs.admission import register_game as register_game
    from .envs.game import Game as Game
    from .envs.position import Position as Position
    from .envs.registration import GameKind as GameKind
    from .experiments.calls import match as match
    from .experiments.calls import tournament as tournament
    from .experiments.calls import train as train
    from .experiments.kinds.accuracy.grading import grade as grade
    from .experiments.kinds.evaluate.call import evaluate as evaluate
    from .experiments.kinds.evaluate.callback import LadderCallback as LadderCallback

__all__ = [
    "Game",
    "GameKind",
    "LadderCallback",
    "Position",
    "__version__",
    "agents",
    "evaluate",
    "grade",
    "match",
    "register_game",
    "tournament",
    "train",
]
_LAZY = {
    "Game": (".envs.game", "Game"),
    "GameKind": (".envs.registration", "GameKind"),
    "Position": (".envs.position", "Position"),
    "agents": (".agents", None),
    "LadderCallback": (".experiments.kinds.evaluate.callback", "LadderCallback"),
    "evaluate": (".experiments.kinds.evaluate.call", "evaluate"),
    "grade": (".experiments.kinds.accuracy.grading", "grade"),
    "match": (".experiments.calls", "match"),
    "tournament": (".experiments.calls", "tournament"),
    "train": (".experiments.calls", "train"),
    "register_game": (".envs.admission", "register_game"),
}

register_environments()


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used."""
    import importlib

    if name not in _LAZY:
        raise AttributeError(f"module 'sparring' has no attribute {name!r}")
    module, attribute = _LAZY[name]
    value = importlib.import_module(module, __name__)
    return value if attribute is None else getattr(value, attribute)


def __dir__() -> list[str]:
    """Returns the public names, those that are imported when they are first used among them."""
    return sorted({*globals(), *__all__})
