"""N games stepped in one call, with the opponents' answers. A template.

Each game passes through phases. A step or a reset begins with ACT (play the learner's action) or DRAW (a new game: draw the seat and the
opponent) and advances each game until it is READY for the learner's next action or OVER:

    DRAW -> SET_UP -> (ANSWER) -> READY          ACT -> ANSWER -> READY
              ^___________|                       |_______|_____-> OVER, or DRAW again (see `end`)

SET_UP plays the opening. If the opponent's answer to it ends the game, so that the learner has no move, the opening is drawn again, and
after many failures the last one is taken back move by move; a game in which that does not help either is STUCK.

A kernel serves one opponent and skips games that need another. If an opponent has no kernel, its games stop in phase WAITING until Python
supplies the move. The games are independent: however they are split among threads, they are the same.
"""

from typing import Any, NamedTuple

import numpy as np

from ..chance import NO_MOVE, PROBABILITY_ONE, begin, draw, draw_event, random_move, random_opening_move
from ..rules.bitboards import inlined
from ..rules.interface import RUNNING, WON, changes, ending, play, write_mask
from ..rules.state import state_type
from .reply import answer

READY, OVER, STUCK, ACT, DRAW, SET_UP, ANSWER, WAITING = range(8)  # phases; up to STUCK the kernel has nothing to do
NOT_OVER, WIN, DRAWN_GAME, LOSS = range(4)  # outcomes, from the learner's view
RANDOM_SEAT, ALTERNATE_SEAT = 2, 3  # seat in BATCH_OPTIONS, beside 0 and 1
OPENING_TRIES = 50
BATCH_OPTIONS = state_type("seat opening_plies epsilon same_step most_steps first planes cells stuck")
GAME = state_type("phase tries is_opening is_placed length steps opponent_seed seat opponent_index episode")


class StepOutputs(NamedTuple):
    """What a step returns of N games, each in an array of its own.

    Attributes:
        planes: int8[N, planes * cells], the observations.
        masks: int8[N, actions].
        seats, opponents, plies, opponent_moves, illegal: int64[N], see the infos of `BoardEnv`.
        rewards: float64[N].
        outcomes, truncated: int8[N]; a game can be both over and truncated.
        endings: int8[N], how games ended, see `rules.interface.ending`.
    """

    planes: Any
    masks: Any
    seats: Any
    opponents: Any
    plies: Any
    opponent_moves: Any
    illegal: Any
    rewards: Any
    outcomes: Any
    truncated: Any
    endings: Any


class Batch(NamedTuple):
    """The arrays of N games.

    Attributes:
        options: BATCH_OPTIONS[1], the same for all games; `first` is the index of the pool's first opponent, lower ones are of an earlier
            pool that still plays.
        bounds: int64[opponents], see `Pool.bounds`.
        starts: STATE[2], the start of a game, and the position from which some games start instead.
        start_planes: int8[2, 2, planes * cells], the learner's observations of them, by start and seat.
        contents: int64[2, planes], the content of a cell that shows in a plane, by the learner's seat.
        games: GAME[N].
        states: STATE[N].
        trails: int16[N, most plies], the moves of each game since its start.
        streams, opponent_streams: int64[N, 1], the game's and its opponent's random numbers.
        actions: int64[N], the learner's.
        answers: int64[N], moves of opponents in Python; NO_MOVE for none.
        outputs: of the last step.
        finals: with options.same_step, the last outputs of games that ended in this step.
    """

    options: Any
    bounds: Any
    starts: Any
    start_planes: Any
    contents: Any
    games: Any
    states: Any
    trails: Any
    streams: Any
    opponent_streams: Any
    actions: Any
    answers: Any
    outputs: Any
    finals: Any


