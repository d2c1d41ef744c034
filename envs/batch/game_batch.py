"""Games: N games against opponents, stepped together; what the vector environments of Gymnasium and Stable-Baselines3 are faces of."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from .. import compiled
from ..chance import begin, stream_of
from ..game import Game
from ..observation import observation_shape, observe
from ..options import SEATS, Terms, first_seed, read_pool, wrong_answer
from ..position import Position
from ..rules import interface as rules_interface
from ..rules.errors import IllegalMoveError, RulesError, whole_number
from ..rules.interface import MAX_CHANGES
from ..rules.state import State
from . import reply, template
from .arrays import make_batch, starts_of
from .offer import Inside
from .opponent import OUTSIDE, BatchOpponent
from .template import ASKED, OVER, READY, STUCK, Batch

FIRST = np.uint64(0)  # games are numbered unsigned: signed indices would cost a look whether they count from the end


class Kernels(NamedTuple):
    """What plays the games.

    Attributes:
        workspaces: by thread and opponent.
        carry_on: by opponent.
        draw_actions, show_asked: for all opponents.
    """

    workspaces: list[list[Any]]
    carry_on: list[Any]
    draw_actions: Any
    show_asked: Any


class Games:
    """N games of a learner against opponents, each with random numbers of its own.

    Attributes:
        count: N.
        batch: the arrays, see `batch.Batch`; to be read, and copied by whoever hands them on.
    """

    def __init__(self, game: Game, count: int, opponent: Any, terms: Terms, most_steps: int | None, same_step: bool, threads: int) -> None:
        """Makes room for the games and compiles what plays them, or loads it compiled.

        Args:
            game: what is played.
            count: N.
            opponent: see `BoardEnv`.
            terms: of every game.
            most_steps: of the learner, after which a game is truncated; None for any number.
            same_step: a game that ends begins anew in the same step.
            threads: that share the games.
        """
        self.game, self.count, self.terms, self.threads, self.opponent = game, count, terms, threads, opponent
        pool = read_pool(opponent)
        self._opponents = [BatchOpponent(spec, game, count) for spec in pool.specs]
        self._words = self._fitting_words(self._opponents)
        self.batch = make_batch(game, count, terms, pool.bounds, lambda state: record_of(self._words, state), most_steps, same_step)
        self._outs = [np.zeros(2 * game.action_count + 2 * MAX_CHANGES, np.int64) for _ in range(threads)]
        self._bounds = np.linspace(0, count, threads + 1).astype(int).tolist()
        self._action_streams = np.array([stream_of() for _ in range(count)], np.int64)
        self._bound = self._kernels(self._opponents, self._words, self.batch)
        self._pool: tuple[int, ThreadPoolExecutor] | None = None
        self._positions = [Position(game)] * count
        self._episodes = [0] * count
        self._texts = [""] * count  # of the positions that games were set to
        self.batch.games["phase"] = OVER
        self.seed(np.ones(count, np.bool_), [None] * count)

    def set_opponent(self, opponent: Any) -> None:
        """Lets an opponent, or a pool, play every game that begins from now on; games that go on keep theirs.

        Raises:
            AgentError: the opponent is unknown, or does not play this game.
        """
        pool = read_pool(opponent)
        new = [BatchOpponent(spec, self.game, self.count) for spec in pool.specs]
        games = self.batch.games
        kept = np.unique(games["which"][games["phase"] != OVER])
        opponents = [*(self._opponents[which] for which in kept.tolist()), *new]
        words, batch = self._fitting_words(opponents), self.batch._replace(bounds=np.array(pool.bounds, np.int64))
        if words is not self._words:
            starts, states = starts_of(self.game, self.count, lambda state: record_of(words, state))
            for i in range(self.count):
                states[i] = record_of(words, self.position(i).state)[0]
            batch = batch._replace(starts=starts, states=states)
        kernels = self._kernels(opponents, words, batch)  # which takes its time and can fail; from here on nothing does
        games["which"] = np.searchsorted(kept, games["which"])
        batch.terms["first"] = len(kept)
        self.opponent, self._opponents, self._words, self.batch, self._bound = opponent, opponents, words, batch, kernels

    def _fitting_words(self, opponents: Sequence[BatchOpponent]) -> Any:
        """Returns the game's rules on machine words, or None if it has none or an opponent cannot play on them."""
        return self.game.words if all(opponent.inside.word_parts is not None for opponent in opponents) else None

    def _kernels(self, opponents: Sequence[BatchOpponent], words: Any, batch: Batch) -> Kernels:
        """Binds the kernels to some opponents, and compiles or loads them."""
        game, out = self.game, self._outs[0]
        workspaces = [[opponent.inside.workspace(game, words) for opponent in opponents] for _ in range(self.threads)]
        shared = bound_kernels(game, words, OUTSIDE)  # the same for all opponents
        return Kernels(
            workspaces,
            [
                compiled.ready(bound_kernels(game, words, opponent.inside).carry_on, batch, out, workspace, 0, 0, FIRST, FIRST)
                for opponent, workspace in zip(opponents, workspaces[0], strict=True)
            ],
            compiled.ready(shared.draw_actions, batch, out, self._action_streams, FIRST, FIRST),
            compiled.ready(shared.show_asked, batch, out, batch.told.masks, 0, FIRST, FIRST),
        )

    def seed(self, which: NDArray[np.bool_], seeds: Sequence[int | None]) -> None:
        """Lets the random numbers of some games begin anew; None draws a seed."""
        for i in np.flatnonzero(which).tolist():
            seed = seeds[i]
            begin(self.batch.streams[i], first_seed(seeding.np_random(None if seed is None else int(seed))[0]))
            self.batch.games["episode"][i], self._episodes[i] = 0, 0
            if seed is not None:
                begin(self._action_streams[i], int(self.batch.streams[i, 0]))

    def start(self, which: NDArray[np.bool_], placed: str | None = None) -> None:
        """Starts new games.

        Args:
            which: bool[N].
            placed: a position to start from, as text; None for the game's start and an opening.

        Raises:
            RulesError: the learner's seat never has a move.
            NotationError, IllegalMoveError: the position is none, is over, or leaves the learner no move.
        """
        if placed is not None:
            position = Position(self.game, placed)
            if position.is_over:
                raise IllegalMoveError(f"position {placed!r}: expected a game that goes on, got one that is over ({position.termination})")
            self.batch.starts[1:] = record_of(self._words, position.state)
            for seat in range(2):
                self.batch.start_planes[1, seat] = observe(position, seat).reshape(-1)
            for i in np.flatnonzero(which).tolist():
                self._texts[i] = placed
        games = self.batch.games
        games["phase"][which], games["is_placed"][which] = template.DRAW, placed is not None
        told = self.batch.told
        told.rewards[which], told.outcomes[which], told.truncated[which] = 0.0, template.NOT_OVER, 0
        self._play(is_step=False)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Plays an action in each game that is ready, lets the opponents answer, and starts games anew that were over before.

        Args:
            actions: integers[N], checked.

        Raises:
            AgentError: an opponent answers with what is no legal move.
        """
        self.batch.actions[:] = actions
        self._play(is_step=True)

    def random_actions(self) -> NDArray[np.int64]:
        """Returns a random legal action for each game, 0 for those that are over; seeded with the games."""
        self._bound.draw_actions(self.batch, self._outs[0], self._action_streams, FIRST, np.uint64(self.count))
        return self.batch.actions.copy()

    def position(self, i: int) -> Position:
        """Returns the position of a game, as a copy."""
        position = self._start_of(i)
        for move in self.batch.trails[i, : self.batch.games[i]["length"]].tolist():
            position.push(move)
        return position

    def _start_of(self, i: int) -> Position:
        """Returns the position from which a game began."""
        return Position(self.game, self._texts[i] if self.batch.games[i]["is_placed"] else "")

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None and self._pool[0] == os.getpid():
            self._pool[1].shutdown()
        self._pool = None

    def check(self, given: Any) -> NDArray[Any]:
        """Returns actions as an array, or raises IllegalMoveError if they may not be played at all."""
        most = self.game.action_count
        actions = as_array(given)
        if actions.shape != (self.count,) or actions.dtype.kind not in "iu":
            raise IllegalMoveError(f"actions: expected {self.count} integers, got {actions.dtype}{list(actions.shape)}")
        if actions.min() < 0 or actions.max() >= most:
            i = int(np.flatnonzero((actions < 0) | (actions >= most))[0])
            raise IllegalMoveError(f"actions[{i}]: expected a whole number from 0 to {most - 1}, got {actions[i].item()!r}")
        if self.terms.illegal == "raise":
            is_ready = self.batch.games["phase"] == READY
            is_legal = self.batch.told.masks[np.arange(self.count), actions] != 0
            for i in np.flatnonzero(is_ready & ~is_legal).tolist():
                try:
                    self.position(i).push(int(actions[i]))  # raises with the reason
                except IllegalMoveError as error:
                    raise IllegalMoveError(f"actions[{i}]: {error}") from None
        return actions

    def _play(self, is_step: bool) -> None:
        """Carries all games on until each is ready or over."""
        waiting = self._run(0, is_step)
        while waiting:
            for which, opponent in enumerate(self._opponents):
                if opponent.is_asked:
                    self._ask(which, opponent)
                waiting = self._run(which, False)
                if not waiting:
                    break
        if self.batch.terms["stuck"][0]:
            self._raise_stuck()

    def _run(self, which: int, is_step: bool) -> int:
        """Carries the games of one opponent on; returns how many games wait for another answer."""
        kernel = self._bound.carry_on[which]

        def run(thread: int) -> int:
            low, high = np.uint64(self._bounds[thread]), np.uint64(self._bounds[thread + 1])
            return kernel(self.batch, self._outs[thread], self._bound.workspaces[thread][which], which, int(is_step), low, high)

        return run(0) if self.threads == 1 else sum(self._executor().map(run, range(self.threads)))

    def _executor(self) -> ThreadPoolExecutor:
        """Returns the threads; a process that was forked has to make its own."""
        if self._pool is None or self._pool[0] != os.getpid():
            self._pool = os.getpid(), ThreadPoolExecutor(self.threads, "games")
        return self._pool[1]

    def _ask(self, which: int, opponent: BatchOpponent) -> None:
        """Asks an opponent outside for its answer in each game that waits for one."""
        games = self.batch.games
        index = np.flatnonzero((games["phase"] == ASKED) & (games["which"] == which))
        if opponent.together is not None:
            self._ask_together(which, opponent.together, index)
            return
        for i in index.tolist():
            agent = opponent.agent(i)
            position = self._bring_up_to_date(i, agent)
            given = agent.act(position.copy())
            move = whole_number(given)
            if move is None or not position.is_legal(move):
                raise wrong_answer(agent, given, f"game {i}, ply {position.ply}: {position.notation}".rstrip(": "))
            self.batch.answers[i] = move

    def _ask_together(self, which: int, agent: Any, index: NDArray[np.int64]) -> None:
        """Asks an opponent that answers in many games at once."""
        if len(index) == 0:
            return
        masks = np.zeros_like(self.batch.told.masks)
        self._bound.show_asked(self.batch, self._outs[0], masks, which, FIRST, np.uint64(self.count))
        shape = observation_shape(self.game)
        seen = self.batch.told.planes[index].reshape(-1, *shape)
        seen[:, :2] = seen[:, 1::-1].copy()  # the learner's and the opponent's change places
        moves = agent.act_together(seen, masks[index], [self.batch.opponent_streams[i] for i in index.tolist()])
        illegal = np.flatnonzero(masks[index, moves] == 0)
        if len(illegal):
            place = f"game {index[illegal[0]]}: {self.position(int(index[illegal[0]])).notation}".rstrip(": ")
            raise wrong_answer(agent, int(moves[illegal[0]]), place)
        self.batch.answers[index] = moves

    def _bring_up_to_date(self, i: int, agent: Any) -> Position:
        """Returns the position of a game, kept from one answer to the next; at a game's first one the opponent is seeded."""
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
        self.batch.terms["stuck"] = 0
        i = int(np.flatnonzero(self.batch.games["phase"] == STUCK)[0])
        if self.batch.games["is_placed"][i]:
            raise IllegalMoveError(
                f"position {self._texts[i]!r}: expected the learner to have a move, got a game that the opponent ends at once"
            )
        seat = SEATS[int(self.batch.games["seat"][i])]
        raise RulesError(f"{self.game!r}: expected a game in which seat {seat!r} has a move against this opponent")

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("games in a batch cannot be copied or pickled; make them anew with the same seed")


def record_of(words: Any, state: State) -> NDArray[Any]:
    """Returns a state as the kernels have it, on machine words if they play on these."""
    return words.record_of(state) if words else State.record(state)


def as_array(value: Any) -> NDArray[Any]:
    """Returns what a user has given as an array, to be checked; rows of different lengths, which are none, as a single None."""
    try:
        return np.asarray(value)
    except ValueError:
        return np.array(None)


def bound_kernels(game: Game, words: Any, offer: Inside) -> Any:
    """Returns the batch template bound to a game and an opponent."""
    rules = ((rules_interface, words), *(offer.word_parts or ())) if words else ((rules_interface, game.rules),)
    return compiled.bind(template, *rules, (reply, offer.kernels), *offer.parts)
