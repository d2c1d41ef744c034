"""Trees that are kept from move to move: nodes in an array, each with its first child and its next sibling. Kernels.

    node 0, the root ── first ──> node 1 ── next ──> node 2 ── next ──> NONE
                                    │
                                    └── first ──> node 3 ── next ──> NONE

A record type of nodes has at least the fields `move`, `first` and `next`. The root is nobody's child, so its index serves as NONE.
"""

NONE = 0


def child_by(tree, node, move):
    """Returns the child of a node that a move leads to, or NONE if the tree has no such child."""
    child = tree[node].first
    while child != NONE and tree[child].move != move:
        child = tree[child].next
    return child


def copy_below(old, new, line, most):
    """Copies what lies below a line of moves into another array, where the end of the line becomes the root.

    The copy runs breadth first, and the new array is its own queue: a node that waits still has its first child in the old array.

    Args:
        old: NODE[...], unchanged.
        new: NODE[...].
        line: int64[...], the moves from the old root to the new one.
        most: nodes to copy, at least 1; children that do not fit are left out together with their siblings.

    Returns:
        The number of nodes copied, or 0 if the line leads out of the tree.
    """
    root = NONE
    for move in line:
        root = child_by(old, root, move)
        if root == NONE:
            return 0
    new[0] = old[root]
    new[0].next = NONE
    node, used = 0, 1
    while node < used:
        child, first = new[node].first, used
        while child != NONE and used < most:
            new[used] = old[child]
            new[used].next = used + 1
            child = old[child].next
            used += 1
        if child != NONE:
            used = first
        if used > first:
            new[used - 1].next = NONE
        new[node].first = first if used > first else NONE
        node += 1
    return used
