"""Alpha-beta on a tree that is kept: from one depth to the next, and from one move of the game to the next. A template.

Every position that was searched deeper than a leaf has its children in the tree. What the tree is good for: the best child found moves
to the front of its siblings, so that the next depth searches it first, and a node whose value decides the game is not searched again.
All other values are found anew at each depth. The phases of a node and the pieces of a search are those of `alphabeta`.

The root's move is the first in the order of moves among those that are worth the most, in whatever order they were searched: a move that
comes before the best one so far is searched with a window that lets it draw level. So neither move nor score depends on what an earlier
search has left in the tree.

Contract: the root's value is exact.
"""

import numpy as np

from ...envs.rules.interface import DRAWN, RUNNING, play, undo
from ..evaluation.interface import candidates, evaluate, prepare, revert, set_up, update
from .alphabeta import CHOOSE, ENTER, LEAVE, MAX_DEPTH, START, keep_line
from .scores import EXACT, INFINITY, LOWER, UPPER, WIN, from_table, is_decisive, plies_to_end, to_table
from .tree import NONE, copy_below

PAUSED, FINISHED, FULL = range(3)  # the budget is spent, the root has its value, there is no room for more nodes
NODE = np.dtype(
    [("move", np.int32), ("first", np.int32), ("next", np.int32), ("value", np.int32), ("depth", np.int16), ("bound", np.int16)]
)  # depth 0: never searched; a decisive value counts from its own node
FRAME = np.dtype([(name, np.int64) for name in "node alpha beta first_alpha best best_move last child move depth line_length".split()])
PROGRESS = np.dtype([(name, np.int64) for name in "level value phase used pruning nodes evaluations decided".split()])


def keep(old, new, line, most):
    """Copies the tree below a line of moves into another array; see `tree.copy_below`."""
    return copy_below(old, new, line, most)


def expand(state, memory, tree, node, moves, now):
    """Gives a node its children, in the order of moves; returns False if there is no room for them."""
    count = candidates(state, memory, moves, 0)
    first = now.used
    if first + count > tree.shape[0]:
        return False
    for i in range(count):
        child = tree[first + i]
        child.move, child.first, child.next = moves[i], NONE, first + i + 1
        child.value, child.depth, child.bound = 0, 0, EXACT
    tree[first + count - 1].next = NONE
    node.first, now.used = first, first + count
    return True


def is_settled(node, score, frame):
    """Tells whether the value kept with a node, `score` as seen from the root, decides the game and fits the node's window."""
    if not is_decisive(score):
        return False
    return node.bound == EXACT or (score >= frame.beta if node.bound == LOWER else score <= frame.alpha)


def keep_value(node, value, level, frame):
    """Keeps the value that a search of a node found, and what it is of the true one.

    A win that takes longer than the depth searched comes from values that were kept, and a quicker one can have been overlooked: for the
    winner it is a lower bound, for the loser an upper one, and nothing if the window makes it the opposite.
    """
    node.value, node.depth = to_table(value, level), frame.depth
    node.bound = LOWER if value >= frame.beta else UPPER if value <= frame.first_alpha else EXACT
    if is_decisive(value) and plies_to_end(value) - level > frame.depth:
        holds = LOWER if value > 0 else UPPER
        if node.bound != EXACT and node.bound != holds:
            node.value = 0
        node.bound = holds


def first_line(tree, node, lines, level):
    """Writes the line of first children below a node to lines[level] and returns its length: the best play of a node of exact value."""
    length, child = 0, tree[node].first
    while child != NONE and length < MAX_DEPTH - level:
        lines[level, length] = tree[child].move
        length, child = length + 1, tree[child].first
    return length


def open_child(frame, child, level, pruning):
    """Gives the child of a frame's next move its window and depth; at the root, a move before the best one may draw level with it."""
    if pruning:
        may_draw_level = level == 0 and frame.move < frame.best_move
        child.alpha, child.beta = -frame.beta, -frame.alpha + (1 if may_draw_level else 0)
    else:
        child.alpha, child.beta = -INFINITY, INFINITY
    child.depth, child.node = frame.depth - 1, frame.child


