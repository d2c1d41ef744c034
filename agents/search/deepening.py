"""One depth of an iterative deepening on the resumable kernel, and the whole of one for opponents inside a batch. A template.

A depth is one window on the root or several: an open one; aspiration windows, opened where the score falls outside; or for MTD(f) null
windows around a guess, until the bounds on the score meet.

With the switch `threats` a win by threats is looked for before each depth, and after it a win of the opponent's against the move found. One
that is found goes into the table, and the depth is searched again.

Source: A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth minimax algorithms" (1996), for MTD(f).
"""

import numpy as np

from ...envs.chance import draw, scrambled
from ...envs.rules.interface import RUNNING, play, undo
from ..evaluation.interface import LIMIT, prepare, revert, set_up, update
from .alphabeta import MAX_DEPTH, START, estimates_of, run
from .scores import INFINITY, LOWER, WIN, is_decisive, to_table
from .table import GENERATIONS, store
from .without_threats import begin_threats, run_threats

NEW, THREATENING, BETWEEN, SEARCHING, DOUBTING, SETTLED = range(
    6
)  # stages of a depth: our threats, before a window, inside one, their threats
UNLIMITED = 1 << 60
THREATS_SHARE = 1  # the search for our threats may spend one node for each so many of all others
DOUBTS_SHARE = 4  # that for threats against the move found likewise
LEAST_DOUBTED_DEPTH = 3  # less deep, replies have no entries in the table
MOST_DOUBTS = 64  # moves of a search that threats may refute
LIMITS, WINDOW, FOUND, THREATS = (
    "first deepest nodes aspiration mtdf",
    "stage depth alpha beta low high searches is_set_up evaluations estimates",
    "score move line_length ties is_complete",
    "threat_nodes threats_are_settled is_by_threats doubt_nodes doubts",
)
PLAN = np.dtype([(name, np.int64) for name in f"{LIMITS} {WINDOW} {FOUND} {THREATS}".split()])


def begin_search(workspace):
    """Begins the search of the position in states[0], independent of earlier ones.

    A new salt hides their table entries, and a new generation lets them be overwritten.
    """
    take_root(workspace)
    plan, now, table = workspace.plans[0], workspace.progress[0], workspace.table
    plan.searches += 1
    generation = 1 + plan.searches % (GENERATIONS - 1)
    if generation == 1:  # generations wrap around: clear the table, or old entries would look new
        for i in range(table.shape[0]):
            table[i].depth, table[i].stamp = 0, 0
    now.salt, now.generation = scrambled(plan.searches), generation
    now.nodes, now.evaluations, now.table_hits, now.estimated_hits, now.left_out = 0, 0, 0, 0, 0
    plan.score, plan.move, plan.line_length, plan.ties = 0, -1, 0, 0
    workspace.history[:] = 0
    workspace.killers[:] = -1
    plan.threat_nodes, plan.threats_are_settled, plan.is_by_threats = 0, 1 - workspace.switches[0].threats, 0
    plan.doubt_nodes, plan.doubts = 0, 0


def take_root(workspace):
    """Makes the position in states[0] the root."""
    state, memory, plan = workspace.states[0], workspace.memories[0], workspace.plans[0]
    if not plan.is_set_up:
        set_up(state, memory)
        plan.is_set_up = 1
    prepare(state, memory)


def search_depth(workspace, budget):
    """Carries the search of plan.depth on for at most `budget` nodes; returns True once its score, move and line are found.

    Then plan.is_complete tells whether no evaluation had a part in the score, as all lines went to the end of the game, and
    plan.is_by_threats whether threats win at the root; the depth was not searched then.

    Before a depth plan.stage is NEW, states[0] is the root, as it is again after the depth, and plan.score is the guess from which windows
    start.
    """
    plan, now, root = workspace.plans[0], workspace.progress[0], workspace.frames[0]
    if plan.stage == NEW:
        open_first_window(plan)
        plan.evaluations, plan.estimates = now.evaluations, estimates_of(now)
        limit = (now.nodes - plan.threat_nodes) // THREATS_SHARE - plan.threat_nodes
        if plan.depth > 1 and limit > 0 and not plan.threats_are_settled:
            begin_threats(workspace, limit)
            plan.stage = THREATENING
    if plan.stage == THREATENING:
        before = now.nodes
        if not search_threats(workspace, budget):
            return False
        if plan.is_by_threats:
            return True
        budget -= now.nodes - before
    while plan.stage != SETTLED:
        if plan.stage == BETWEEN:
            root.alpha, root.beta, root.depth = plan.alpha, plan.beta, plan.depth
            now.phase, now.equals, root.best_move = START, 0, -1
            plan.stage = SEARCHING
        if plan.stage == SEARCHING:
            before = now.nodes
            if not run(workspace, budget):
                return False
            budget -= now.nodes - before
            plan.stage = BETWEEN
            if narrow(workspace):
                plan.stage = SETTLED
                begin_doubts(workspace)
        if plan.stage == DOUBTING:
            before = now.nodes
            if not search_doubts(workspace, budget):
                return False
            budget -= now.nodes - before
    plan.is_complete = 1 if plan.estimates == estimates_of(now) else 0
    if not plan.is_complete and plan.evaluations == now.evaluations:
        now.salt = scrambled(now.salt)  # only reduced entries of the table gave estimates: hide them from the next depth
    return True


