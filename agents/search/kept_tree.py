"""How a position follows from an earlier one, and the trees that are kept from the one to the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...envs import compiled
from ...envs.position import Position

NODES_KEPT_PER_SECOND = 10_000_000  # of a time limit; copying them takes a few hundredths of it


def moves_between(earlier: Position, later: Position) -> list[int] | None:
    """Returns the moves that lead from one position to another, or None if their records of moves do not tell that it follows."""
    played = len(earlier.moves)
    if later.moves[:played] != earlier.moves:
        return None
    moves, taken_back = later.moves[played:], later.copy()
    for _ in moves:
        taken_back.pop()
    return moves if taken_back == earlier else None


class TreeContent(NamedTuple):
    """A tree outside its searcher.

    Attributes:
        root: the position of its root.
        nodes: NODE[used].
    """

    root: Position
    nodes: np.ndarray[Any, Any]


class KeptTree:
    """The tree below the last position searched, in one of two equal arrays; the other is there to copy it to when the root moves on.

    Attributes:
        nodes: NODE[room], the tree; node 0 is the root.
        spare: NODE[room].
        root: the position of the root, None for no tree.
        copy_below: `tree.copy_below`, compiled for these arrays.
    """

    copy_below: Callable[..., int]

    def __init__(self, node: np.dtype[Any], mib: int, least: int, progress: np.ndarray[Any, Any]) -> None:
        """Makes room.

        Args:
            node: record type of the nodes.
            mib: size of the two arrays together.
            least: nodes that must always find room.
            progress: of the search; its field `used` is the number of nodes in use.
        """
        self.least, self.progress, room = least, progress, max(mib * 2**19 // node.itemsize, 2 * least)
        self.nodes, self.spare = compiled.records(room, node), compiled.records(room, node)
        self.root: Position | None = None

    def move_root(self, position: Position, seconds: float | None) -> None:
        """Makes a position the root and keeps what lies below it, if it is the last root or follows from it.

        Half of the room at most is kept, and no more than can be copied quickly as the time limit `seconds` goes.
        """
        line = None if self.root is None else moves_between(self.root, position)
        self.root = None  # until the tree is whole again, should this be interrupted
        if line is None:
            self.plant()
        elif line:
            most = len(self.nodes) // 2
            if seconds is not None:
                most = max(min(most, int(seconds * NODES_KEPT_PER_SECOND)), self.least)
            kept = self.copy_below(self.nodes, self.spare, np.array(line, np.int64), most)
            if kept == 0:
                self.plant()
            else:
                self.nodes, self.spare = self.spare, self.nodes
                self.progress["used"] = kept
        self.root = position.copy()

    def plant(self) -> None:
        """Begins a new tree with nothing but its root."""
        self.nodes[:1] = np.zeros(1, self.nodes.dtype)
        self.progress["used"] = 1

    def forget(self) -> None:
        """Drops the tree."""
        self.root = None

    def content(self) -> TreeContent | None:
        """Returns a copy of the tree, None if there is none."""
        if self.root is None:
            return None
        used: np.ndarray[Any, Any] = self.nodes[: int(self.progress[0]["used"])]
        return TreeContent(self.root.copy(), used.copy())

    def restore(self, content: TreeContent) -> None:
        """Takes the tree of another KeptTree of the same game and size."""
        used = len(content.nodes)
        self.nodes[:used] = content.nodes
        self.progress["used"] = used
        self.root = content.root.copy()
