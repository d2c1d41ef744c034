"""Wins by threes and fours: proof-number search, depth first, on an explicit stack, resumable by node budget. A template.

The attacker makes threats alone: fours, and quiet moves after which it would win by fours if the defender passed. The defender tries every
move that may meet the threat.

    attacker to move   a win at once, or by fours          won
                       a win of the defender's to be met   the move that meets it; two cannot be met
                       else                                the evaluation's threes, then fours
    defender to move   a win at once, or no threat         not won
                       threats to win at once              the move that meets them; two cannot be met
                       else, a win by fours threatens      all moves that may meet it

A node's proof is how many positions still have to be won, its disproof how many have to be refuted, to settle it: 0 and INFINITE where it
is settled. An attack needs one of its moves, a defence all of them, so an attack's proof is the least of its children's and its disproof
their sum, and the other way round for a defence. Each node searches the child that is nearest to a proof (or disproof), until its own
numbers pass the limits at which another node is nearer.

Contract: a win that is found is one whatever the defender plays, though not always the quickest; that none is found proves nothing. Equal
budgets give equal results, whether spent in one call or in several.

Source: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002), for the search; L. V. Allis, H. J. van den Herik
and M. P. H. Huntjens, "Go-Moku and threat-space search" (1993), for threats.
"""

import numpy as np

from ...envs.chance import scrambled
from ...envs.rules.interface import RUNNING, play, skip, undo
from ..evaluation.interface import fours, parries, revert, threes, update, winning_moves
from .fours import abandon_fours, begin_fours, run_fours

MAX_LEVEL = 60
FOURS_LIMIT = 100  # nodes of one search for fours
INFINITE = 1 << 30
QUIET_PROOF = 4  # that of a quiet threat which was not looked at; a four has 1
ATTACK, ATTACK_BY_FOURS, DEFEND, DEFEND_AGAINST_FOURS, CHOOSE, LEAVE = range(6)  # phases
THREAT_FRAME = np.dtype(
    [(name, np.int64) for name in "start end is_attack chosen proof_limit disproof_limit proof disproof length four_length".split()]
)
THREATS = np.dtype([(name, np.int64) for name in "level phase nodes limit salt forcing".split()])
CHILD = np.dtype([("move", np.int64), ("key", np.int64), ("proof", np.int64), ("disproof", np.int64), ("length", np.int64)])
THREAT_ENTRY = np.dtype([("key", np.int64), ("proof", np.int32), ("disproof", np.int32), ("length", np.int64)])


def begin_threats(workspace, limit):
    """Begins a search for a win of the side to move in states[0], or goes on with it; it is cut at `limit` nodes.

    The table has what an earlier one of the same position has found. An attack and a defence never share an entry, as keys are salted by
    the attacker.
    """
    now, root = workspace.threats[0], workspace.threat_frames[0]
    now.level, now.phase, now.nodes, now.limit = 0, ATTACK, 0, limit
    now.salt = scrambled(workspace.progress[0].salt ^ workspace.states[0].side)
    root.start, root.proof_limit, root.disproof_limit, root.length = 0, INFINITE, INFINITE, 0


