"""The exact score of a Connect Four position by null windows, on an explicit stack, resumable by node budget. A template.

The score is 0 for a draw, else the number of stones that the winner has not placed when the game ends, plus one; negative for the loser.

A null window asks whether a score is above `alpha`. It is a search of its own, that ends at the first reply that answers the question.
Asked in the middle between the bounds on the score, again and again, it closes them.

Contract of `run`: a root value above alpha is a lower bound on the root's score, any other an upper bound (fail-soft). A root must have no
move that wins at once; no other node has one, as only safe replies are played. Equal budgets give equal results, however they are cut into
pieces.

Source: V. Allis, "A knowledge-based approach of Connect-Four" (1988); J. Tromp, "John's Connect Four Playground" (1995), for history;
P. Pons, "Solving Connect 4: how to build a perfect AI" (2015), for null windows on the score, safe replies and order by threats;
J. Schaeffer and A. Plaat, "New advances in alpha-beta searching" (1996), for enhanced transposition cutoffs.
"""

import numpy as np

from ...envs.rules.bitboards import count, inlined
from .bound_table import OFFSET, find, lower_of, send_for, store, upper_of
from .four_lines import UNKNOWN, completing_cells, has_four, mirrored, playable_cells, safe_replies, score_by_parity, threats_of

NEW, ENTER, CHOOSE, LEAVE = range(4)  # phases; NEW is before a window
LEAST_KEPT = 6  # empty cells from which on nodes are looked up and kept: below, a look into the table costs more than a search
LEAST_PROBED = 12  # empty cells from which on a node's replies are looked up before any is searched
LEAST_FORESEEN = 13  # empty cells from which on parity is asked of a node's replies before any is searched; below, when each is entered
LEAST_MIRRORED = 20  # empty cells from which on a position and its mirror image share an entry
FAR = 6  # a bound beyond this one is closed in by thirds
THREAT = 16  # what a threat adds to the order score of a reply; a row of four cells through the reply adds 1
HISTORY_BITS = 12  # the order score that history adds is one in 4096 of its counts

FRAME = np.dtype(
    [(name, np.int64) for name in "own filled empty alpha own_threats rival_threats key upper best start next end begun".split()]
)
PROGRESS = np.dtype([(name, np.int64) for name in "own filled low high is_weak phase level value nodes probes next is_begun".split()])


