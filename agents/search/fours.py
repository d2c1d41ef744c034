"""Wins by fours alone, on an explicit stack, resumable by node budget. A template.

A four is a move that threatens to win at once. The defender has one answer to it, so a line of fours branches at the attacker's moves
alone.

    attacker to move   a win at once                       won
                       a win of the defender's to be met   the move that meets it, if it is a four; two cannot be met
                       else                                all fours
    defender to move   a win at once, or no threat left    this four fails
                       a threat that one move meets        that move
                       two threats                         won

Contract: a win that is found is one whatever the defender plays, though not always the quickest. If none is found and `is_cut` is 0, no
line of fours wins. Equal budgets give equal results, whether spent in one call or in several.

Source: L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, "Go-Moku and threat-space search" (1993).
"""

import numpy as np

from ...envs.rules.interface import RUNNING, play, undo
from ..evaluation.interface import fours, revert, update, winning_moves

MAX_FOURS = 32  # fours in a line
LONGEST_LINE = 2 * MAX_FOURS + 3
ATTACK, CHOOSE, DEFEND = range(3)  # phases
FOUR_FRAME = np.dtype([(name, np.int64) for name in "start next end move reply".split()])
FOURS = np.dtype([(name, np.int64) for name in "level phase nodes limit is_cut length".split()])


def begin_fours(workspace, limit):
    """Begins a search for a win by fours of the side to move in states[0]; it is cut at `limit` nodes."""
    now = workspace.fours[0]
    now.level, now.phase, now.nodes, now.limit, now.is_cut, now.length = 0, ATTACK, 0, limit, 0, 0
    workspace.four_frames[0].start = 0


def run_fours(workspace, budget):
    """Carries the search on for at most `budget` nodes; returns True once it is finished, with the position as it was.

    Then fours[0].length is 0, or the plies of a win that four_line holds up to its last move.
    """
    state, memory, now, frames = workspace.states[0], workspace.memories[0], workspace.fours[0], workspace.four_frames
    moves, line, table, salt = workspace.four_moves, workspace.four_line, workspace.four_table, workspace.progress[0].salt
    level, phase, end = now.level, now.phase, min(now.nodes + budget, now.limit)
    while True:
        frame = frames[level]
        if phase == DEFEND or (phase == ATTACK and level > 0):  # the caller has counted the root
            # Step 1. Stop at the budget, and for good at the limit, before the node is counted
            if now.nodes == end:
                now.level, now.phase = level, phase
                if now.nodes < now.limit:
                    return False
                now.is_cut = 1
                abandon_fours(workspace)
                return True
            now.nodes += 1
        if phase == ATTACK:
            # Step 2. Win at once, or list the fours; one that has to meet a threat must do so
            phase, frame.next, frame.end = CHOOSE, frame.start, frame.start
            if winning_moves(state, memory, state.side, moves, frame.start) > 0:
                line[2 * level], now.length = moves[frame.start], 2 * level + 1
                take_back(state, memory, frames, level)
                return True
            to_meet = winning_moves(state, memory, 1 - state.side, moves, frame.start)
            if to_meet <= 1 and table[(state.key ^ salt) & (table.shape[0] - 1)] != state.key ^ salt:
                must = moves[frame.start]
                count = fours(state, memory, moves, frame.start)
                if to_meet == 1:
                    is_four = 0
                    for i in range(frame.start, frame.start + count):
                        is_four |= 1 if moves[i] == must else 0
                    moves[frame.start], count = must, is_four
                frame.end = frame.start + count
        elif phase == DEFEND:
            # Step 4. A four fails if the defender wins or nothing is threatened; two threats win
            phase = CHOOSE
            threats = 0
            if state.status == RUNNING and winning_moves(state, memory, state.side, moves, frame.end) == 0:
                threats = winning_moves(state, memory, 1 - state.side, moves, frame.end)
            line[2 * level], line[2 * level + 1], line[2 * level + 2] = frame.move, moves[frame.end], moves[frame.end + 1]
            if threats == 1 and level + 1 < MAX_FOURS:
                # Step 5. Play the one answer
                frame.reply = moves[frame.end]
                play(state, frame.reply)
                update(state, memory, frame.reply)
                level += 1
                frames[level].start, phase = frame.end, ATTACK
                if state.status != RUNNING:
                    frames[level].next, frames[level].end, phase = frame.end, frame.end, CHOOSE
                continue
            now.is_cut |= 1 if threats == 1 else 0
            revert(state, memory, frame.move)
            undo(state, frame.move)
            if threats > 1:
                now.length = 2 * level + 3
                take_back(state, memory, frames, level)
                return True
        if frame.next < frame.end:
            # Step 3. Play the next four
            frame.move = moves[frame.next]
            frame.next += 1
            play(state, frame.move)
            update(state, memory, frame.move)
            phase = DEFEND
        else:
            # Step 6. No four wins: remember it, and go back
            if now.is_cut == 0:
                table[(state.key ^ salt) & (table.shape[0] - 1)] = state.key ^ salt
            if level == 0:
                return True
            level -= 1
            undo_pair(state, memory, frames[level])


def abandon_fours(workspace):
    """Puts the position back that a search began with which stopped at a budget."""
    state, memory, now, frames = workspace.states[0], workspace.memories[0], workspace.fours[0], workspace.four_frames
    if now.phase == DEFEND:
        revert(state, memory, frames[now.level].move)
        undo(state, frames[now.level].move)
    take_back(state, memory, frames, now.level)


def undo_pair(state, memory, frame):
    """Takes back a four and its answer."""
    revert(state, memory, frame.reply)
    undo(state, frame.reply)
    revert(state, memory, frame.move)
    undo(state, frame.move)


def take_back(state, memory, frames, level):
    """Takes back the fours and answers that lead to a level."""
    while level > 0:
        level -= 1
        undo_pair(state, memory, frames[level])