def search_threats(workspace, budget):
    """Carries the search for a win by threats at the root on for at most `budget` nodes; returns True once it is finished."""
    plan, now, threats, root = workspace.plans[0], workspace.progress[0], workspace.threats[0], workspace.threat_frames[0]
    before = threats.nodes
    is_finished = run_threats(workspace, budget)
    now.nodes += threats.nodes - before
    plan.threat_nodes += threats.nodes - before
    if is_finished:
        plan.stage = BETWEEN
        plan.threats_are_settled = 1 if root.disproof == 0 or root.length > 0 else 0
    if is_finished and root.length > 0:
        plan.score, plan.move, plan.line_length, plan.ties = WIN - root.length, workspace.children[root.chosen].move, 1, 0
        workspace.found_line[0], plan.is_by_threats = plan.move, 1
    return is_finished


def begin_doubts(workspace):
    """Begins a search for a win by threats against the move that a depth has found, if it is worth one."""
    plan, now, settings = workspace.plans[0], workspace.progress[0], workspace.switches[0]
    state, memory = workspace.states[0], workspace.memories[0]
    limit = (now.nodes - plan.doubt_nodes) // DOUBTS_SHARE - plan.doubt_nodes
    if not (settings.threats and settings.table and settings.cutoffs) or limit <= 0 or plan.doubts == MOST_DOUBTS:
        return
    if plan.depth >= LEAST_DOUBTED_DEPTH and not is_decisive(plan.score):
        play(state, plan.move)
        update(state, memory, plan.move)
        if state.status == RUNNING:
            begin_threats(workspace, limit)
            plan.stage = DOUBTING
        else:
            revert(state, memory, plan.move)
            undo(state, plan.move)


def search_doubts(workspace, budget):
    """Carries that search on for at most `budget` nodes; returns True once it is finished.

    If it finds a win, the table keeps it, and the depth begins anew.
    """
    plan, now, threats, root = workspace.plans[0], workspace.progress[0], workspace.threats[0], workspace.threat_frames[0]
    state, memory, before = workspace.states[0], workspace.memories[0], threats.nodes
    is_finished = run_threats(workspace, budget)
    now.nodes += threats.nodes - before
    plan.doubt_nodes += threats.nodes - before
    if is_finished:
        plan.stage = SETTLED
        if root.length > 0:
            score, reply = to_table(WIN - 1 - root.length, 1), workspace.children[root.chosen].move
            store(workspace.table, state.key ^ now.salt, now.generation, score, reply, MAX_DEPTH, LOWER)
            plan.doubts += 1
            open_first_window(plan)
        revert(state, memory, plan.move)
        undo(state, plan.move)
    return is_finished


def open_first_window(plan):
    """Sets the first window of a depth."""
    plan.stage, plan.low, plan.high = BETWEEN, -INFINITY, INFINITY
    plan.alpha, plan.beta = -INFINITY, INFINITY
    if plan.mtdf:
        plan.alpha, plan.beta = plan.score - 1, plan.score
    elif plan.aspiration and plan.depth > 1:
        plan.alpha, plan.beta = plan.score - plan.aspiration, plan.score + plan.aspiration


def narrow(workspace):
    """Takes the value of a finished window; returns True if it settles the depth, else sets the next window."""
    plan, value = workspace.plans[0], workspace.progress[0].value
    if plan.mtdf:
        if value >= plan.beta:
            plan.low = value
            keep(workspace)
        else:
            plan.high = value
        plan.beta = max(value, plan.low + 1)
        plan.alpha = plan.beta - 1
        return plan.low >= plan.high
    if plan.alpha < value < plan.beta:
        keep(workspace)
        return True
    if value <= plan.alpha:
        plan.alpha = -INFINITY
    else:
        plan.beta = INFINITY
    return False


def keep_unfinished(workspace):
    """Keeps the best move of a depth that a limit has cut short, if it was searched after the one of the depth before."""
    plan, now, root = workspace.plans[0], workspace.progress[0], workspace.frames[0]
    is_open = plan.stage == SEARCHING and plan.alpha == -INFINITY and root.best_move >= 0 and root.hash_move == plan.move
    if workspace.switches[0].unfinished and is_open and root.best >= -LIMIT:
        now.value, now.best_move = root.best, root.best_move
        keep(workspace)


def keep(workspace):
    """Keeps what a window found, as the next one writes over it."""
    plan, now, root = workspace.plans[0], workspace.progress[0], workspace.frames[0]
    plan.score, plan.move, plan.line_length, plan.ties = now.value, now.best_move, root.line_length, now.equals
    for i in range(root.line_length):
        workspace.found_line[i] = workspace.lines[0, i]
    for i in range(now.equals):
        workspace.ties[i] = workspace.equals[i]


def answer(state, workspace, stream):
    """Returns the best move of a running game, deepening from plan.first to plan.deepest or until plan.nodes are spent.

    The first depth knows no limits. Of equal moves one is drawn, if the switch `ties` looks for them.
    """
    plan, now, limit = workspace.plans[0], workspace.progress[0], UNLIMITED
    workspace.states[0] = state
    begin_search(workspace)
    for depth in range(plan.first, plan.deepest + 1):
        plan.stage, plan.depth = NEW, depth
        if now.nodes >= limit or not search_depth(workspace, limit - now.nodes):
            keep_unfinished(workspace)
            break
        if is_decisive(plan.score) or plan.is_complete:
            break
        limit = plan.nodes
    return workspace.ties[draw(stream, plan.ties)] if plan.ties else plan.move
