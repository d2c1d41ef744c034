"""One search for every game: an explicit stack of frames, resumable by node budget. A template.

By its switches it is minimax, alpha-beta, or alpha-beta with null-window scouting (PVS); MTD(f) calls it with null windows.

A node passes through phases: ENTER (look at the position), FOURS (of leaves: look for a win by fours), EXPAND (list its moves), CHOOSE
(take its next move), LEAVE (hand its value to its parent). A search begins with START, and with the window and depth of its root written
into the first frame.

Contract: the root's value is exact if it lies inside the root's (alpha, beta), a lower bound at or above beta, and an upper bound at or
below alpha (fail-soft). Equal budgets give equal results, whether spent in one call or in several.

Source: D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning" (1975); T. A. Marsland, "A review of game-tree pruning" (1986);
for the null move C. Donninger, "Null move and deep search" (1993).
"""

import math

import numpy as np

from ...envs.rules.bitboards import inlined
from ...envs.rules.interface import DRAWN, RUNNING, play, skip, undo
from ..evaluation.interface import candidates, evaluate, forced_moves, late_move, revert, update
from .ordering import next_move, order_moves, reward_cutoff
from .scores import EXACT, INFINITY, LOWER, UPPER, WIN, from_table, is_decisive, to_table
from .table import ESTIMATED, bound_of, depth_of, find, is_estimated, store
from .without_threats import begin_fours, run_fours

MAX_DEPTH = 64
START, ENTER, FOURS, EXPAND, CHOOSE, LEAVE = range(6)
FOURS_LIMIT = 60  # nodes of a search for fours at a leaf
LEAST_KEPT_DEPTH = 2  # depth from which on nodes have entries in the table
LEAST_REDUCED_DEPTH = 3  # late move reductions: from this depth on
LEAST_SKIPPED_DEPTH, SKIP_REDUCTION = 3, 2  # null move: from this depth on, and how many plies less deep its reply is searched
ALIKE = 64  # from this move of a node on all are reduced alike
REDUCTIONS = np.array([[int(0.4 * math.log(depth) * math.log(move)) for move in range(1, ALIKE + 1)] for depth in range(1, MAX_DEPTH + 1)])
LEAST_INEXACT_DEPTH = min(LEAST_REDUCED_DEPTH, LEAST_SKIPPED_DEPTH)  # late_pruning alone leaves moves of less deep nodes out
LEAST_PRUNED_DEPTH = 2  # a root at this depth has nodes whose late moves are left out

WINDOW, MOVES = (
    "alpha beta first_alpha best best_move depth estimates",
    "start next end last move hash_move scouting reduction extension skipping line_length",
)
FRAME = np.dtype([(name, np.int64) for name in f"{WINDOW} {MOVES}".split()])
PROGRESS = np.dtype(
    [
        (name, np.int64)
        for name in "level value phase nodes evaluations table_hits estimated_hits left_out best_move equals salt generation".split()
    ]
)


def has_entry(frame, level, settings):
    """Tells whether a node is looked up and kept in the table: near the leaves a lookup costs more than it saves."""
    return settings.table and (frame.depth >= LEAST_KEPT_DEPTH or level == 0)


def can_cut(entry, frame, score, settings):
    """Tells whether a table entry, its score seen from the root, settles a node.

    The entry must be of exactly the node's depth or decisive, so that the score is the one the node would find. With scouting an open
    window is searched all the same, so that the principal variation goes to its end.
    """
    if depth_of(entry) != frame.depth and not is_decisive(score):
        return False
    bound = bound_of(entry)
    if bound == EXACT:
        return not settings.scouting or frame.beta - frame.alpha == 1
    return score >= frame.beta if bound == LOWER else score <= frame.alpha


def can_skip(frame, level, frames, settings):
    """Tells whether a node may try to fail high by passing: not twice in a row, and only in null windows (or without scouting)."""
    return (
        settings.null_move
        and level > 0
        and frame.depth >= LEAST_SKIPPED_DEPTH
        and frames[level - 1].skipping == 0
        and not is_decisive(frame.beta)
        and (frame.beta - frame.alpha == 1 or not settings.scouting)
    )


