"""N games stepped in one call, the opponent's answers inside. A template.

Each game passes through phases. A step or a reset begins with ACT (the learner's action is there) or DRAW (a new game: draw the seat and
the opponent) and carries each game on until it is READY for the learner's next action or OVER:

    DRAW -> SET_UP -> (ANSWER) -> READY          ACT -> ANSWER -> READY
              ^___________|                       |_______|_____-> OVER, or DRAW again (see `end`)

SET_UP plays the opening. If the learner has no move after it, since the opponent's answer has ended the game, the opening is drawn again,
and after many failures the last one is taken back move by move; STUCK if that does not help either.

A kernel is bound to one opponent. A game that waits for another one is left for that opponent's kernel, and one whose opponent cannot
answer inside is ASKED: its answer comes from outside. The games do not know of each other: whatever they are split into, and whichever
thread carries them on, they are the same.
"""

from typing import Any, NamedTuple

import numpy as np

from ..chance import NO_MOVE, ONE, begin, draw, happens, random_move, random_opening_move
from ..rules.bitboards import inlined
from ..rules.interface import RUNNING, WON, changes, ending, play, write_mask
from .reply import answer

READY, OVER, STUCK, ACT, DRAW, SET_UP, ANSWER, ASKED = range(8)  # phases; until STUCK a game waits for its learner
NOT_OVER, WIN, DRAWN_GAME, LOSS = range(4)  # outcomes, from the learner's view
RANDOM_SEAT, ALTERNATE_SEAT = 2, 3  # seat in TERMS, beside 0 and 1
OPENING_TRIES = 50
TERMS = np.dtype([(name, np.int64) for name in "seat opening_plies epsilon same_step most_steps first planes cells stuck".split()])
GAME = np.dtype([(name, np.int64) for name in "phase tries is_opening is_placed length steps opponent_seed seat which episode".split()])


class Told(NamedTuple):
    """What the learner is told of N games, each in an array of its own.

    Attributes:
        planes: int8[N, planes * cells], the observations.
        masks: int8[N, actions].
        seats, opponents, plies, opponent_moves, illegal: int64[N], see the infos of `BoardEnv`.
        rewards: float64[N].
        outcomes, truncated: int8[N]; a game that its last step ends for another reason, too, has both.
        endings: int8[N], how games ended by their rules.
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
        terms: TERMS[1], what all games have in common; `first` is the index of the pool's first opponent, before which stand those of an
            earlier pool that still play.
        bounds: int64[opponents], up to which number each of the pool is drawn, in units of one in ONE.
        starts: STATE[2], the start of a game, and the position that some games are set to instead.
        start_planes: int8[2, 2, planes * cells], what a learner sees of them, by start and seat.
        contents: int64[2, planes], what a cell must hold to show in a plane, by the learner's seat.
        games: GAME[N].
        states: STATE[N].
        trails: int16[N, most plies], the moves of each game, from its start or from the position it was set to.
        streams, opponent_streams: int64[N, 1], the game's and its opponent's random numbers.
        actions: int64[N], the learner's.
        answers: int64[N], of opponents that are asked outside; NO_MOVE for none.
        told: what the learner is told.
        finals: with terms.same_step, what it would have been told at the end of games that have begun anew.
    """

    terms: Any
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
    told: Any
    finals: Any


def carry_on(batch, out, workspace, which, is_step, low, high):
    """Carries games on as far as one opponent can; returns how many still wait for an answer.

    Args:
        batch: a Batch.
        out: int64[2 * actions + 2 * MAX_CHANGES], scratch.
        workspace: of the opponent.
        which: its index.
        is_step: 1 to begin a step with batch.actions, in which games that are over begin anew; 0 to go on.
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
            batch.told.rewards[i], batch.told.outcomes[i], batch.told.truncated[i] = 0.0, NOT_OVER, 0
        while game.phase > STUCK:
            if game.phase == ACT:
                act(batch, out, i)
            elif game.phase == DRAW:
                draw_game(batch, i)
            elif game.phase == SET_UP:
                set_up(batch, out, i)
            elif game.which != which or not let_answer(batch, out, workspace, i):
                waiting += 1
                break
    return waiting


@inlined
def act(batch, out, i):
    """Plays the learner's action; an illegal one loses."""
    game, action = batch.games[i], batch.actions[i]
    game.steps += 1
    if batch.told.masks[i, action] == 0:
        batch.told.illegal[i] = 1
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
    game, stream, seat = batch.games[i], batch.streams[i], batch.terms[0].seat
    game.seat = draw(stream, 2) if seat == RANDOM_SEAT else game.episode % 2 if seat == ALTERNATE_SEAT else seat
    game.episode += 1
    index = 0
    if batch.bounds.shape[0] > 1:
        number = draw(stream, ONE)
        while number >= batch.bounds[index]:
            index += 1
    game.which = batch.terms[0].first + index
    game.opponent_seed = draw(stream, ONE)
    begin(batch.opponent_streams[i], game.opponent_seed)
    game.tries, game.length, game.steps, game.phase = 0, 0, 0, SET_UP
    batch.told.seats[i], batch.told.opponents[i], batch.told.illegal[i] = game.seat, index, 0


