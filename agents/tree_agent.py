"""What the agents share that keep a tree from move to move."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Any, Generic, Protocol, TypeVar

from ..envs.game import Game
from .search.kept_tree import KeptTree, TreeContent
from .search.searcher import Searcher


class KeepsTree(Searcher, Protocol):
    """A searcher with a tree."""

    kept: KeptTree


S = TypeVar("S", bound=KeepsTree)


class TreeAgent(ABC, Generic[S]):
    """An agent with a tree of its own. Threads that share it wait for each other; copies and pickles take its tree with them.

    One object plays one game at a time: what it keeps in the tree follows from the positions that it was asked for.
    """

    _lock: threading.RLock
    _searcher: tuple[Game, S] | None = None
    _content: TreeContent | None = None  # of a copy that has not been asked yet

    def __new__(cls, *args: Any, **options: Any) -> Any:
        """Gives a lock to every new agent, be it made, copied or unpickled."""
        made = super().__new__(cls)
        made._lock = threading.RLock()
        return made

    @abstractmethod
    def _new_searcher(self, game: Game) -> S:
        """Returns a searcher; compiles it, or loads it compiled."""

    def get_ready(self, game: Game) -> None:
        """Compiles the search of a game, or loads it compiled, and makes room for it."""
        with self._lock:
            self._searcher_of(game)

    def _searcher_of(self, game: Game) -> S:
        """Returns the searcher of a game; for whoever holds the lock."""
        if self._searcher is None or self._searcher[0] != game:
            self._searcher = game, self._new_searcher(game)
            if self._content is not None and self._content.root.game == game:
                self._searcher[1].kept.restore(self._content)
        self._content = None
        return self._searcher[1]

    def _forget_tree(self) -> None:
        """Drops the tree; for whoever holds the lock."""
        self._content = None
        if self._searcher:
            self._searcher[1].kept.forget()

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            content = self._searcher[1].kept.content() if self._searcher else self._content
            state = {**self.__dict__, "_searcher": None, "_content": content}
            del state["_lock"]
            return state