@inlined
def keep_line(lines, frames, level):
    """Makes the frame's move and the line below it the line of its level."""
    frame, length = frames[level], frames[level + 1].line_length
    lines[level, 0] = frame.move
    for i in range(length):
        lines[level, i + 1] = lines[level + 1, i]
    frame.line_length = length + 1


def open_child(frame, child, settings):
    """Gives the child of a frame's next move its window and depth."""
    frame.scouting, frame.reduction = 1 if settings.scouting and frame.next > frame.start else 0, 0
    if settings.reductions and frame.depth >= LEAST_REDUCED_DEPTH:
        frame.reduction = REDUCTIONS[frame.depth - 1, min(frame.next - frame.start, ALIKE - 1)]
    if settings.pruning:
        child.alpha = -frame.alpha - 1 if frame.scouting else -frame.beta
        child.beta = -frame.alpha
    else:
        child.alpha, child.beta = -INFINITY, INFINITY
    child.depth, child.start = frame.depth - 1 - frame.reduction + frame.extension, frame.end


@inlined
def limit_moves(frame, level, settings):
    """Sets what a node's only move costs, and the last of its moves that is searched if nothing is lost by then."""
    frame.extension, frame.last = 0, frame.end
    if level > 0 and frame.depth > 0:
        if settings.extensions and frame.end - frame.start == 1 and level + frame.depth < MAX_DEPTH:
            frame.extension = 1
        if settings.late_pruning:
            frame.last = min(frame.end, frame.start + late_move(frame.depth))


@inlined
def estimates_of(now):
    """Returns how often the score of a node was an estimate."""
    return now.evaluations + now.estimated_hits + now.left_out


