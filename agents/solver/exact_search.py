"""The value of a position, and the plies to the end, by null windows on an explicit stack, resumable by node budget. A template.

A null window asks whether the score of the root (see `exact_table`) is above `alpha`: above 0, does the side to move win; above -1, does
it at least draw; above WIN - 8, does it win within seven plies. The value is asked for first, then whether the game ends within the fewest
plies that are still possible, again and again. What one window proves stays in the table for the next one.

Contract of `run`: a root value above alpha is a lower bound on the root's score, any other an upper bound (fail-soft). Equal budgets give
equal results, however they are cut into pieces.

Source: D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning" (1975); J. Pearl, "Scout: a simple game-searching algorithm with
proven optimal properties" (1980), for null windows.
"""

import numpy as np

from ...envs.rules.interface import DRAWN, RUNNING, play, undo
from .exact_interface import is_kept, judge, key_of, look, replies
from .exact_table import WIN, find, later, store

NEW, ENTER, CHOOSE, LEAVE = range(4)  # phases; NEW is before a window
HISTORY_BITS = 7  # one of an order score is worth as much as 128 of history's counts
HASH_SCORE = 1 << 40  # order score of the move that the table names
NO_MOVE = -1

FRAME = np.dtype([(name, np.int64) for name in "alpha lower upper best best_move key is_kept start next end begun".split()])
PROGRESS = np.dtype([(name, np.int64) for name in "low high is_weak is_too_long phase level value nodes".split()])


def begin(workspace, is_weak):
    """Begins to solve the running game in states[0]; `is_weak`: its value is enough."""
    now = workspace.progress[0]
    now.low, now.high, now.is_weak, now.is_too_long, now.phase, now.nodes = -WIN, WIN, is_weak, 0, NEW, 0
    workspace.history[:] = 0


def is_value_known(now):
    """Tells whether the bounds on the score leave one value."""
    return now.low > 0 or now.high < 0 or now.low == now.high


def solve(workspace, budget):
    """Carries on for at most `budget` nodes; returns True once the score is known, or the value if that is enough.

    In between progress[0].low and progress[0].high are what is known. Also returns True with is_too_long set if a line has as many plies as
    there are frames.
    """
    now, root = workspace.progress[0], workspace.frames[0]
    end = now.nodes + budget
    while now.low < now.high and not (now.is_weak and is_value_known(now)):
        if now.phase == NEW:
            root.alpha, root.start = next_alpha(now), 0
            now.level, now.phase = 0, ENTER
        if not run(workspace, end - now.nodes):
            return False
        if now.is_too_long:
            return True
        now.phase = NEW
        if now.value > root.alpha:
            now.low = now.value
        else:
            now.high = now.value
    return True


def next_alpha(now):
    """Returns the next question: the value, then the quickest win or loss that is still possible."""
    if not is_value_known(now):
        return 0 if now.high > 0 else -1
    return now.high - 1 if now.low > 0 else now.low


def next_move(moves, order_scores, frame):
    """Brings the move with the highest order score to the front of those that are left, and returns it."""
    best = frame.next
    for i in range(frame.next + 1, frame.end):
        if order_scores[i] > order_scores[best]:
            best = i
    move = moves[best]
    moves[best], moves[frame.next] = moves[frame.next], move
    order_scores[best], order_scores[frame.next] = order_scores[frame.next], order_scores[best]
    frame.next += 1
    return move


def reward_cutoff(history, side, moves, frame):
    """Counts for the move that ended a node as many as were tried before it, and against each of these one."""
    for i in range(frame.start, frame.next - 1):
        history[side, moves[i]] -= 1
    history[side, moves[frame.next - 1]] += frame.next - 1 - frame.start


def run(workspace, budget):
    """Carries a null window on for at most `budget` nodes; returns True once the root is finished, with its value in progress[0].value."""
    state, memory, now = workspace.states[0], workspace.memories[0], workspace.progress[0]
    frames, table, moves, order_scores = workspace.frames, workspace.table, workspace.moves, workspace.order_scores
    level, value, phase, nodes = now.level, now.value, now.phase, 0
    while True:
        frame = frames[level]
        if phase == ENTER:
            # Step 1. Stop at the budget, before the node is counted, and at the last frame
            if nodes == budget:
                now.level, now.value, now.phase = level, value, phase
                now.nodes += nodes
                return False
            if level + 1 == frames.shape[0]:
                now.is_too_long = 1
                return True
            nodes += 1
            phase = LEAVE
            # Step 2. Finished games, and what is seen at once
            if state.status != RUNNING:
                value = 0 if state.status == DRAWN else level - WIN
            else:
                alpha, hash_move = frame.alpha, NO_MOVE
                seen_lower, seen_upper = look(state, memory)
                lower, upper = later(seen_lower, level), later(seen_upper, level)
                # Step 3. Probe the table
                frame.is_kept = 0
                if lower <= alpha < upper and is_kept(state, memory):
                    frame.is_kept, frame.key = 1, key_of(state, memory)
                    index = find(table, frame.key)
                    if index >= 0:
                        entry = table[index]
                        hash_move = np.int64(entry.move)
                        lower = max(lower, later(np.int64(entry.lower), level))
                        upper = min(upper, later(np.int64(entry.upper), level))
                # Step 4. What the game knows
                if lower <= alpha < upper:
                    seen_lower, seen_upper = judge(state, memory)
                    lower, upper = max(lower, later(seen_lower, level)), min(upper, later(seen_upper, level))
                if lower > alpha or upper <= alpha:
                    value = lower if lower > alpha else upper
                else:
                    # Step 5. List the replies
                    frame.lower, frame.upper, frame.best, frame.best_move, frame.begun = lower, upper, -WIN, NO_MOVE, now.nodes + nodes
                    count = replies(state, memory, moves, order_scores, frame.start)
                    frame.next, frame.end = frame.start, frame.start + count
                    if count == 0:
                        value = level + 2 - WIN
                    else:
                        of_side = workspace.history[state.side]
                        for i in range(frame.start, frame.end):
                            order_scores[i] = (order_scores[i] << HISTORY_BITS) + of_side[moves[i]]
                            if moves[i] == hash_move:
                                order_scores[i] = HASH_SCORE
                        phase = CHOOSE
        if phase == LEAVE:
            # Step 8. The root's value is the answer; any other is one of its parent's
            if level == 0:
                now.level, now.value, now.phase = level, value, phase
                now.nodes += nodes
                return True
            level -= 1
            frame = frames[level]
            move = moves[frame.next - 1]
            undo(state, move)
            if -value > frame.best:
                frame.best, frame.best_move = -value, move
            phase = CHOOSE
        if phase == CHOOSE:
            if frame.best <= frame.alpha and frame.next < frame.end:
                # Step 6. Play the next reply
                child = frames[level + 1]
                child.alpha, child.start = -frame.alpha - 1, frame.end
                play(state, next_move(moves, order_scores, frame))
                level += 1
                phase = ENTER
            else:
                # Step 7. A reply succeeded, or all failed: store and leave
                value = min(frame.best, frame.upper)
                phase = LEAVE
                if value > frame.alpha:
                    frame.lower = value
                    reward_cutoff(workspace.history, state.side, moves, frame)
                else:
                    frame.upper = value
                if frame.is_kept:
                    lower, upper = later(frame.lower, -level), later(frame.upper, -level)
                    store(table, frame.key, lower, upper, frame.best_move, now.nodes + nodes - frame.begun)
