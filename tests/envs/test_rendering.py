"""Boards as text, as pixels and in a window."""

import random
import re
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from sparring.envs.drawing.rendering import Window, changed_squares, draw_image, draw_text, last_square, layout_of, winning_lines
from sparring.envs.position import Position
from sparring.envs.rules.errors import MissingExtraError

GAMES = [
    ("ConnectFour", {}),
    ("TicTacToe", {}),
    ("ConnectK", {"width": 9, "height": 7, "k": 5}),
    ("Gomoku", {"size": 15}),
    ("Isola", {"rules": "queen"}),
    ("Isola", {"rules": "classic"}),
    ("Isola", {"rules": "knight"}),
]
# Linear approximations of how dichromats see (Viénot, Brettel and Mollon 1999), on linear RGB.
DEUTERANOPIA = np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]])
PROTANOPIA = np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]])


def random_position(game, parameters, plies, seed=1):
    generator, position = random.Random(seed), Position(game, **parameters)
    while not position.is_over and position.ply < plies:
        position.push(generator.choice(position.legal_moves))
    return position


def square_of(image, position, square):
    layout = layout_of(position)
    left, top = layout.corner(square)
    return image[top : top + layout.cell, left : left + layout.cell]


def test_text_of_connect_four():
    expected = """\
 6 . . . . . . .
 5 . . . . . . .
 4 . . . . . . .
 3 . . . . . . .
 2 . . . o . . .
 1 . .(o)x x . .
   1 2 3 4 5 6 7
x to move, ply 4"""
    assert draw_text(Position("ConnectFour", "4453")) == expected


def test_text_of_isola_shows_gone_and_fixed_squares():
    position = Position("Isola", "a3-b3xd3", rules="classic")
    assert draw_text(position).splitlines()[2:5] == [" 4 . . . . . . . o", " 3 +(x). # . . . .", " 2 . . . . . . . ."]


@pytest.mark.parametrize(
    ("game", "moves", "line"),
    [
        ("ConnectFour", "4453", "x to move, ply 4"),
        ("ConnectFour", "1122334", "x wins (line) after 7 plies"),
        ("TicTacToe", "b2 a1 c3 b3 b1 a2 a3 c1 c2", "draw (full) after 9 plies"),
        ("Gomoku", "h8", "o to move, ply 1"),
    ],
)
def test_last_line_of_text_says_how_the_game_stands(game, moves, line):
    assert draw_text(Position(game, moves)).splitlines()[-1] == line


@pytest.mark.parametrize(("game", "parameters"), GAMES)
def test_text_holds_every_square_and_one_last_move(game, parameters):
    position = random_position(game, parameters, 12)
    rows = draw_text(position).splitlines()[: position.state.height]
    shown = "".join(re.findall(r"[.xo#+]", "".join(rows)))
    cells = [
        position.state.cells[row * position.state.width + column]
        for row in reversed(range(len(rows)))
        for column in range(position.state.width)
    ]
    assert shown.replace("+", ".") == "".join(".xo#"[cell] for cell in cells)
    assert len(re.findall(r"\([xo]\)", "".join(rows))) == 1
    assert str(position) == draw_text(position)


def test_last_move_in_the_last_column_is_marked_in_its_own_row():
    assert draw_text(Position("TicTacToe", "c2")).splitlines()[:3] == [" 3 . . .", " 2 . .(x)", " 1 . . ."]


def test_changed_squares_of_isola_are_origin_destination_and_removed():
    assert changed_squares(Position("Isola", "a3-b3xd3", rules="classic")) == [16, 17, 19]
    assert last_square(Position("Isola", "a3-b3xd3", rules="classic")) == 17
    assert changed_squares(Position("Isola")) == []


def test_winning_lines():
    assert winning_lines(Position("ConnectFour", "1122334")) == [(0, 3)]
    assert winning_lines(Position("ConnectFour", "7/7/7/7/ooo4/xxxx3 o")) == [(0, 3)]
    assert winning_lines(Position("ConnectFour", "112233")) == []


def test_six_in_a_row_is_no_winning_line_under_the_standard_rule():
    board = "15/15/15/15/15/15/3oo10/3oo10/3oo10/3oo10/15/o14/xxx1xx3xxxx2/15/15 x"
    standard, freestyle = Position("Gomoku", board, rule="standard"), Position("Gomoku", board)
    for position in (standard, freestyle):
        position.push("d3")
    assert winning_lines(standard) == []
    assert winning_lines(freestyle) == [(30, 35)]


def test_six_beside_a_winning_five_is_no_winning_line_under_the_standard_rule():
    board = "15/15/15/15/15/15/15/15/o1o1o1o1o1o1o1o/6x8/6x8/6x8/2xxxx9/6x8/o5x8 x"
    lines = {}
    for rule in ("standard", "freestyle"):
        position = Position("Gomoku", board, rule=rule)
        position.push("g3")
        lines[rule] = winning_lines(position)
    assert lines == {"standard": [(32, 36)], "freestyle": [(6, 81), (32, 36)]}