def bring_to_front(tree, frame):
    """Makes a frame's child the first of its siblings; `last` is the sibling before it, which stays where it is."""
    if frame.last == NONE:
        frame.last = frame.child
    else:
        node, child = tree[frame.node], tree[frame.child]
        tree[frame.last].next = child.next
        child.next, node.first = node.first, frame.child


def run(states, memories, frames, progress, tree, moves, lines, budget):
    """Carries the search on for at most `budget` nodes and returns PAUSED, FINISHED or FULL.

    After FULL the search cannot go on, but the tree is sound, as it is after PAUSED. As soon as frames[0].best_move is not -1 it is the
    best of the root's moves searched so far, frames[0].best its score and lines[0] its line.

    Args:
        states: STATE[1], the root position; in the middle of a line unless FINISHED.
        memories: MEMORY[1], what the evaluation remembers of it.
        frames: FRAME[MAX_DEPTH + 1], one a level; at START, frames[0] holds the depth, at least 1.
        progress: PROGRESS[1], its phase START for a new search; `used` nodes of the tree are taken, at least 1.
        tree: NODE[...], more than 1 + most moves; the root is node 0.
        moves: int64[most moves], to write moves to.
        lines: int64[MAX_DEPTH + 1, MAX_DEPTH + 1], the principal variation from each level on; lines[0, :frames[0].line_length] at the end.
        budget: nodes, at least 1.
    """
    state, memory, now = states[0], memories[0], progress[0]
    level, value, phase, nodes = now.level, now.value, now.phase, 0
    if phase == START:
        set_up(state, memory)
        prepare(state, memory)
        frame = frames[0]
        frame.node, frame.alpha, frame.beta, frame.best_move = 0, -INFINITY, INFINITY, -1
        level, phase = 0, ENTER
    while True:
        frame = frames[level]
        node = tree[frame.node]
        if phase == ENTER:
            # Step 1. Stop at the budget, before the node is counted
            if nodes == budget:
                now.level, now.value, now.phase = level, value, phase
                now.nodes += nodes
                return PAUSED
            nodes += 1
            phase = LEAVE
            frame.line_length = 0
            # Step 2. Finished games, nodes that decide the game, and leaves
            if state.status != RUNNING:
                value = 0 if state.status == DRAWN else level - WIN
                continue
            score = from_table(np.int64(node.value), level)
            if level > 0 and is_settled(node, score, frame):
                now.decided += 1
                value = score
                if node.bound == EXACT:
                    frame.line_length = first_line(tree, frame.node, lines, level)
                continue
            if frame.depth <= 0:
                now.evaluations += 1
                value = evaluate(state, memory)
                continue
            # Step 3. A node searched for the first time gets its children
            if node.first == NONE and not expand(state, memory, tree, node, moves, now):
                now.nodes += nodes
                return FULL
            frame.first_alpha, frame.best, frame.best_move, frame.last = frame.alpha, -INFINITY, -1, NONE
            frame.child = np.int64(node.first)
            phase = CHOOSE
        elif phase == CHOOSE:
            if frame.child != NONE:
                # Step 4. Play the next move
                frame.move = np.int64(tree[frame.child].move)
                open_child(frame, frames[level + 1], level, now.pruning)
                play(state, frame.move)
                update(state, memory, frame.move)
                level += 1
                phase = ENTER
            else:
                # Step 5. Every move is done: remember the value and leave
                value = frame.best
                phase = LEAVE
                keep_value(node, value, level, frame)
        else:
            # Step 6. The root's value is the answer
            if level == 0:
                now.level, now.value, now.phase = level, value, phase
                now.nodes += nodes
                return FINISHED
            level -= 1
            frame = frames[level]
            score = -value
            revert(state, memory, frame.move)
            undo(state, frame.move)
            phase = CHOOSE
            # Step 7. The best child so far moves to the front; one that raises alpha has the line; a cutoff ends the node
            following = np.int64(tree[frame.child].next)
            if score > frame.best or (level == 0 and score == frame.best and frame.move < frame.best_move):
                frame.best, frame.best_move = score, frame.move
                bring_to_front(tree, frame)
                if score > frame.alpha or level == 0:
                    frame.alpha = max(frame.alpha, score) if now.pruning else frame.alpha
                    keep_line(lines, frames, level)
                if now.pruning and score >= frame.beta:
                    following = np.int64(NONE)
            else:
                frame.last = frame.child
            frame.child = following