def set_root(workspace, own, filled, is_weak):
    """Begins to solve a position: bounds its score, and forgets the history of replies.

    Args:
        workspace: a `connect_four.Workspace`.
        own: stones of the side to move.
        filled: all stones; at most one side, the rival, has four in a row.
        is_weak: whether the sign of the score is enough.
    """
    board, now = workspace.board, workspace.progress[0]
    empty = board.cells - count(filled)
    now.own, now.filled, now.is_weak, now.phase, now.nodes = own, filled, is_weak, NEW, 0
    if has_four(board, own ^ filled):
        now.low = now.high = -(empty // 2) - 1
    elif completing_cells(board, own) & playable_cells(board, filled) != 0:
        now.low = now.high = (empty + 1) // 2
    else:
        now.low, now.high = -(empty // 2), max(empty - 1, 0) // 2
    for cell in range(workspace.lines.shape[0]):
        workspace.history[0, cell] = workspace.history[1, cell] = workspace.lines[cell] << HISTORY_BITS


def solve(workspace, budget):
    """Carries on for at most `budget` nodes; returns True once the score is known.

    Then progress[0].low is the score, as is progress[0].high; if the sign is enough, low > 0, high < 0, or both are 0.
    """
    now, root = workspace.progress[0], workspace.frames[0]
    end = now.nodes + budget
    while now.low < now.high and not (now.is_weak and (now.low > 0 or now.high < 0)):
        if now.phase == NEW:
            open_window(workspace)
        if not run(workspace, end - now.nodes):
            return False
        now.phase = NEW
        if now.value > root.alpha:
            now.low = now.value
        else:
            now.high = now.value
    return True


def open_window(workspace):
    """Asks for a score in the middle between the bounds, or for two thirds of a bound that is far out: early ends are found soon."""
    board, now, root = workspace.board, workspace.progress[0], workspace.frames[0]
    root.own, root.filled, root.empty = now.own, now.filled, board.cells - count(now.filled)
    root.key = shared_key(board, now.own + now.filled + board.bottom, root.empty)
    root.own_threats = threats_of(board, now.own, now.filled)
    root.rival_threats = threats_of(board, now.own ^ now.filled, now.filled)
    middle = (now.low + now.high) // 2
    if now.is_weak:
        root.alpha = 0 if now.high > 0 else -1
    elif middle <= 0:
        root.alpha = min(middle, 2 * now.low // 3) if now.low < -FAR else middle
    else:
        root.alpha = max(middle, 2 * now.high // 3) if now.high > FAR else middle
    now.level, now.phase = 0, ENTER


def solve_all(workspace, owns, filleds, is_weak, scores, nodes, budget):
    """Solves positions one after the other, for at most `budget` nodes; returns True once all are solved.

    Args:
        workspace: a `connect_four.Workspace`; its progress[0].next is the number of the position; it and is_begun are 0 to begin.
        owns: int64[n], see `set_root`.
        filleds: int64[n].
        is_weak: whether the signs of the scores are enough.
        scores: int64[n], filled in.
        nodes: int64[n], those that each has cost, filled in.
        budget: nodes.
    """
    now = workspace.progress[0]
    while now.next < owns.shape[0]:
        if not now.is_begun:
            set_root(workspace, owns[now.next], filleds[now.next], is_weak)
            now.is_begun = 1
        before = now.nodes
        if not solve(workspace, budget):
            return False
        budget -= now.nodes - before
        scores[now.next] = sign(now.low + now.high) if is_weak else now.low
        nodes[now.next] = now.nodes
        now.next, now.is_begun = now.next + 1, 0
    return True


def sign(number):
    """Returns -1, 0 or 1."""
    return (number > 0) - (number < 0)


@inlined
def shared_key(board, key, empty):
    """Returns the key of a position (see `bound_table`), or that of its mirror image if it is smaller."""
    return min(key, mirrored(board, key)) if empty >= LEAST_MIRRORED else key


@inlined
def known_score(entry, alpha):
    """Returns a bound on the score of a reply that tells whether it is above alpha, by the entry of the position after it; or UNKNOWN."""
    if entry != 0:
        if -upper_of(entry) > alpha:
            return -upper_of(entry)
        if -lower_of(entry) <= alpha:
            return -lower_of(entry)
    return UNKNOWN


@inlined
def bound_by_parity(board, own, filled, empty, alpha, own_threats, rival_threats):
    """Returns a bound on the score that tells whether it is above alpha; or UNKNOWN, or -UNKNOWN."""
    if empty & 1 == 0:
        return score_by_parity(board, own, filled, own_threats, rival_threats, alpha + 1)
    return -score_by_parity(board, own ^ filled, filled, rival_threats, own_threats, -alpha)


def reward_cutoff(history, moves, frame):
    """Counts for the reply that ended a node as many as were tried before it, and against each of these one."""
    of_side = history[frame.empty & 1]
    for i in range(frame.start, frame.next - 1):
        of_side[count(moves[i] - 1)] -= 1
    of_side[count(moves[frame.next - 1] - 1)] += frame.next - 1 - frame.start


def run(workspace, budget):
    """Carries a null window on for at most `budget` nodes; returns True once the root is finished, with its value in progress[0].value."""
    board, now, frames, table = workspace.board, workspace.progress[0], workspace.frames, workspace.table
    columns, moves, threats, keys, order_scores, history = (
        workspace.columns,
        workspace.moves,
        workspace.threats,
        workspace.keys,
        workspace.order_scores,
        workspace.history,
    )
    level, value, phase, nodes, probes, listed, end = now.level, now.value, now.phase, 0, 0, 0, 0
    while True:
        frame = frames[level]
        if phase == ENTER:
            # Step 1. Stop at the budget, before the node is counted
            if nodes == budget:
                now.level, now.value, now.phase = level, value, phase
                now.nodes += nodes
                now.probes += probes
                return False
            nodes += 1
            phase = LEAVE
            own, filled, empty, alpha = frame.own, frame.filled, frame.empty, frame.alpha
            # Step 2. Without a safe reply the rival wins by its next move; on the last two cells nobody does
            replies = safe_replies(board, filled, frame.rival_threats)
            # Step 3. Neither side wins by its next move, so both have placed one more stone when they do
            lower, upper = -((empty - 2) // 2), (empty - 1) // 2
            if replies == 0:
                value = -(empty // 2)
            elif empty <= 2:
                value = 0
            elif lower > alpha:
                value = lower
            elif upper <= alpha:
                value = upper
            else:
                phase = CHOOSE
                # Step 4. What parity decides
                if empty < LEAST_FORESEEN - 1:
                    score = bound_by_parity(board, own, filled, empty, alpha, frame.own_threats, frame.rival_threats)
                    if abs(score) != UNKNOWN:
                        value, phase = score, LEAVE
                # Step 5. Probe the table
                if phase == CHOOSE and empty >= LEAST_KEPT:
                    probes += 1
                    entry = find(table, frame.key)
                    if entry != 0:
                        lower, upper = max(lower, lower_of(entry)), min(upper, upper_of(entry))
                        if lower > alpha or upper <= alpha:
                            value, phase = lower if lower > alpha else upper, LEAVE
            # Step 6. List the replies; one that leaves the rival no safe one wins by the next move. Send for their entries
            if phase == CHOOSE:
                frame.upper, frame.best, frame.begun = upper, -OFFSET, now.nodes + nodes
                frame.start = end = listed = level * board.width
                rival_key = (own ^ filled) + filled + board.bottom
                for i in range(board.width):
                    move = replies & columns[i]
                    if move == 0:
                        continue
                    made = threats_of(board, own | move, filled | move)
                    if safe_replies(board, filled | move, made) == 0:
                        value, phase = (empty - 1) // 2, LEAVE
                        break
                    moves[listed], threats[listed] = move, made
                    if empty > LEAST_KEPT:
                        keys[listed] = shared_key(board, rival_key + move, empty - 1)
                        send_for(table, keys[listed])
                    listed += 1
                # Step 7. Otherwise the side to move needs two more stones at least
                if phase == CHOOSE and (empty - 3) // 2 <= alpha:
                    value, phase = (empty - 3) // 2, LEAVE
            if phase == CHOOSE:
                for i in range(frame.start, listed):
                    move, made, key = moves[i], threats[i], keys[i]
                    score = UNKNOWN
                    # Step 8. Probe the replies, and ask what parity decides
                    if empty >= LEAST_PROBED and replies != move:
                        probes += 1
                        score = known_score(find(table, key), alpha)
                    if empty >= LEAST_FORESEEN and score == UNKNOWN:
                        score = -bound_by_parity(
                            board, own ^ filled, filled | move, empty - 1, -alpha - 1, frame.rival_threats & ~move, made
                        )
                    if abs(score) != UNKNOWN:
                        # Step 9. A reply that succeeds ends the node, one that fails is left out
                        frame.best = max(frame.best, score)
                        if score > alpha:
                            value, phase = score, LEAVE
                            break
                        continue
                    # Step 10. Sort them, best first: those that make threats, and those in many rows of four cells or with a good history
                    order_score = THREAT * 2 * count(made) + (history[empty & 1, count(move - 1)] >> HISTORY_BITS)
                    at = end
                    while at > frame.start and order_scores[at - 1] < order_score:
                        left = at - 1
                        order_scores[at], moves[at], threats[at], keys[at] = order_scores[left], moves[left], threats[left], keys[left]
                        at = left
                    order_scores[at], moves[at], threats[at], keys[at] = order_score, move, made, key
                    end += 1
                frame.next, frame.end = frame.start, end
        if phase == LEAVE:
            # Step 13. The root's value is the answer; any other is one of its parent's
            if level == 0:
                now.level, now.value, now.phase = level, value, phase
                now.nodes += nodes
                now.probes += probes
                return True
            level -= 1
            frame = frames[level]
            frame.best = max(frame.best, -value)
            phase = CHOOSE
        if phase == CHOOSE:
            if frame.best <= frame.alpha and frame.next < frame.end:
                # Step 11. Play the next reply
                child, move = frames[level + 1], moves[frame.next]
                child.own, child.filled = frame.own ^ frame.filled, frame.filled | move
                child.empty, child.alpha, child.key = frame.empty - 1, -frame.alpha - 1, keys[frame.next]
                child.own_threats, child.rival_threats = frame.rival_threats & ~move, threats[frame.next]
                frame.next += 1
                level += 1
                phase = ENTER
            else:
                # Step 12. A reply succeeded, or all failed: store and leave
                value = min(frame.best, frame.upper)
                phase = LEAVE
                if value > frame.alpha:
                    reward_cutoff(history, moves, frame)
                if frame.empty >= LEAST_KEPT:
                    lower = value if value > frame.alpha else -((frame.empty - 2) // 2)
                    store(table, frame.key, lower, frame.upper if value > frame.alpha else value, now.nodes + nodes - frame.begun)