@pytest.mark.parametrize("size", range(1, 21))
@pytest.mark.parametrize("gravity", [True, False])
def test_image_of_every_board_size(size, gravity):
    for width, height in {(size, size), (size, 20), (20, size)}:
        image = draw_image(Position("ConnectK", width=width, height=height, k=max(width, height), gravity=gravity))
        assert image.dtype == np.uint8
        assert image.shape[2] == 3
        assert max(image.shape) <= 905
        assert image.shape[0] % 2 == image.shape[1] % 2 == 0


@pytest.mark.parametrize(("game", "parameters"), GAMES)
def test_image_keeps_its_size_and_changes_with_every_move(game, parameters):
    position = Position(game, **parameters)
    before = draw_image(position)
    for _ in range(6):
        position.push(position.legal_moves[len(position.legal_moves) // 2])
        after = draw_image(position)
        assert after.shape == before.shape
        for square in changed_squares(position):
            assert (square_of(after, position, square) != square_of(before, position, square)).any()
        before = after


@pytest.mark.parametrize(("game", "parameters"), GAMES)
def test_writing_on_an_image_leaves_later_ones_alone(game, parameters):
    position = random_position(game, parameters, 5)
    first = draw_image(position)
    kept = first.copy()
    first[:] = 0
    assert (draw_image(position) == kept).all()


@pytest.mark.parametrize("seen", [np.eye(3), DEUTERANOPIA, PROTANOPIA], ids=["trichromat", "deuteranope", "protanope"])
@pytest.mark.parametrize(
    ("game", "moves"), [("ConnectFour", "123"), ("TicTacToe", "a1 b1 c3"), ("Gomoku", "a1 b1 c3"), ("Isola", "a8-a7 h1-h2 a7-b7")]
)
def test_sides_and_empty_squares_look_different_to_colour_blind_eyes(game, moves, seen):
    position = Position(game, moves)
    image = (draw_image(position) / 255.0) ** 2.2
    x, o = (
        [square for square in range(position.game.width * position.game.height) if position.state.cells[square] == side] for side in (1, 2)
    )
    empty = next(square for square in range(position.game.width * position.game.height) if not position.state.cells[square])
    colours = [(square_of(image, position, square) @ seen.T).mean((0, 1)) for square in (x[0], o[0], empty)]
    distances = [np.abs(one - other).max() for one, other in ((colours[0], colours[1]), (colours[0], colours[2]), (colours[1], colours[2]))]
    assert min(distances) > 0.05


MIDDLE, LOWER_RIGHT, RIGHT = (0, 0), (0.2, 0.24), (0.25, 0)  # of a square, from its middle, in parts of its side


@pytest.mark.parametrize(
    ("game", "moves", "square", "spot", "colour"),
    [
        ("ConnectFour", "4453", 4, LOWER_RIGHT, (213, 94, 0)),
        ("ConnectFour", "4453", 10, LOWER_RIGHT, (240, 228, 66)),
        ("ConnectFour", "4453", 5, MIDDLE, (250, 250, 247)),
        ("ConnectFour", "4453", 2, (0.145, 0), (24, 24, 26)),
        ("ConnectFour", "1122334", 1, MIDDLE, (255, 255, 255)),
        ("TicTacToe", "a1 b1 c3", 0, MIDDLE, (213, 94, 0)),
        ("TicTacToe", "a1 b1 c3", 1, RIGHT, (0, 114, 178)),
        ("TicTacToe", "a1 b1 c3", 2, MIDDLE, (250, 250, 247)),
        ("TicTacToe", "a1 b1 c3", 8, (0.42, 0), (230, 159, 0)),
        ("Gomoku", "a1 b1 c3", 0, LOWER_RIGHT, (30, 30, 33)),
        ("Gomoku", "a1 b1 c3", 1, LOWER_RIGHT, (222, 220, 213)),
        ("Gomoku", "a1 b1 c3", 17, LOWER_RIGHT, (224, 184, 120)),
        ("Gomoku", "a1 b1 c3", 17, MIDDLE, (84, 60, 32)),
        ("Gomoku", "a1 b1 c3", 32, MIDDLE, (213, 94, 0)),
        ("Isola", "a8-a7", 48, LOWER_RIGHT, (213, 94, 0)),
        ("Isola", "a8-a7", 48, MIDDLE, (255, 255, 255)),
        ("Isola", "a8-a7", 7, LOWER_RIGHT, (0, 114, 178)),
        ("Isola", "a8-a7", 56, MIDDLE, (38, 44, 55)),
        ("Isola", "a8-a7", 0, MIDDLE, (233, 227, 212)),
    ],
)
def test_what_lies_on_a_square_has_its_colour(game, moves, square, spot, colour):
    position = Position(game, moves)
    layout, (x, y) = layout_of(position), layout_of(position).middle(square)
    seen = draw_image(position)[round(y + spot[1] * layout.cell), round(x + spot[0] * layout.cell)]
    assert np.abs(seen - np.array(colour)).max() <= 1


LARGE = [("ConnectK", {"width": 20, "height": 20, "k": 9, "gravity": gravity}) for gravity in (True, False)] + [("Gomoku", {"size": 20})]


@pytest.mark.parametrize("cell_pixels", [8, 24, 64])
@pytest.mark.parametrize(("game", "parameters"), GAMES + LARGE)
def test_every_row_and_column_is_named_and_no_name_is_cut_off(game, parameters, cell_pixels):
    position = Position(game, **parameters)
    image, layout = draw_image(position, cell_pixels), layout_of(position, cell_pixels)
    assert (np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]]) == image[0, 0]).all()
    rim, half = round(layout.margin - 0.14 * layout.cell) - 1, layout.cell // 2
    for column in range(layout.width):
        x = round(layout.middle(column)[0])
        assert (image[-rim:, x - half : x + half] != image[0, 0]).any()
    for row in range(layout.height):
        y = round(layout.middle(row * layout.width)[1])
        assert (image[y - half : y + half, :rim] != image[0, 0]).any()


