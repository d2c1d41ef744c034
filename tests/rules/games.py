"""Hypothesis strategies for games and for positions that random play reaches."""

from hypothesis import strategies as st
from sparring import Game, Position

COLUMNS = "abcdefghijklmno"


@st.composite
def connect_k_games(draw, largest=7):
    width, height = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    return Game("ConnectK", width=width, height=height, k=draw(st.integers(1, max(width, height))), gravity=draw(st.booleans()))


@st.composite
def gomoku_games(draw, largest=9):
    return Game("Gomoku", size=draw(st.integers(5, largest)), rule=draw(st.sampled_from(("freestyle", "standard", "caro", "renju"))))


@st.composite
def isola_games(draw, largest=6):
    """Any board and combination of parts; on boards of one square only free placement is possible."""
    width, height = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    names = [f"{COLUMNS[column]}{row + 1}" for row in range(height) for column in range(width)]
    starts, fixed = "none", False
    if len(names) > 1 and draw(st.booleans()):
        starts, fixed = draw(st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True)), draw(st.booleans())
    step, removal = draw(st.sampled_from(("king", "queen", "knight"))), draw(st.sampled_from(("vacated", "any")))
    return Game("Isola", width=width, height=height, step=step, removal=removal, starts=starts, fixed=fixed)


PRESETS = st.sampled_from([Game("ConnectFour"), Game("TicTacToe"), Game("ConnectK"), Game("Gomoku")]) | st.builds(
    Game, st.just("Isola"), rules=st.sampled_from(("queen", "classic", "sevens", "nines", "knight", "knight_wide"))
)
GAMES = st.one_of(connect_k_games(), gomoku_games(), isola_games(), PRESETS)


@st.composite
def positions(draw, games=GAMES, longest=40):
    """A position after some random moves, perhaps a finished one, with its moves."""
    position = Position(draw(games))
    plies = draw(st.integers(0, longest))
    for choice in draw(st.lists(st.integers(0, 2**16), min_size=plies, max_size=plies)):
        if position.is_over:
            break
        position.push(position.legal_moves[choice % len(position.legal_moves)])
    return position
