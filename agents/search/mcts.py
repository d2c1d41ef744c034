"""Monte Carlo tree search: UCT with random rollouts and proven values. A template.

One simulation walks down the tree by the upper confidence bounds of its nodes, adds one node, plays random moves from there to the end of
the game, and counts the result in every node that it came through. A node's children are added one at a time, in a shuffled order, and only
when all moves were tried does the bound choose among them: so the tree grows by one node a simulation, however many moves there are.

A finished game is a proven value, and proven values are handed up: a node with a lost child is won, and one whose moves all lead to proven
children is drawn if one of them is drawn, and else lost. What is proven is not visited again. A node with a drawn child holds the draw: a
result from a child that promises less counts as a draw in the node and above. A proven root ends the search.

Results count in half games, 0 lost, 1 drawn, 2 won, for the side that moved into the node. All arithmetic is on integers and on IEEE
additions, products, quotients and square roots, so equal seeds give equal searches on every machine.

Source: L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning" (2006); M. Winands, Y. Bjornsson and J. Saito, "Monte-Carlo tree
search solver" (2008).
"""

import math

import numpy as np

from ...envs.rules.interface import DRAWN, RUNNING, moves, play
from .tree import NONE, copy_below

UNKNOWN, HOLDS, LOSS, DRAW, WIN = range(5)  # a node's value, for the side to move there; HOLDS: a draw or a win; proven from LOSS on
NODE = np.dtype([(name, np.int32) for name in "move first next children branching visits points value".split()])
PROGRESS = np.dtype([("used", np.int64), ("random", np.int64), ("exploration", np.float64)])
BITS_62, BITS_57, BITS_31 = 2**62 - 1, 2**57 - 1, 2**31 - 1
LN_2 = 0.6931471805599453


def keep(old, new, line, most):
    """Copies the tree below a line of moves into another array; see `tree.copy_below`."""
    return copy_below(old, new, line, most)


def mixed(number):
    """Returns the next number of a xorshift generator (G. Marsaglia, 2003) on 64 bits; never 0, if `number` is not."""
    number ^= number << 13
    number ^= number >> 7 & BITS_57
    return number ^ number << 17


def below(number, bound):
    """Returns a random number scaled to 0 .. bound - 1; `bound` is below 2**31."""
    return (number >> 32 & BITS_31) * bound >> 31


def logarithm(number):
    """Returns the natural logarithm of a positive integer below 2**62, to six digits."""
    mantissa, exponent = float(number), 0
    while mantissa >= 2.0:
        mantissa *= 0.5
        exponent += 1
    z = (mantissa - 1.0) / (mantissa + 1.0)
    s = z * z
    return exponent * LN_2 + 2.0 * z * (1.0 + s * (1.0 / 3.0 + s * (1.0 / 5.0 + s * (1.0 / 7.0 + s * (1.0 / 9.0)))))


def select(tree, index, exploration, has_room):
    """Returns the child of a node to visit next, by its upper confidence bound, or NONE.

    NONE if a move is untried and the tree has room for it, and if all children are proven.
    """
    node, best, best_bound = tree[index], NONE, -1.0
    if node.first == NONE or (has_room and node.children < node.branching):
        return NONE
    log_visits, child = logarithm(node.visits), np.int64(node.first)
    while child != NONE:
        entry = tree[child]
        if entry.value < LOSS:
            bound = 0.5 * entry.points / entry.visits + exploration * math.sqrt(log_visits / entry.visits)
            if bound > best_bound:
                best, best_bound = child, bound
        child = np.int64(entry.next)
    return best


def stride(number, count):
    """Returns a number of 1 .. count that has no divisor in common with `count`, drawn by a random number."""
    found = 1 + below(number, count)
    while greatest_divisor(found, count) != 1:
        found = found % count + 1
    return found


def greatest_divisor(a, b):
    """Returns the greatest common divisor of two positive integers."""
    while b:
        a, b = b, a % b
    return a


def add_child(state, tree, index, now, out):
    """Adds a node's next child and returns its index; the children's order is the moves' order, shuffled by their position."""
    node = tree[index]
    if node.first == NONE:
        node.children, node.branching = 0, moves(state, out, 0)
    else:
        moves(state, out, 0)
    number, count = mixed(state.key & BITS_62 | 1), np.int64(node.branching)
    which = (below(mixed(number), count) + node.children * stride(number, count)) % count
    added = now.used
    child = tree[added]
    child.move, child.next, child.first = out[which], node.first, NONE
    child.children, child.branching, child.visits, child.points, child.value = 0, 0, 0, 0, UNKNOWN
    node.first, node.children = added, node.children + 1
    now.used = added + 1
    return added


