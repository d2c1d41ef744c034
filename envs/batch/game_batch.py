"""GameBatch: N games against opponents, stepped together; the vector environments of Gymnasium and Stable-Baselines3 wrap it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from ..chance import begin, stream_of
from ..game import Game
from ..observation import observation_shape, observe
from ..options import SEATS, EnvOptions, first_seed, no_move_for, no_move_from, over_at_start
from ..pool import read_pool, wrong_answer
from ..position import Position
from ..rules.errors import IllegalMoveError, whole_number
from ..rules.interface import MAX_CHANGES
from . import template
from .arrays import make_batch, starts_of
from .kernels import FIRST, ready_kernels, record_of, shared_bitboards
from .pool_member import PoolMember
from .template import OVER, READY, STUCK, WAITING


class GameBatch:
    """N games of a learner against opponents, each with random numbers of its own.

    Attributes:
        count: N.
        batch: the arrays, see `template.Batch`; to be read only, and copied before they are handed on.
    """

    def __init__(
        self, game: Game, count: int, opponent: Any, options: EnvOptions, most_steps: int | None, same_step: bool, threads: int
    ) -> None:
        """Makes the arrays of the games, and compiles or loads their kernels.

        Args:
            game: what is played.
            count: N.
            opponent: see `BoardEnv`.
            options: of every game.
            most_steps: the learner's steps after which a game is truncated; None for no limit.
            same_step: a game that ends starts anew in the same step.
            threads: number of threads that share the games.
        """
        self.game, self.count, self.options, self.threads, self.opponent = game, count, options, threads, opponent
        pool = read_pool(opponent)
        self._opponents = [PoolMember(spec, game, count) for spec in pool.specs]
        self._bitboards = shared_bitboards(game, self._opponents)
        self.batch = make_batch(game, count, options, pool.bounds, lambda state: record_of(self._bitboards, state), most_steps, same_step)
        self._scratch = [np.zeros(2 * game.action_count + 2 * MAX_CHANGES, np.int64) for _ in range(threads)]
        self._bounds = np.linspace(0, count, threads + 1).astype(int).tolist()
        self._action_streams = np.array([stream_of() for _ in range(count)], np.int64)
        self._kernels = ready_kernels(game, self._opponents, self.batch, self._scratch[0], self._action_streams, threads)
        self._executor: tuple[int, ThreadPoolExecutor] | None = None  # the id of the process that made it, and the threads
        self._positions = [Position(game)] * count
        self._episodes = [0] * count
        self._start_texts = [""] * count  # of games that started from a position
        self.batch.games["phase"] = OVER
        self.seed(np.ones(count, np.bool_), [None] * count)

    def set_opponent(self, opponent: Any) -> None:
        """Lets an opponent, or a pool, play every game that begins from now on; games that go on keep theirs.

        Raises:
            AgentError: the opponent is unknown, or does not play this game.
        """
        pool = read_pool(opponent)
        new = [PoolMember(spec, self.game, self.count) for spec in pool.specs]
        games = self.batch.games
        kept = np.unique(games["opponent_index"][games["phase"] != OVER])
        opponents = [*(self._opponents[index] for index in kept.tolist()), *new]
        bitboards, batch = shared_bitboards(self.game, opponents), self.batch._replace(bounds=np.array(pool.bounds, np.int64))
        if bitboards is not self._bitboards:
            starts, states = starts_of(self.game, self.count, lambda state: record_of(bitboards, state))
            for i in range(self.count):
                states[i] = record_of(bitboards, self.position(i).state)[0]
            batch = batch._replace(starts=starts, states=states)
        kernels = ready_kernels(
            self.game, opponents, batch, self._scratch[0], self._action_streams, self.threads
        )  # the last step that can fail
        games["opponent_index"] = np.searchsorted(kept, games["opponent_index"])
        batch.options["first"] = len(kept)
        self.opponent, self._opponents, self._bitboards, self.batch, self._kernels = opponent, opponents, bitboards, batch, kernels

    def seed(self, mask: NDArray[np.bool_], seeds: Sequence[int | None]) -> None:
        """Seeds the random numbers of some games, bool[N]; None draws a seed."""
        for i in np.flatnonzero(mask).tolist():
            seed = seeds[i]
            begin(self.batch.streams[i], first_seed(seeding.np_random(None if seed is None else int(seed))[0]))
            self.batch.games["episode"][i], self._episodes[i] = 0, 0
            if seed is not None:
                begin(self._action_streams[i], int(self.batch.streams[i, 0]))

    def start(self, mask: NDArray[np.bool_], text: str | None = None) -> None:
        """Starts new games.

        Args:
            mask: bool[N], the games to start.
            text: of a position to start from; None for the game's start and an opening.

        Raises:
            RulesError: the learner's seat never has a move.
            NotationError, IllegalMoveError: the text is not a position, the game is over in it, or the learner has no move.
        """
        if text is not None:
            position = Position(self.game, text)
            if position.is_over:
                raise over_at_start(text, position.termination)
            self.batch.starts[1:] = record_of(self._bitboards, position.state)
            for seat in range(2):
                self.batch.start_planes[1, seat] = observe(position, seat).reshape(-1)
            for i in np.flatnonzero(mask).tolist():
                self._start_texts[i] = text
        games = self.batch.games
        games["phase"][mask], games["is_placed"][mask] = template.DRAW, text is not None
        outputs = self.batch.outputs
        outputs.rewards[mask], outputs.outcomes[mask], outputs.truncated[mask] = 0.0, template.NOT_OVER, 0
        self._play(is_step=False)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Plays an action in each game that is ready, lets the opponents answer, and starts new games where one was over before.

        Args:
            actions: integers[N], checked.

        Raises:
            AgentError: an opponent's answer is not a legal move.
        """
        self.batch.actions[:] = actions
        self._play(is_step=True)

    def random_actions(self) -> NDArray[np.int64]:
        """Returns a random legal action for each game, 0 for those that are over; seeded with the games."""
        self._kernels.draw_actions(self.batch, self._scratch[0], self._action_streams, FIRST, np.uint64(self.count))
        return self.batch.actions.copy()

    def position(self, i: int) -> Position:
        """Returns the position of a game, as a copy."""
        position = self._start_of(i)
        for move in self.batch.trails[i, : self.batch.games[i]["length"]].tolist():
            position.push(move)
        return position

    def _start_of(self, i: int) -> Position:
        """Returns the position from which a game began."""
        return Position(self.game, self._start_texts[i] if self.batch.games[i]["is_placed"] else "")

    def close(self) -> None:
        """Ends the threads and the opponents' programs."""
        for member in self._opponents:
            member.close_programs()
        if self._executor is not None and self._executor[0] == os.getpid():
            self._executor[1].shutdown()
        self._executor = None

    def check(self, actions: Any) -> NDArray[Any]:
        """Returns actions as an array, or raises IllegalMoveError if one cannot be played."""
        most = self.game.action_count
        actions = as_array(actions)
        if actions.shape != (self.count,) or actions.dtype.kind not in "iu":
            raise IllegalMoveError(f"actions: expected {self.count} integers, got {actions.dtype}{list(actions.shape)}")
        if actions.min() < 0 or actions.max() >= most:
            i = int(np.flatnonzero((actions < 0) | (actions >= most))[0])
            raise IllegalMoveError(f"actions[{i}]: expected a whole number from 0 to {most - 1}, got {actions[i].item()!r}")
        if self.options.illegal == "raise":
            is_ready = self.batch.games["phase"] == READY
            is_legal = self.batch.outputs.masks[np.arange(self.count), actions] != 0
            for i in np.flatnonzero(is_ready & ~is_legal).tolist():
                try:
                    self.position(i).push(int(actions[i]))  # raises with the reason
                except IllegalMoveError as error:
                    raise IllegalMoveError(f"actions[{i}]: {error}") from None
        return actions

    def _play(self, is_step: bool) -> None:
        """Advances all games until each is ready or over."""
        waiting = self._advance(0, is_step)
        while waiting:
            for opponent_index, opponent in enumerate(self._opponents):
                if opponent.answers_in_python:
                    self._answer(opponent_index, opponent)
                waiting = self._advance(opponent_index, False)
                if not waiting:
                    break
        if self.batch.options["stuck"][0]:
            self._raise_stuck()

    def _advance(self, opponent_index: int, is_step: bool) -> int:
        """Advances the games of one opponent; returns how many games wait for another answer."""
        kernel = self._kernels.advance[opponent_index]

        def run(thread: int) -> int:
            workspace = self._kernels.workspaces[thread][opponent_index]
            low, high = np.uint64(self._bounds[thread]), np.uint64(self._bounds[thread + 1])
            return kernel(self.batch, self._scratch[thread], workspace, opponent_index, int(is_step), low, high)

        return run(0) if self.threads == 1 else sum(self._threads().map(run, range(self.threads)))

    def _threads(self) -> ThreadPoolExecutor:
        """Returns the threads; a forked process has to make its own."""
        if self._executor is None or self._executor[0] != os.getpid():
            self._executor = os.getpid(), ThreadPoolExecutor(self.threads, "games")
        return self._executor[1]

    def _answer(self, opponent_index: int, opponent: PoolMember) -> None:
        """Asks an opponent in Python for its move in each game that waits for it."""
        games = self.batch.games
        waiting = np.flatnonzero((games["phase"] == WAITING) & (games["opponent_index"] == opponent_index))
        if opponent.together is not None:
            self._answer_together(opponent_index, opponent.together, waiting)
            return
        for i in waiting.tolist():
            agent = opponent.agent(i)
            position = self._updated_position(i, agent)
            answer = agent.act(position.copy())
            move = whole_number(answer)
            if move is None or not position.is_legal(move):
                raise wrong_answer(agent, answer, f"game {i}, ply {position.ply}: {position.notation}".rstrip(": "))
            self.batch.answers[i] = move

    def _answer_together(self, opponent_index: int, agent: Any, waiting: NDArray[np.int64]) -> None:
        """Asks an opponent that answers in many games at once."""
        if len(waiting) == 0:
            return
        masks = np.zeros_like(self.batch.outputs.masks)
        self._kernels.write_waiting_masks(self.batch, self._scratch[0], masks, opponent_index, FIRST, np.uint64(self.count))
        observations = self.batch.outputs.planes[waiting].reshape(-1, *observation_shape(self.game))
        observations[:, :2] = observations[:, 1::-1].copy()  # swaps the learner's plane and the opponent's
        moves = agent.act_together(observations, masks[waiting], [self.batch.opponent_streams[i] for i in waiting.tolist()])
        illegal = np.flatnonzero(masks[waiting, moves] == 0)
        if len(illegal):
            i = int(waiting[illegal[0]])
            raise wrong_answer(agent, int(moves[illegal[0]]), f"game {i}: {self.position(i).notation}".rstrip(": "))
        self.batch.answers[waiting] = moves

    def _updated_position(self, i: int, agent: Any) -> Position:
        """Returns the position of a game, cached between answers; seeds the opponent at the first answer of a game."""
        game = self.batch.games[i]
        if self._episodes[i] != game["episode"]:
            self._episodes[i] = int(game["episode"])
            self._positions[i] = self._start_of(i)
            if hasattr(agent, "reset"):
                agent.reset(int(game["opponent_seed"]))
        position, trail = self._positions[i], self.batch.trails[i, : game["length"]].tolist()
        while position.moves != trail[: len(position.moves)]:
            position.pop()
        for move in trail[len(position.moves) :]:
            position.push(move)
        return position

    def _raise_stuck(self) -> None:
        """Raises the error of a game in which the learner never has a move."""
        self.batch.options["stuck"] = 0
        i = int(np.flatnonzero(self.batch.games["phase"] == STUCK)[0])
        if self.batch.games["is_placed"][i]:
            raise no_move_from(self._start_texts[i])
        raise no_move_for(SEATS[int(self.batch.games["seat"][i])], self.game)

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("a batch of games cannot be copied or pickled; make a new one with the same seed")


def as_array(value: Any) -> NDArray[Any]:
    """Returns a user's value as an array, not yet checked; rows of different lengths give array(None)."""
    try:
        return np.asarray(value)
    except ValueError:
        return np.array(None)