def run_threats(workspace, budget):
    """Carries the search on for at most `budget` nodes; returns True once it is finished, with the position as it was.

    Then threat_frames[0].length is 0, or the plies that a win takes at most, and children[threat_frames[0].chosen].move its first move.
    If threat_frames[0].disproof is not 0, the search was cut.
    """
    state, memory, now, frames = workspace.states[0], workspace.memories[0], workspace.threats[0], workspace.threat_frames
    moves, children, table, salt = workspace.threat_moves, workspace.children, workspace.threat_table, now.salt
    by_fours, line = workspace.fours[0], workspace.four_line
    level, phase, end = now.level, now.phase, min(now.nodes + budget, now.limit)
    while True:
        frame, count = frames[level], 0
        if phase in (ATTACK, DEFEND):
            # Step 1. Stop at the budget, before the node is counted; the caller has counted the root
            if level > 0:
                if now.nodes == end:
                    now.level, now.phase = level, phase
                    return is_over(workspace)
                now.nodes += 1
            frame.end, frame.chosen, frame.length, frame.is_attack = frame.start, frame.start, 0, 1 if phase == ATTACK else 0
            frame.four_length, frame.proof, frame.disproof = 0, INFINITE, 0  # no win, unless it turns out otherwise
            if phase == ATTACK:
                # Step 2. The attacker wins at once, meets a threat, or looks for a win by fours
                phase = LEAVE
                if winning_moves(state, memory, state.side, moves, 0) > 0:
                    children[frame.start].move = moves[0]
                    frame.proof, frame.disproof, frame.length = 0, INFINITE, 1
                else:
                    count = winning_moves(state, memory, 1 - state.side, moves, 0)
                    if count == 0:
                        if table[(state.key ^ salt) & (table.shape[0] - 1)].key == state.key ^ salt:  # was here before, without fours
                            count = list_threats(state, memory, moves, now)
                        else:
                            begin_fours(workspace, FOURS_LIMIT)
                            phase = ATTACK_BY_FOURS
                    elif count > 1:
                        count = 0
            else:
                # Step 3. The defender wins at once, meets a threat, or is threatened by fours
                phase = LEAVE
                if state.status == RUNNING and winning_moves(state, memory, state.side, moves, 0) == 0:
                    count = winning_moves(state, memory, 1 - state.side, moves, 0)
                    if count > 1:
                        count, frame.proof, frame.disproof, frame.length = 0, 0, INFINITE, 2
                    elif count == 0 and level < MAX_LEVEL - 1:
                        skip(state)
                        begin_fours(workspace, FOURS_LIMIT)
                        phase = DEFEND_AGAINST_FOURS
        if phase in (ATTACK_BY_FOURS, DEFEND_AGAINST_FOURS):
            before = by_fours.nodes
            is_finished = run_fours(workspace, end - now.nodes)
            now.nodes += by_fours.nodes - before
            if not is_finished:
                now.level, now.phase = level, phase
                return is_over(workspace)
            # Step 4. A quiet move that threatens no win by fours fails, else all that may meet it is tried
            if phase == DEFEND_AGAINST_FOURS:
                skip(state)
                if by_fours.length > 0:
                    count, frame.four_length = parries(state, memory, line, by_fours.length, moves, 0), by_fours.length
            elif by_fours.length > 0:
                children[frame.start].move = line[0]
                frame.proof, frame.disproof, frame.length = 0, INFINITE, by_fours.length
            elif level < MAX_LEVEL - 1:
                count = list_threats(state, memory, moves, now)
            phase = LEAVE
        if phase == LEAVE and frame.end == frame.start and count > 0:
            # Step 5. Look the children up
            frame.end = list_children(state, moves, count, now.forcing if frame.is_attack else count, children, frame.start, table, salt)
            phase = CHOOSE
        if phase == CHOOSE:
            # Step 6. Sum the children up, and search the one nearest to a proof if the node is within its limits
            second = sum_up(frame, children)
            phase = LEAVE
            if frame.proof < frame.proof_limit and frame.disproof < frame.disproof_limit and frame.proof != 0 and frame.disproof != 0:
                child, chosen = frames[level + 1], children[frame.chosen]
                child.start = frame.end
                if frame.is_attack:
                    child.proof_limit = min(frame.proof_limit, second + 1 + (second >> 2))
                    child.disproof_limit = frame.disproof_limit - frame.disproof + chosen.disproof
                else:
                    child.disproof_limit = min(frame.disproof_limit, second + 1 + (second >> 2))
                    child.proof_limit = frame.proof_limit - frame.proof + chosen.proof
                play(state, chosen.move)
                update(state, memory, chosen.move)
                level += 1
                phase = DEFEND if frame.is_attack else ATTACK
        if phase == LEAVE:
            # Step 7. Remember the node, and tell its parent
            entry = table[(state.key ^ salt) & (table.shape[0] - 1)]
            entry.key, entry.proof, entry.disproof, entry.length = state.key ^ salt, frame.proof, frame.disproof, frame.length
            if level == 0:
                now.level, now.phase = level, phase
                return True
            level -= 1
            chosen = children[frames[level].chosen]
            chosen.proof, chosen.disproof, chosen.length = frame.proof, frame.disproof, frame.length
            revert(state, memory, chosen.move)
            undo(state, chosen.move)
            phase = CHOOSE


def is_over(workspace):
    """Tells whether a search that stopped at a budget has reached its limit; then puts the position back that it began with."""
    state, memory, now, frames = workspace.states[0], workspace.memories[0], workspace.threats[0], workspace.threat_frames
    if now.nodes < now.limit:
        return False
    if now.phase in (ATTACK_BY_FOURS, DEFEND_AGAINST_FOURS):
        abandon_fours(workspace)
        if now.phase == DEFEND_AGAINST_FOURS:
            skip(state)
    while now.level > 0:
        now.level -= 1
        move = workspace.children[frames[now.level].chosen].move
        revert(state, memory, move)
        undo(state, move)
    frames[0].length, frames[0].disproof = 0, 1
    return True


def list_threats(state, memory, moves, now):
    """Writes the moves that may threaten something to `moves` and returns their number."""
    now.forcing = fours(state, memory, moves, 0)
    return now.forcing + threes(state, memory, moves, now.forcing)


def list_children(state, moves, count, forcing, children, start, table, salt):
    """Writes the positions after some moves to children[start:], with what is known of them; returns where they end."""
    for i in range(count):
        child = children[start + i]
        play(state, moves[i])
        child.move, child.key = moves[i], state.key ^ salt
        undo(state, moves[i])
        entry = table[child.key & (table.shape[0] - 1)]
        if entry.key == child.key:
            child.proof, child.disproof, child.length = entry.proof, entry.disproof, entry.length
        else:
            child.proof, child.disproof, child.length = QUIET_PROOF if i >= forcing else 1, 1, 0
    return start + count


def sum_up(frame, children):
    """Sets a node's numbers by those of its children, and the child to search; returns the second least number of these.

    A proven attack takes one ply more than the child that proves it, a defence one more than the longest.
    """
    least, second, total, longest = INFINITE, INFINITE, np.int64(0), frame.four_length
    for i in range(frame.start, frame.end):
        child = children[i]
        own, other = (child.proof, child.disproof) if frame.is_attack else (child.disproof, child.proof)
        total = min(total + other, INFINITE)
        longest = max(longest, child.length)
        if own < least:
            least, second, frame.chosen = own, least, i
        elif own < second:
            second = own
    if frame.is_attack:
        frame.proof, frame.disproof = least, total
        frame.length = children[frame.chosen].length + 1 if least == 0 else 0
    else:
        frame.proof, frame.disproof = total, least
        frame.length = longest + 1 if total == 0 else 0
    return second
