"""Rules of Gomoku: Connect-K with five in a row on a square board, without gravity, and with Zobrist keys of its own.

A move is a cell; cells are row-major with row 0 at the bottom, so that a1 is cell 0 and, on the 15x15 board, h8 (the centre) is
7 * 15 + 7 = 112.

    freestyle   five or more in a row win
    standard    exactly five in a row win, a longer row is nothing
    caro        exactly five in a row win unless the other side has a stone at both ends; the edge of the board is no stone
    renju       exactly five in a row win for side 0, to which some moves are forbidden, and five or more for side 1; see `renju`

A win is tested at the move that completes the row. In caro a row of five between two stones is none, and never becomes one, as no stone
goes away; the game goes on, and the side whose stone closes a row of the other has lost nothing by it.

Source of caro: rule 8 of the Gomocup protocol.
"""

from . import renju
from .connect_k import (  # noqa: F401 - the same rules
    GOMOKU_KEYS,
    STATE,
    action_count,
    changes,
    ending,
    has_zugzwang,
    is_legal,
    join_moves,
    may_win_at_once,
    move_text,
    moves,
    play,
    read_move,
    set_board,
    skip,
    split_moves,
    symmetries,
    undo,
    why_illegal,
    winning_lines,
    write_mask,
)
from .errors import check_choice, check_whole
from .lines import FIRST_EXACT, SECOND_EXACT, UNENCLOSED
from .state import State

MIN_SIZE, MAX_SIZE = 5, 20
FIVE = 5
STANDARD = FIRST_EXACT | SECOND_EXACT
CARO, RENJU = STANDARD | UNENCLOSED, FIRST_EXACT
RULES = {"freestyle": 0, "standard": STANDARD, "caro": CARO, "renju": RENJU}  # state.exact


def initial(size=15, rule="freestyle"):
    """Returns the empty board.

    Args:
        size: side of the board, 5 to 20.
        rule: "freestyle", "standard", "caro" or "renju"; see above.

    Raises:
        RulesError: a parameter is out of its range.
    """
    size = check_whole("size", size, MIN_SIZE, MAX_SIZE)
    exact = RULES[check_choice("rule", rule, tuple(RULES))]
    state_type = renju.STATE if exact == RENJU else STATE
    return State(state_type, width=size, height=size, k=FIVE, exact=exact, key_set=GOMOKU_KEYS)


def module_for(state):
    """Returns the module whose functions play on from a start, or None if this one does."""
    return renju if state.exact == RENJU else None
