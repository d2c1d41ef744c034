"""ConnectFourSolver."""

from __future__ import annotations
from typing import Any, NamedTuple
import numpy as np
from ...envs import compiled
from ...envs.game import Game
from . import null_window
from .bound_table import BUCKET, buckets_of
from .four_lines import boards_of


class Workspace(NamedTuple):
    boards: Any
    columns: Any
    frames: Any
    progress: Any
    moves: Any
    threats: Any
    order: Any
    history: Any
    lines: Any
    table: Any


def lines_through(width, height):
    out = np.zeros(64, np.int64)
    for c in range(width):
        for r in range(height):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if 0 <= c + 3 * dc < width and 0 <= r + 3 * dr < height:
                    for i in range(4):
                        out[(c + i * dc) * (height + 1) + r + i * dr] += 1
    return out


class ConnectFourSolver:
    def __init__(self, width=7, height=6, table_mib=64):
        boards = compiled.readable(boards_of(width, height))
        tall = height + 1
        by_centre = sorted(range(width), key=lambda column: abs(2 * column - width + 1))
        levels = width * height + 1
        self.workspace = Workspace(
            boards,
            np.array([((1 << height) - 1) << column * tall for column in by_centre], np.int64),
            compiled.records(levels, null_window.FRAME),
            compiled.records(1, null_window.PROGRESS),
            np.zeros(levels * width, np.int64),
            np.zeros(levels * width, np.int64),
            np.zeros(levels * width, np.int64),
            np.zeros((2, 64), np.int64),
            lines_through(width, height),
            np.zeros(BUCKET * buckets_of(width * tall, table_mib), np.int64),
        )
        k = compiled.bind(null_window)
        self._solve_many = k.solve_many
        a = np.zeros(0, np.int64)
        compiled.ready(self._solve_many, self.workspace, a, a, a, a, 0)

    def clear(self):
        self.workspace.table[:] = 0
        self.workspace.history[:] = 0

    def solve_many(self, owns, filleds, weak=False):
        scores, nodes = np.zeros_like(owns), np.zeros_like(owns)
        self._solve_many(self.workspace, owns, filleds, scores, nodes, int(weak))
        return scores, nodes