def advance(batch, out, workspace, opponent_index, is_step, low, high):
    """Advances each game until it needs the learner or another opponent; returns how many wait for an answer.

    Args:
        batch: a Batch.
        out: int64[2 * actions + 2 * MAX_CHANGES], scratch.
        workspace: of the opponent.
        opponent_index: of that opponent.
        is_step: 1 to begin a step with batch.actions, in which games that are over start anew; 0 to go on.
        low, high: the games, from low to high - 1, as uint64.
    """
    waiting = 0
    for i in range(low, high):
        game = batch.games[i]
        if is_step:
            if game.phase == READY:
                game.phase = ACT
            else:
                game.phase, game.is_placed = DRAW, 0
            batch.outputs.rewards[i], batch.outputs.outcomes[i], batch.outputs.truncated[i] = 0.0, NOT_OVER, 0
        while game.phase > STUCK:
            if game.phase == ACT:
                act(batch, out, i)
            elif game.phase == DRAW:
                draw_game(batch, i)
            elif game.phase == SET_UP:
                set_up(batch, out, i)
            elif game.opponent_index != opponent_index or not let_answer(batch, out, workspace, i):
                waiting += 1
                break
    return waiting


@inlined
def act(batch, out, i):
    """Plays the learner's action; an illegal one loses."""
    game, action = batch.games[i], batch.actions[i]
    game.steps += 1
    if batch.outputs.masks[i, action] == 0:
        batch.outputs.illegal[i] = 1
        end(batch, i, LOSS)
        return
    make(batch, out, i, action)
    state = batch.states[i]
    if state.status == RUNNING:
        game.phase = ANSWER
    else:
        end(batch, i, WIN if state.status == WON else DRAWN_GAME)


@inlined
def draw_game(batch, i):
    """Draws the seat and the opponent of a new game, and the opponent's seed."""
    game, stream, seat = batch.games[i], batch.streams[i], batch.options[0].seat
    game.seat = draw(stream, 2) if seat == RANDOM_SEAT else game.episode % 2 if seat == ALTERNATE_SEAT else seat
    game.episode += 1
    index = 0
    if batch.bounds.shape[0] > 1:
        number = draw(stream, PROBABILITY_ONE)
        while number >= batch.bounds[index]:
            index += 1
    game.opponent_index = batch.options[0].first + index
    game.opponent_seed = draw(stream, PROBABILITY_ONE)
    begin(batch.opponent_streams[i], game.opponent_seed)
    game.tries, game.length, game.steps, game.phase = 0, 0, 0, SET_UP
    batch.outputs.seats[i], batch.outputs.opponents[i], batch.outputs.illegal[i] = game.seat, index, 0


@inlined
def set_up(batch, out, i):
    """Plays an opening, or takes back its last move, and hands the game to the side to move."""
    game, stream, options = batch.games[i], batch.streams[i], batch.options[0]
    game.tries += 1
    if game.tries > 1 and game.is_placed:
        game.phase, options.stuck = STUCK, 1
        return
    if game.is_placed:
        replay(batch, out, i, 0)
    elif game.tries <= OPENING_TRIES:
        replay(batch, out, i, 0)
        for _ in range(options.opening_plies):
            move = random_opening_move(batch.states[i], out, stream)
            if move == NO_MOVE:
                break
            make(batch, out, i, move)
    elif game.length == 0:
        game.phase, options.stuck = STUCK, 1
        return
    else:
        replay(batch, out, i, game.length - 1)
    hand_over(batch, out, i)


@inlined
def hand_over(batch, out, i):
    """Lets the side to move begin; a game that is over already is set up again."""
    game, state = batch.games[i], batch.states[i]
    game.is_opening, batch.outputs.opponent_moves[i] = 1, NO_MOVE
    if state.status == RUNNING:
        if state.side == game.seat:
            let_learner_move(batch, out, i)
        else:
            game.phase = ANSWER