def descend(state, tree, now, out, path):
    """Walks from the root down to a new node, or as far as there is room, playing the moves; returns the length of the path."""
    index, length = 0, 1
    path[0] = 0
    while state.status == RUNNING:
        has_room = now.used < tree.shape[0]
        child = select(tree, index, now.exploration, has_room)
        is_new = child == NONE
        if is_new:
            if not has_room:
                break
            child = add_child(state, tree, index, now, out)
        play(state, np.int64(tree[child].move))
        path[length] = child
        index, length = child, length + 1
        if is_new:
            break
    return length


def play_out(state, now, out):
    """Plays random moves to the end of the game."""
    number = now.random
    while state.status == RUNNING:
        count = moves(state, out, 0)
        number = mixed(number)
        play(state, out[below(number, count)])
    now.random = number


def prove(tree, index, child):
    """Gives a node the value that its children prove, as far as they do, now that the value of one child is proven."""
    node = tree[index]
    if tree[child].value == LOSS:
        node.value = WIN
        return
    if tree[child].value == DRAW:
        node.value = HOLDS
    if node.children == node.branching:
        child = np.int64(node.first)
        while child != NONE and tree[child].value >= LOSS:
            child = np.int64(tree[child].next)
        if child == NONE:
            node.value = DRAW if node.value == HOLDS else LOSS


def count_result(tree, path, length, points):
    """Counts a result, as points for the side that moved into the last node of a path, in all its nodes, and hands proven values up."""
    for i in range(length - 1, -1, -1):
        node = tree[path[i]]
        if i < length - 1:
            child = tree[path[i + 1]]
            if child.value >= LOSS:
                prove(tree, path[i], path[i + 1])
            if node.value == HOLDS and child.points < child.visits:
                points = 1
        if node.value >= LOSS:
            points = WIN - node.value
        node.visits += 1
        node.points += points
        points = 2 - points


def run(states, tree, progress, out, path, budget):
    """Carries the search on for `budget` simulations, or until the root's value is proven.

    Args:
        states: STATE[2], the root, a game that goes on, and room for a copy.
        tree: NODE[...], more than 1; the root is node 0.
        progress: PROGRESS[1]; `used` nodes of the tree are taken, at least 1; `random` is not 0.
        out: int64[most moves], to write moves to.
        path: int64[MAX_PLY + 1], to write the way of a simulation to.
        budget: simulations.

    Returns:
        The number of simulations made.
    """
    now, root = progress[0], tree[0]
    for simulation in range(budget):
        if root.value >= LOSS:
            return simulation
        states[1] = states[0]
        state = states[1]
        length = descend(state, tree, now, out, path)
        leaf_side, leaf = state.side, tree[path[length - 1]]
        if state.status != RUNNING:
            leaf.value = DRAW if state.status == DRAWN else LOSS
        play_out(state, now, out)
        points = 2 if state.side == leaf_side else 0
        count_result(tree, path, length, 1 if state.status == DRAWN else points)
    return budget


def best_child(tree, index):
    """Returns the child of a node to play, or NONE if it has none.

    That is one that its mover has won; else the most visited of those not proven, or a drawn one if that promises less; else a lost one.
    """
    unproven, drawn, lost, child = NONE, NONE, NONE, np.int64(tree[index].first)
    while child != NONE:
        value = tree[child].value
        if value == LOSS:
            return child
        if value == DRAW:
            drawn = more_visited(tree, child, drawn)
        elif value == WIN:
            lost = more_visited(tree, child, lost)
        else:
            unproven = more_visited(tree, child, unproven)
        child = np.int64(tree[child].next)
    if unproven != NONE and (drawn == NONE or tree[unproven].points >= tree[unproven].visits):
        return unproven
    return drawn if drawn != NONE else lost


def more_visited(tree, child, other):
    """Returns the child that was visited more, `child` if `other` is NONE."""
    return child if other == NONE or tree[child].visits > tree[other].visits else other


def principal_path(tree, path):
    """Writes the root and the best children below it to path, int64[MAX_PLY + 1], and returns their number."""
    node, length = np.int64(0), 0
    while length == 0 or node != NONE:
        path[length] = node
        node, length = best_child(tree, node), length + 1
    return length
