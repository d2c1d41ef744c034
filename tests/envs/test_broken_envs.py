"""The conformance suite can fail: each of these environments breaks one promise, and the suite says which."""

import gymnasium
import numpy as np
import pytest
from sparring import Position
from sparring.envs.conformance import check_board_env
from sparring.envs.connect_k import ConnectFourEnv, ConnectKEnv, TicTacToeEnv
from sparring.envs.rules.errors import AgentError

DRAWN = Position("TicTacToe", "b2 a1 c3 a3 a2 c2 b3 b1 c1").moves
WON_ON_THE_LAST_CELL = Position("TicTacToe", "a1 b1 c1 b2 a2 c2 b3 a3 c3").moves


class NeverPaysTheLoser(ConnectFourEnv):
    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, max(reward, 0.0), terminated, truncated, info


class PaysDraws(TicTacToeEnv):
    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, 0.5 if info.get("outcome") == "draw" else reward, terminated, truncated, info


class CallsAFullBoardADraw(TicTacToeEnv):
    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        if self.position.ply == 9:
            reward, info["outcome"] = 0.0, "draw"
        return observation, reward, terminated, truncated, info


class EndsALittleLater(ConnectFourEnv):
    def step(self, action):
        observation, reward, _, truncated, info = super().step(action)
        return observation, reward, False, truncated, info


class CutsGamesOff(ConnectFourEnv):
    def step(self, action):
        observation, reward, terminated, _, info = super().step(action)
        return observation, reward, terminated, terminated, info


class WritesIntoItsLastObservation(ConnectFourEnv):
    def _observe(self):
        self.kept = getattr(self, "kept", np.zeros((2, 6, 7), np.int8))
        self.kept[:] = super()._observe()
        return self.kept


class MasksNothing(ConnectFourEnv):
    def _mask(self):
        return np.ones(7, np.int8)


class MasksAllAtTheEnd(ConnectFourEnv):
    def _mask(self):
        return super()._mask() * (not self.position.is_over)


class MasksTwoWays(ConnectFourEnv):
    def action_masks(self):
        return ~super().action_masks() | (np.arange(7) == 3)


class ForgetsItsOpponent(ConnectFourEnv):
    def __init__(self, **words):
        super().__init__(**{**words, "opponent": "random"})


class LetsTheLearnerBegin(ConnectFourEnv):
    def _learner_can_begin(self):
        return True


class DrawsUnseeded(ConnectFourEnv):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=None if seed is None else np.random.SeedSequence().entropy % 2**31, options=options)


class IgnoresItsSeed(ConnectFourEnv):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=None if seed is None else 1, options=options)


class CopiesWithoutItsGame(ConnectFourEnv):
    def __getstate__(self):
        return {**super().__getstate__(), "position": Position(self.game)}


class CannotBeCopiedOnceDrawn(ConnectFourEnv):
    def render(self):
        self.window = lambda: None
        return super().render()


class ReplacesIllegalActions(ConnectFourEnv):
    def step(self, action):
        return super().step(action if self.position.is_legal(action) else self.position.legal_moves[0])


class IgnoresPositions(ConnectFourEnv):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed)


class KeepsItsSeat(ConnectFourEnv):
    def _draw_seat(self):
        return int(self.options.seat == "second")


class PlaysNoOpening(ConnectFourEnv):
    def _play_opening(self):
        pass


class HandsOutItsOwnPosition(ConnectFourEnv):
    def _opponent_plays(self):
        real, self.opponents[0] = self.opponent, type("Peek", (), {"act": lambda _, position: self.told.act(self.position)})()
        self.told = real
        super()._opponent_plays()
        self.opponents[0] = real


class SaysTooMuch(ConnectFourEnv):
    def _info(self, **end):
        return {**super()._info(**end), "outcome": end.get("outcome")}


BROKEN = [
    (NeverPaysTheLoser, r"a reward of 0.0 instead of -1.0"),
    (PaysDraws, "a reward of 0.5 instead of 0.0"),
    (CallsAFullBoardADraw, "a reward of 0.0 instead of 1.0"),
    (EndsALittleLater, "a reward of -?1.0 while the game goes on|expected reset"),
    (CutsGamesOff, "board games end, they are not cut off"),
    (WritesIntoItsLastObservation, "a step changed the observation of the step before"),
    (MasksNothing, "the mask in info is not the legal moves"),
    (MasksAllAtTheEnd, "the mask at the end is all ones"),
    (MasksTwoWays, r"action_masks\(\) is not the mask in info"),
    (ForgetsItsOpponent, "was played instead of the moves|the given opponent was not asked|terminated"),
    (LetsTheLearnerBegin, "the second seat begins with the opponent's move"),
    (DrawsUnseeded, "with equal seeds play different games|goes on in another way"),
    (IgnoresItsSeed, "with different seeds play the same games|seats none is different"),
    (CopiesWithoutItsGame, "a copy plays on in another way"),
    (ReplacesIllegalActions, "an illegal action (must lose|is counted)"),
    (IgnoresPositions, "the game does not start from"),
    (KeepsItsSeat, "alternating seats are"),
    (PlaysNoOpening, "an opening of 0 plies instead of 2|seeds play the same games"),
    (HandsOutItsOwnPosition, "a position given to the opponent was changed later|the opponent was asked when it was the learner's turn"),
    (SaysTooMuch, "info has the keys"),
]


@pytest.mark.parametrize(("broken", "message"), BROKEN, ids=[broken.__name__ for broken, _ in BROKEN])
def test_a_broken_promise_is_found(broken, message):
    finished = [DRAWN, WON_ON_THE_LAST_CELL] if issubclass(broken, TicTacToeEnv) else []
    with pytest.raises(AssertionError, match=message):
        check_board_env(broken, games=10, finished=finished)


def test_an_environment_that_cannot_be_copied_is_found():
    with pytest.raises((AttributeError, TypeError), match=r"(?i)pickle"):
        check_board_env(CannotBeCopiedOnceDrawn, games=2)


@pytest.mark.parametrize("moves", [DRAWN, WON_ON_THE_LAST_CELL])
def test_the_suite_holds_for_given_games(moves):
    check_board_env(TicTacToeEnv, games=2, finished=[moves])


def test_given_games_must_be_legal():
    with pytest.raises(AgentError, match="opponent 'ScriptedOpponent': expected a legal move, got 0"):
        check_board_env(TicTacToeEnv, games=1, finished=[[0, 0]])


def test_the_suite_needs_no_id():
    check_board_env(lambda **words: ConnectKEnv(width=4, height=4, k=3, **words), games=3)
    check_board_env(lambda **words: gymnasium.make("sparring/ConnectK-v0", width=3, height=3, k=2, **words), games=3)
