"""Alpha-beta with null-window scouting (PVS) for every game: one explicit stack of frames, resumable by node budget. A template.

A node passes through three phases: ENTER (look at the position), CHOOSE (take its next move), LEAVE (hand its value to its parent). A
search begins with START, and with the window and depth of its root written into the first frame.

Contract: the root's value is exact if it lies inside the root's (alpha, beta), a lower bound at or above beta, and an upper bound at or
below alpha (fail-soft). Equal budgets give equal results, however they are cut into pieces.

Source: D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning" (1975); T. A. Marsland, "A review of game-tree pruning" (1986).
"""

import numpy as np

from ...envs.rules.interface import DRAWN, RUNNING, play, undo
from ..evaluation.interface import candidates, evaluate, prepare, promise, revert, update
from .scores import EXACT, INFINITY, LOWER, UPPER, WIN, from_table, to_table

MAX_DEPTH = 64
START, ENTER, CHOOSE, LEAVE = range(4)
HASH_RANK, FIRST_KILLER_RANK, SECOND_KILLER_RANK = 1 << 60, 1 << 58, 1 << 57  # above any history count
MAX_HISTORY = 1 << 35  # history counts above the promise's bits, below the killers
PROMISE_BITS = 20

FRAME = np.dtype(
    [(name, np.int64) for name in "alpha beta first_alpha best best_move start next end depth move scouting slot line_length".split()]
)
ENTRY = np.dtype([("key", np.int64), ("score", np.int32), ("move", np.int16), ("depth", np.uint8), ("bound", np.uint8)])
PROGRESS = np.dtype([(name, np.int64) for name in "level value phase nodes evaluations table_hits best_move salt".split()])


def rank(state, memory, move, hash_move, killers, history, level):
    """Returns how early a move is searched: hash move, killers, then history, then the evaluation's promise."""
    if move == hash_move:
        return HASH_RANK
    if move == killers[level, 0]:
        return FIRST_KILLER_RANK
    if move == killers[level, 1]:
        return SECOND_KILLER_RANK
    return (history[state.side, move] << PROMISE_BITS) + promise(state, memory, move)


def bring_best_forward(moves, ranks, first, end):
    """Moves the highest-ranked of moves[first:end] to `first`, the earliest of equals, and keeps the others in order."""
    best = first
    for i in range(first + 1, end):
        if ranks[i] > ranks[best]:
            best = i
    move, its_rank = moves[best], ranks[best]
    for i in range(best, first, -1):
        moves[i], ranks[i] = moves[i - 1], ranks[i - 1]
    moves[first], ranks[first] = move, its_rank


def reward_cutoff(state, frame, killers, history, level):
    """Remembers a move that refuted its node, for killers and history."""
    move = frame.move
    if killers[level, 0] != move:
        killers[level, 1], killers[level, 0] = killers[level, 0], move
    history[state.side, move] = min(history[state.side, move] + frame.depth * frame.depth, MAX_HISTORY)


def keep_line(lines, frames, level):
    """Makes the frame's move and the line below it the line of its level."""
    frame, length = frames[level], frames[level + 1].line_length
    lines[level, 0] = frame.move
    for i in range(length):
        lines[level, i + 1] = lines[level + 1, i]
    frame.line_length = length + 1