@inlined
def let_answer(batch, out, workspace, i):
    """Plays the opponent's answer, or a random move in its place; returns False if the game waits for Python."""
    game, state, options = batch.games[i], batch.states[i], batch.options[0]
    if game.phase == WAITING:
        move, batch.answers[i] = batch.answers[i], NO_MOVE
    elif options.epsilon and draw_event(batch.streams[i], options.epsilon):
        move = random_move(state, out, batch.streams[i])
    else:
        move = answer(state, workspace, batch.opponent_streams[i])
    if move == NO_MOVE:
        game.phase = WAITING
        return False
    make(batch, out, i, move)
    if state.status == RUNNING:
        batch.outputs.opponent_moves[i] = move
        is_spent = not game.is_opening and game.steps >= options.most_steps
        let_learner_move(batch, out, i)
        if is_spent:
            end(batch, i, NOT_OVER)
    elif game.is_opening:
        game.length -= 1
        game.phase = SET_UP
    else:
        batch.outputs.opponent_moves[i] = move
        end(batch, i, LOSS if state.status == WON else DRAWN_GAME)
    return True


@inlined
def let_learner_move(batch, out, i):
    """Makes a game ready for the learner."""
    game = batch.games[i]
    write_mask(batch.states[i], batch.outputs.masks[i], out)
    batch.outputs.plies[i] = batch.states[i].ply
    game.phase, game.is_opening = READY, 0


@inlined
def end(batch, i, outcome):
    """Ends a game, NOT_OVER if its steps are spent; with options.same_step keeps its last outputs and starts a new game."""
    game, options = batch.games[i], batch.options[0]
    outputs, finals = batch.outputs, batch.finals
    game.phase = OVER
    outputs.outcomes[i], outputs.truncated[i], outputs.plies[i] = outcome, game.steps >= options.most_steps, batch.states[i].ply
    if batch.states[i].status != RUNNING:
        outputs.endings[i] = ending(batch.states[i])
    outputs.rewards[i] = 1.0 if outcome == WIN else -1.0 if outcome == LOSS else 0.0
    masks = finals.masks if options.same_step else outputs.masks
    for action in range(outputs.masks.shape[1]):
        masks[i, action] = 1 if outcome != NOT_OVER else outputs.masks[i, action]
    if options.same_step:
        finals.seats[i], finals.opponents[i], finals.plies[i] = outputs.seats[i], outputs.opponents[i], outputs.plies[i]
        finals.opponent_moves[i], finals.illegal[i] = outputs.opponent_moves[i], outputs.illegal[i]
        copy(outputs.planes[i], finals.planes[i])
        game.phase, game.is_placed = DRAW, 0


@inlined
def replay(batch, out, i, length):
    """Sets a game to its start and plays the first moves of its trail again."""
    game = batch.games[i]
    batch.states[i] = batch.starts[game.is_placed]
    copy(batch.start_planes[game.is_placed, game.seat], batch.outputs.planes[i])
    game.length = 0
    for ply in range(length):
        make(batch, out, i, np.int64(batch.trails[i, ply]))


@inlined
def make(batch, out, i, move):
    """Plays a move and updates the planes."""
    game, state, options = batch.games[i], batch.states[i], batch.options[0]
    count = changes(state, move, out)
    play(state, move)
    batch.trails[i, game.length] = move
    game.length += 1
    for change in range(count):
        cell, content = out[2 * change], out[2 * change + 1]
        for plane in range(options.planes):
            batch.outputs.planes[i, plane * options.cells + cell] = content == batch.contents[game.seat, plane]


@inlined
def copy(source, target):
    """Writes one row over another."""
    for j in range(source.shape[0]):
        target[j] = source[j]


def draw_actions(batch, out, streams, low, high):
    """Writes a random legal action of each game that is ready to batch.actions; streams: int64[N, 1], for this alone."""
    for i in range(low, high):
        batch.actions[i] = random_move(batch.states[i], out, streams[i]) if batch.games[i].phase == READY else 0


def write_waiting_masks(batch, out, masks, opponent_index, low, high):
    """Writes the legal moves to masks, int8[N, actions], of the games that wait for an opponent."""
    for i in range(low, high):
        if batch.games[i].phase == WAITING and batch.games[i].opponent_index == opponent_index:
            write_mask(batch.states[i], masks[i], out)
