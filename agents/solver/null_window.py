"""Null windows on the exact score of a position. A template of kernels on an explicit stack, resumable by node budget."""

import numpy as np

from ...envs.rules.bitboards import count
from .bound_table import OFFSET, find, lower_of, store, upper_of
from .four_lines import completing_cells, follower_holds, follower_holds_moving, leader_wins, playable_cells, safe_replies, has_four, column_of

NEW, ENTER, CHOOSE, LEAVE = range(4)
LEAST_KEPT = 4
LEAST_PROBED = 12
PARITY = 3
DOUBLE = 1
MIRROR = 0
PAR_ORDER = 1
NODOUBLE = 1
HIST = 0
HSHIFT = 0
HINIT = 0
FORCED_TT = 1
GUESS = 0
PAIRS = 1

FRAME = np.dtype([(name, np.int64) for name in "own filled alpha own_threats rival_threats key empty best next end upper begun".split()])
PROGRESS = np.dtype([(name, np.int64) for name in "own filled low high is_weak level value phase nodes probes cuts pcuts etc".split()])


def solve(workspace, budget):
    now = workspace.progress[0]
    root = workspace.frames[0]
    end = now.nodes + budget
    while now.low < now.high and not (now.is_weak and (now.low > 0 or now.high < 0)):
        if now.phase == NEW:
            start(workspace)
            root.alpha = guess(now.low, now.high, now.is_weak)
            now.level, now.phase = 0, ENTER
        if not run(workspace, end - now.nodes):
            return False
        now.phase = NEW
        if now.value > root.alpha:
            now.low = max(now.low, now.value)
        else:
            now.high = min(now.high, now.value)
    return True