def run(states, memories, frames, progress, moves, ranks, lines, history, killers, table, budget):
    """Carries the search on for at most `budget` nodes; returns True once the root is finished.

    Args:
        states: STATE[1], the root position; in the middle of a line until the root is finished.
        memories: MEMORY[1], what the evaluation remembers of it.
        frames: FRAME[MAX_DEPTH + 1], one a level; at START, frames[0] holds alpha, beta and the depth, at least 1.
        progress: PROGRESS[1], its phase START for a new search; `salt` sets this search's table entries apart from those of earlier ones.
        moves, ranks: int64[(MAX_DEPTH + 1) * most moves], a stack of move lists.
        lines: int64[MAX_DEPTH + 1, MAX_DEPTH + 1], the principal variation from each level on; lines[0, :frames[0].line_length] at the end.
        history: int64[2, actions]; killers: int64[MAX_DEPTH + 1, 2].
        table: ENTRY[power of two].
        budget: nodes, at least 1.
    """
    state, memory, now = states[0], memories[0], progress[0]
    level, value, phase, nodes, salt = now.level, now.value, now.phase, 0, now.salt
    slot_mask = table.shape[0] - 1
    if phase == START:
        prepare(state, memory)
        frames[0].start, level, phase = 0, 0, ENTER
    while True:
        frame = frames[level]
        if phase == ENTER:
            # Step 1. Stop at the budget, before the node is counted
            if nodes == budget:
                now.level, now.value, now.phase = level, value, phase
                now.nodes += nodes
                return False
            nodes += 1
            phase = LEAVE
            frame.line_length = 0
            # Step 2. Finished games and leaves
            if state.status != RUNNING:
                value = 0 if state.status == DRAWN else level - WIN
                continue
            if frame.depth == 0:
                now.evaluations += 1
                value = evaluate(state, memory)
                continue
            # Step 3. Probe the table
            frame.slot = state.key & slot_mask
            entry = table[frame.slot]
            hash_move = np.int64(-1)
            if entry.key == state.key ^ salt:
                hash_move = np.int64(entry.move)
                score = from_table(np.int64(entry.score), level)
                if entry.depth >= frame.depth and (
                    (entry.bound == EXACT and level > 0)
                    or (entry.bound == LOWER and score >= frame.beta)
                    or (entry.bound == UPPER and score <= frame.alpha)
                ):
                    now.table_hits += 1
                    value = score
                    continue
            # Step 4. Generate and rank the moves
            frame.end = frame.start + candidates(state, memory, moves, frame.start)
            for i in range(frame.start, frame.end):
                ranks[i] = rank(state, memory, moves[i], hash_move, killers, history, level)
            frame.first_alpha, frame.best, frame.best_move, frame.next = frame.alpha, -INFINITY, -1, frame.start
            phase = CHOOSE
        elif phase == CHOOSE:
            if frame.next < frame.end:
                # Step 5. Play the next move; all but the first are scouted with a null window
                bring_best_forward(moves, ranks, frame.next, frame.end)
                frame.move = moves[frame.next]
                frame.scouting = 1 if frame.next > frame.start else 0
                frame.next += 1
                child = frames[level + 1]
                child.alpha = -frame.alpha - 1 if frame.scouting else -frame.beta
                child.beta = -frame.alpha
                child.depth, child.start = frame.depth - 1, frame.end
                play(state, frame.move)
                update(state, memory, frame.move)
                level += 1
                phase = ENTER
            else:
                # Step 6. Every move is done: store and leave
                entry = table[frame.slot]
                entry.key, entry.score, entry.move = state.key ^ salt, to_table(frame.best, level), frame.best_move
                entry.depth = frame.depth
                entry.bound = LOWER if frame.best >= frame.beta else UPPER if frame.best <= frame.first_alpha else EXACT
                value = frame.best
                phase = LEAVE
        else:
            # Step 7. The root's value is the answer
            if level == 0:
                now.level, now.value, now.phase, now.best_move = level, value, phase, frame.best_move
                now.nodes += nodes
                return True
            level -= 1
            frame = frames[level]
            score = -value
            # Step 8. A scout that failed high inside the window is searched again, its move still on the board
            if frame.scouting and frame.alpha < score < frame.beta:
                frame.scouting = 0
                child = frames[level + 1]
                child.alpha, child.beta = -frame.beta, -frame.alpha
                level += 1
                phase = ENTER
                continue
            revert(state, memory, frame.move)
            undo(state, frame.move)
            phase = CHOOSE
            # Step 9. Raise alpha and keep the line; a cutoff feeds killers and history and ends the node
            if score > frame.best:
                frame.best, frame.best_move = score, frame.move
            if score > frame.alpha:
                frame.alpha = score
                keep_line(lines, frames, level)
                if score >= frame.beta:
                    reward_cutoff(state, frame, killers, history, level)
                    frame.next = frame.end