def test_pictures_are_the_same_in_every_process():
    code = (
        "import hashlib; from sparring import Position; from sparring.envs.drawing.rendering import draw_image\n"
        "print(hashlib.sha256(draw_image(Position('Isola')).tobytes()).hexdigest())"
    )
    done = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(2)]
    assert done[0].stdout == done[1].stdout


def test_cells_can_be_made_smaller_and_never_break_the_limit():
    position = Position("ConnectFour", "44")
    assert draw_image(position, cell_pixels=20).shape == (6 * 20 + 24, 7 * 20 + 24, 3)
    assert max(draw_image(position, cell_pixels=500).shape) <= 905


@pytest.mark.parametrize(("draw", "loaded"), [("draw_text", set()), ("draw_image", {"PIL"})])
def test_drawing_loads_neither_a_window_system_nor_a_plotting_library(draw, loaded):
    code = (
        f"import sys; from sparring import Position; from sparring.envs.drawing.rendering import {draw}\n"
        f"{draw}(Position('Gomoku', 'h8'))\n"
        "print({'pygame', 'matplotlib', 'PIL', 'numba', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{loaded}\n"


def test_window_without_pygame_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(MissingExtraError, match=r"^render_mode='human' needs pygame; install it with: pip install 'sparring\[render\]'$"):
        Window()


def test_window_shows_images_until_the_user_closes_it(monkeypatch):
    pygame = pytest.importorskip("pygame", reason="needs the extra `render`")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window(frames_per_second=1000)
    image = draw_image(Position("ConnectFour", "4453"))
    window.show(image)
    assert (pygame.surfarray.array3d(window.surface).swapaxes(0, 1) == image).all()
    window.show(draw_image(Position("TicTacToe")))
    assert window.is_open
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(image)
    assert not window.is_open
    window.show(image)
    window.close()
    assert not pygame.display.get_init()


@pytest.fixture
def pygame(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return pytest.importorskip("pygame", reason="needs the extra `render`")


def test_a_window_that_is_closed_leaves_others_open(pygame):
    image, other = draw_image(Position("ConnectFour", "4453")), draw_image(Position("TicTacToe"))
    one, two, three = (Window(frames_per_second=1000) for _ in range(3))
    for window in (one, two, three):
        window.show(image)
    one.close()
    two.show(other)
    assert (pygame.surfarray.array3d(two.surface).swapaxes(0, 1) == other).all()
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=three._window))
    two.show(image)
    assert [window.is_open for window in (one, two, three)] == [False, True, False]
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    two.show(image)
    assert not two.is_open
    assert not pygame.display.get_init()


def test_a_window_survives_others_that_shut_the_window_system_down(pygame):
    window, image = Window(frames_per_second=1000), draw_image(Position("TicTacToe", "b2"))
    window.show(image)
    pygame.quit()
    window.show(image)
    assert (pygame.surfarray.array3d(window.surface).swapaxes(0, 1) == image).all()
    pygame.quit()
    window.close()


def test_an_environment_goes_on_when_another_is_closed(pygame):
    one, two = (gymnasium.make("sparring/TicTacToe-v0", render_mode="human") for _ in range(2))
    for env in (one, two):
        env.reset(seed=1)
    one.close()
    two.step(4)
    two.close()


def test_one_ply_is_no_plies():
    assert draw_text(Position("ConnectK", "a1", width=2, height=2, k=1)).endswith("x wins (line) after 1 ply")
    assert draw_text(Position("TicTacToe", "a1 b1 a2 b2 a3")).endswith("x wins (line) after 5 plies")