def guess(low, high, is_weak):
    if is_weak:
        return 0 if high > 0 else -1
    if GUESS == 1:
        if low <= 0 <= high - 1 and low < -1 or (low < 0 and high > 0):
            return 0 if high > 0 and low <= 0 else -1
        if low >= 0:
            return min(low + (low if low > 1 else 1) - (low <= 1), high - 1)
        return max(high - (-high if high < -1 else 1) , low)
    middle = low + (high - low) // 2
    if middle <= 0 and low // 2 < middle:
        middle = -(-low // 2)
    elif middle >= 0 and high // 2 > middle:
        middle = high // 2
    return middle


def start(workspace):
    board, now, root = workspace.boards[0], workspace.progress[0], workspace.frames[0]
    root.own, root.filled = now.own, now.filled
    root.empty = board.cells - count(now.filled)
    root.own_threats = completing_cells(board, root.own) & board.all & ~root.filled
    root.rival_threats = completing_cells(board, root.own ^ root.filled) & board.all & ~root.filled


def place(workspace, own, filled):
    """Sets a position to be solved."""
    board, now = workspace.boards[0], workspace.progress[0]
    now.own, now.filled, now.phase = own, filled, NEW
    if HIST:
        for i in range(64):
            workspace.history[0, i] = workspace.lines[i] << HINIT
            workspace.history[1, i] = workspace.lines[i] << HINIT
    empty = board.cells - count(filled)
    now.low, now.high = -(empty // 2), (empty + 1) // 2
    if has_four(board, own ^ filled):
        now.low = now.high = -(empty // 2) - 1
    elif empty == 0:
        now.low = now.high = 0
    elif completing_cells(board, own) & playable_cells(board, filled) != 0:
        now.low = now.high
    else:
        now.high = max((empty - 1) // 2, now.low)


def solve_many(workspace, owns, filleds, scores, nodes, is_weak):
    now = workspace.progress[0]
    for i in range(owns.shape[0]):
        before = now.nodes
        now.is_weak = is_weak
        place(workspace, owns[i], filleds[i])
        solve(workspace, 1 << 60)
        scores[i] = now.low if now.low > 0 or not is_weak else now.high if now.high < 0 else 0
        nodes[i] = now.nodes - before


def run(workspace, budget):
    board, now = workspace.boards[0], workspace.progress[0]
    frames, moves, threats, order, table = workspace.frames, workspace.moves, workspace.threats, workspace.order, workspace.table
    history = workspace.history
    columns, width = workspace.columns, board.width
    level, value, phase, nodes = now.level, now.value, now.phase, 0
    while True:
        frame = frames[level]
        if phase == ENTER:
            # Step 1. Stop at the budget
            if nodes == budget:
                now.level, now.value, now.phase = level, value, phase
                now.nodes += nodes
                return False
            nodes += 1
            phase = LEAVE
            own, filled, alpha, empty = frame.own, frame.filled, frame.alpha, frame.empty
            # Step 2. No reply that does not lose; a full board
            replies = safe_replies(board, filled, frame.rival_threats)
            if replies == 0:
                value = -(empty // 2)
            elif empty <= 2:
                value = 0
            else:
                # Step 3. Bounds from cells left
                lower, upper = -((empty - 2) // 2), (empty - 1) // 2
                key = own + filled + board.bottom
                is_forced = replies & replies - 1 == 0
                if lower > alpha:
                    value = lower
                elif upper <= alpha:
                    value = upper
                else:
                    phase = CHOOSE
                    # Step 4. parity
                    if PARITY:
                        if empty & 1 == 0:
                            if PARITY & 1 and alpha >= 0 and follower_holds(board, own, filled, PAIRS):
                                value, phase = 0, LEAVE
                            elif PARITY & 2:
                                cells = frame.own_threats & ~board.follower
                                while cells != 0:
                                    threat = cells & -cells
                                    cells ^= threat
                                    column = column_of(board, threat)
                                    won = count(column & ~(threat | threat - 1) ) // 2 + 1
                                    if won > alpha and leader_wins(board, own ^ filled, filled, threat, column):
                                        value, phase = won, LEAVE
                                        break
                        else:
                            if PARITY & 1 and alpha < 0 and follower_holds_moving(board, own ^ filled, filled, PAIRS):
                                value, phase = 0, LEAVE
                            elif PARITY & 2:
                                cells = frame.rival_threats & ~board.follower & ~playable_cells(board, filled)
                                while cells != 0:
                                    threat = cells & -cells
                                    cells ^= threat
                                    column = column_of(board, threat)
                                    won = count(column & ~(threat | threat - 1)) // 2 + 1
                                    if -won <= alpha and leader_wins(board, own, filled, threat, column):
                                        value, phase = -won, LEAVE
                                        break
                        if phase == LEAVE:
                            now.pcuts += 1
                    # Step 5. table
                    if phase == CHOOSE and empty >= LEAST_KEPT and (FORCED_TT or not is_forced):
                        now.probes += 1
                        entry = find(table, key)
                        if entry != 0:
                            lower, upper = max(lower, lower_of(entry)), min(upper, upper_of(entry))
                            if lower > alpha:
                                value, phase = lower, LEAVE
                            elif upper <= alpha:
                                value, phase = upper, LEAVE
                            if phase == LEAVE:
                                now.cuts += 1
                    if phase == CHOOSE:
                        frame.key, frame.upper, frame.best, frame.begun = key, upper, -OFFSET, now.nodes + nodes
                        # Step 6. order
                        first = level * width
                        end = first
                        for i in range(width):
                            move = replies & columns[i]
                            if move == 0:
                                continue
                            after = filled | move
                            made = completing_cells(board, own | move) & board.all & ~after
                            # a move that leaves no reply wins
                            if DOUBLE and safe_replies(board, after, made) == 0:
                                value, phase = (empty - 1) // 2, LEAVE
                                break
                            if LEAST_PROBED <= empty and not is_forced:
                                now.etc += 1
                                entry = find(table, (own ^ filled) + after + board.bottom)
                                if entry != 0 and -upper_of(entry) > alpha:
                                    value, phase = -upper_of(entry), LEAVE
                                    break
                            rank = 2 * count(made)
                            if PAR_ORDER:
                                rank += count(made & (board.follower if empty & 1 else ~board.follower))
                            if HIST:
                                rank = (rank << HIST) + (history[empty & 1, count(move - 1)] >> HSHIFT)
                            at = end
                            while at > first and order[at - 1] < rank:
                                order[at], moves[at], threats[at] = order[at - 1], moves[at - 1], threats[at - 1]
                                at -= 1
                            order[at], moves[at], threats[at] = rank, move, made
                            end += 1
                        frame.next, frame.end = first, end
                        if NODOUBLE and phase == CHOOSE and (empty - 3) // 2 <= alpha:
                            value, phase = (empty - 3) // 2, LEAVE
        if phase == LEAVE:
            if level == 0:
                now.level, now.value, now.phase = level, value, phase
                now.nodes += nodes
                return True
            level -= 1
            frame = frames[level]
            frame.best = max(frame.best, -value)
            phase = CHOOSE
        if phase == CHOOSE:
            if frame.best <= frame.alpha and frame.next < frame.end:
                child = frames[level + 1]
                move = moves[frame.next]
                child.own, child.filled = frame.own ^ frame.filled, frame.filled | move
                child.alpha, child.empty = -frame.alpha - 1, frame.empty - 1
                child.own_threats, child.rival_threats = frame.rival_threats & ~move, threats[frame.next]
                frame.next += 1
                level += 1
                phase = ENTER
            else:
                phase = LEAVE
                if HIST and frame.best > frame.alpha and frame.next - level * width > 1:
                    first = level * width
                    for i in range(first, frame.next - 1):
                        history[frame.empty & 1, count(moves[i] - 1)] -= 1
                    history[frame.empty & 1, count(moves[frame.next - 1] - 1)] += frame.next - 1 - first
                value = min(frame.best, frame.upper)
                if frame.empty >= LEAST_KEPT and (FORCED_TT or frame.end - level * width > 1):
                    effort, spent = 0, now.nodes + nodes - frame.begun
                    while spent > 0:
                        effort += 1
                        spent >>= 1
                    if value > frame.alpha:
                        store(table, frame.key, value, frame.upper, effort)
                    else:
                        store(table, frame.key, -((frame.empty - 2) // 2), value, effort)