@inlined
def set_up(batch, out, i):
    """Plays an opening, or takes the last move of one back, and hands the game to whoever is to move."""
    game, stream, terms = batch.games[i], batch.streams[i], batch.terms[0]
    game.tries += 1
    if game.tries > 1 and game.is_placed:
        game.phase, terms.stuck = STUCK, 1
        return
    if game.is_placed:
        replay(batch, out, i, 0)
    elif game.tries <= OPENING_TRIES:
        replay(batch, out, i, 0)
        for _ in range(terms.opening_plies):
            move = random_opening_move(batch.states[i], out, stream)
            if move == NO_MOVE:
                break
            make(batch, out, i, move)
    elif game.length == 0:
        game.phase, terms.stuck = STUCK, 1
        return
    else:
        replay(batch, out, i, game.length - 1)
    hand_over(batch, out, i)


@inlined
def hand_over(batch, out, i):
    """Lets whoever is to move begin; a game that is over by now is set up again."""
    game, state = batch.games[i], batch.states[i]
    game.is_opening, batch.told.opponent_moves[i] = 1, NO_MOVE
    if state.status == RUNNING:
        if state.side == game.seat:
            let_learner_move(batch, out, i)
        else:
            game.phase = ANSWER


@inlined
def let_answer(batch, out, workspace, i):
    """Plays the opponent's answer, or chance's in its place; returns False if it has to come from outside and is not there yet."""
    game, state, terms = batch.games[i], batch.states[i], batch.terms[0]
    if game.phase == ASKED:
        move, batch.answers[i] = batch.answers[i], NO_MOVE
    elif terms.epsilon and happens(batch.streams[i], terms.epsilon):
        move = random_move(state, out, batch.streams[i])
    else:
        move = answer(state, workspace, batch.opponent_streams[i])
    if move == NO_MOVE:
        game.phase = ASKED
        return False
    make(batch, out, i, move)
    if state.status == RUNNING:
        batch.told.opponent_moves[i] = move
        is_spent = not game.is_opening and game.steps >= terms.most_steps
        let_learner_move(batch, out, i)
        if is_spent:
            end(batch, i, NOT_OVER)
    elif game.is_opening:
        game.length -= 1
        game.phase = SET_UP
    else:
        batch.told.opponent_moves[i] = move
        end(batch, i, LOSS if state.status == WON else DRAWN_GAME)
    return True


@inlined
def let_learner_move(batch, out, i):
    """Makes a game ready for the learner."""
    game = batch.games[i]
    write_mask(batch.states[i], batch.told.masks[i], out)
    batch.told.plies[i] = batch.states[i].ply
    game.phase, game.is_opening = READY, 0


@inlined
def end(batch, i, outcome):
    """Ends a game, NOT_OVER if its steps are spent; with terms.same_step it keeps what there was to see, and begins anew."""
    game, terms = batch.games[i], batch.terms[0]
    told, finals = batch.told, batch.finals
    game.phase = OVER
    told.outcomes[i], told.truncated[i], told.plies[i] = outcome, game.steps >= terms.most_steps, batch.states[i].ply
    if batch.states[i].status != RUNNING:
        told.endings[i] = ending(batch.states[i])
    told.rewards[i] = 1.0 if outcome == WIN else -1.0 if outcome == LOSS else 0.0
    masks = finals.masks if terms.same_step else told.masks
    for action in range(told.masks.shape[1]):
        masks[i, action] = 1 if outcome != NOT_OVER else told.masks[i, action]
    if terms.same_step:
        finals.seats[i], finals.opponents[i], finals.plies[i] = told.seats[i], told.opponents[i], told.plies[i]
        finals.opponent_moves[i], finals.illegal[i] = told.opponent_moves[i], told.illegal[i]
        copy(told.planes[i], finals.planes[i])
        game.phase, game.is_placed = DRAW, 0


@inlined
def replay(batch, out, i, length):
    """Sets a game to its start and plays the first moves of its trail again."""
    game = batch.games[i]
    batch.states[i] = batch.starts[game.is_placed]
    copy(batch.start_planes[game.is_placed, game.seat], batch.told.planes[i])
    game.length = 0
    for ply in range(length):
        make(batch, out, i, np.int64(batch.trails[i, ply]))


@inlined
def make(batch, out, i, move):
    """Plays a move and shows what it changes."""
    game, state, terms = batch.games[i], batch.states[i], batch.terms[0]
    count = changes(state, move, out)
    play(state, move)
    batch.trails[i, game.length] = move
    game.length += 1
    for change in range(count):
        cell, content = out[2 * change], out[2 * change + 1]
        for plane in range(terms.planes):
            batch.told.planes[i, plane * terms.cells + cell] = content == batch.contents[game.seat, plane]


@inlined
def copy(source, target):
    """Writes one row over another."""
    for j in range(source.shape[0]):
        target[j] = source[j]


def draw_actions(batch, out, streams, low, high):
    """Writes a random legal action of each game that is ready to batch.actions, from streams of its own: int64[N, 1]."""
    for i in range(low, high):
        batch.actions[i] = random_move(batch.states[i], out, streams[i]) if batch.games[i].phase == READY else 0


def show_asked(batch, out, masks, which, low, high):
    """Writes the legal moves of an opponent to masks, int8[N, actions], in the games that ask it."""
    for i in range(low, high):
        if batch.games[i].phase == ASKED and batch.games[i].which == which:
            write_mask(batch.states[i], masks[i], out)