def run(workspace, budget):
    """Carries the search on for at most `budget` nodes; returns True once the root is finished.

    Args:
        workspace: a `workspace.Workspace`. At START states[0] and memories[0] are the root's, and frames[0] holds alpha, beta and the
            depth, at least 1. At the end they are the root's again, progress[0] holds its value and best move,
            lines[0, :frames[0].line_length] its principal variation, and with the switch `ties`, equals[:progress[0].equals] its moves
            with the best score.
        budget: nodes.
    """
    state, memory, now, settings = workspace.states[0], workspace.memories[0], workspace.progress[0], workspace.switches[0]
    frames, moves, order_keys, lines, equals = workspace.frames, workspace.moves, workspace.order_keys, workspace.lines, workspace.equals
    history, killers, table = workspace.history, workspace.killers, workspace.table
    level, value, phase, nodes = now.level, now.value, now.phase, 0
    if phase == START:
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
            frame.line_length, frame.hash_move, frame.skipping = 0, -1, 0  # an aborted search may have left it set
            phase = LEAVE
            # Step 2. Finished games and leaves; at a leaf with forced moves only these are searched
            if state.status != RUNNING:
                value = 0 if state.status == DRAWN else level - WIN
            elif frame.depth <= 0:
                forced = forced_moves(state, memory, moves, frame.start) if settings.quiescence and level < MAX_DEPTH else 0
                if forced == 0:
                    now.evaluations += 1
                    value = evaluate(state, memory)
                    if settings.fours and value < frame.beta:
                        begin_fours(workspace, FOURS_LIMIT)
                        phase = FOURS
                else:
                    frame.end = frame.start + forced
                    phase = EXPAND
            else:
                frame.end = frame.start
                phase = EXPAND
                # Step 3. Probe the table
                slot = find(table, state.key ^ now.salt) if has_entry(frame, level, settings) else -1
                if slot >= 0:
                    entry = table[slot]
                    frame.hash_move, score = np.int64(entry.move), from_table(np.int64(entry.score), level)
                    if level > 0 and settings.cutoffs and can_cut(entry, frame, score, settings):
                        now.table_hits += 1
                        now.estimated_hits += 1 if is_estimated(entry) else 0
                        value = score
                        phase = LEAVE
                # Step 4. Null move: pass, and see whether the reply still fails to bring the score below beta
                if phase == EXPAND and can_skip(frame, level, frames, settings):
                    frame.skipping, frame.scouting, frame.reduction = 1, 0, 0
                    child = frames[level + 1]
                    child.alpha, child.beta = -frame.beta, 1 - frame.beta
                    child.depth, child.start = frame.depth - 1 - SKIP_REDUCTION, frame.start
                    skip(state)
                    level += 1
                    phase = ENTER
        if phase == FOURS:
            # Step 5. A leaf from which fours alone win
            attack = workspace.fours[0]
            before = attack.nodes
            is_finished = run_fours(workspace, budget - nodes)
            nodes += attack.nodes - before
            if not is_finished:
                now.level, now.value, now.phase = level, value, phase
                now.nodes += nodes
                return False
            if attack.length > 0:
                value = WIN - level - attack.length
            phase = LEAVE
        if phase == LEAVE:
            # Step 9. The root's value is the answer
            if level == 0:
                now.level, now.value, now.phase, now.best_move = level, value, phase, frame.best_move
                now.nodes += nodes
                return True
            level -= 1
            frame = frames[level]
            score = -value
            # Step 10. A null move that holds beta ends the node; it proves no win
            if frame.skipping:
                frame.skipping = 0
                skip(state)
                value = frame.beta
                phase = LEAVE if score >= frame.beta else EXPAND
            # Step 11. A reduced or scouted move that turns out better is searched again, its move still on the board
            elif score > frame.alpha and (frame.reduction or (frame.scouting and score < frame.beta)):
                child = frames[level + 1]
                if frame.reduction == 0:
                    frame.scouting = 0
                    child.alpha, child.beta = -frame.beta, -frame.alpha
                frame.reduction, child.depth = 0, frame.depth - 1 + frame.extension
                level += 1
                phase = ENTER
            else:
                revert(state, memory, frame.move)
                undo(state, frame.move)
                phase = CHOOSE
                # Step 12. Keep the best score and its line; with `ties` the root's alpha is one below it, so that equal moves show
                if level == 0 and settings.ties and score >= frame.best:
                    now.equals = now.equals + 1 if score == frame.best else 1
                    equals[now.equals - 1] = frame.move
                if score > frame.best:
                    frame.best, frame.best_move = score, frame.move
                    if score > frame.alpha:
                        keep_line(lines, frames, level)
                # Step 13. Raise alpha; a cutoff feeds killers and history and ends the node
                if score > frame.alpha:
                    frame.alpha = score - 1 if level == 0 and settings.ties else score
                    if score >= frame.beta:
                        reward_cutoff(state, frame.move, max(frame.depth, 0), killers, history, level)
                        frame.next = frame.end
        if phase == EXPAND:
            # Step 6. Generate the moves and put them in order
            if frame.depth > 0:
                frame.end = frame.start + candidates(state, memory, moves, frame.start)
            order_moves(workspace, frame, level)
            limit_moves(frame, level, settings)
            frame.first_alpha, frame.best, frame.best_move, frame.next = frame.alpha, -INFINITY, -1, frame.start
            frame.estimates = estimates_of(now)
            phase = CHOOSE
        if phase == CHOOSE:
            if frame.next == frame.last < frame.end and not is_decisive(frame.best):  # a loss has to be shown for all moves
                now.left_out += 1
                frame.next = frame.end
            if frame.next < frame.end:
                # Step 7. Play the next move; its child gets a null window unless it is the first move
                frame.move = next_move(moves, order_keys, frame.start, frame.next, frame.end)
                open_child(frame, frames[level + 1], settings)
                frame.next += 1
                play(state, frame.move)
                update(state, memory, frame.move)
                level += 1
                phase = ENTER
            else:
                # Step 8. Every move is done: store and leave
                value = frame.best
                phase = LEAVE
                if has_entry(frame, level, settings):
                    bound = LOWER if value >= frame.beta else UPPER if value <= frame.first_alpha else EXACT
                    is_proven = is_decisive(value) or frame.estimates == estimates_of(now)
                    depth = frame.depth if is_proven else frame.depth | ESTIMATED
                    store(table, state.key ^ now.salt, now.generation, to_table(value, level), frame.best_move, depth, bound)
