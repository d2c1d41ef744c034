"""Slow, plain versions of what the search and the evaluations compute, sharing no code with them: whole boards, sets and plain minimax."""

from __future__ import annotations

import functools
import importlib
import itertools
import random
import re

from sparring import Game, Position
from sparring.envs.rules import interface

WIN = 1_000_000_000
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def board_of(position):
    """Returns the owners (".", "x", "o", "#") by (column, row), read from the board text."""
    rows = position.text.split()[0].split("/")
    board = {}
    for row, text in enumerate(reversed(rows)):
        column, number = 0, ""
        for character in [*text, "|"]:
            if character.isdigit():
                number += character
                continue
            for _ in range(int(number or 0)):
                board[column, row] = "."
                column += 1
            number = ""
            if character != "|":
                board[column, row] = character
                column += 1
    return board


def ways_to_win(position):
    """Returns the sum of 10^(degree - 1) over the windows held by one side alone, ours minus theirs."""
    board, k = board_of(position), position.game.parameters["k"]
    total = 0
    for x, y in board:
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            window = [board.get((x + i * dx, y + i * dy)) for i in range(k)]
            if None in window or ("x" in window) == ("o" in window):
                continue
            total += (1 if "x" in window else -1) * 10 ** (k - window.count(".") - 1)
    return total if position.side == 0 else -total


def window_scan(position):
    """Returns 30 a stone less 5 an empty cell over the windows held by one side alone, ours minus theirs."""
    board, k, total = board_of(position), position.game.parameters["k"], 0
    for x, y in board:
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            window = [board.get((x + i * dx, y + i * dy)) for i in range(k)]
            if None not in window and ("x" in window) != ("o" in window):
                total += (1 if "x" in window else -1) * (30 * (k - window.count(".")) - 5 * window.count("."))
    return total if position.side == 0 else -total


def threats(position):
    """Returns the windows held by one side alone by how many stones they lack, and the cells that would complete one, ours minus theirs."""
    board, parameters = board_of(position), position.game.parameters
    width, height, k = parameters["width"], parameters["height"], parameters["k"]
    total, completing = 0, {"x": set(), "o": set()}
    for x, y in board:
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            cells = [(x + i * dx, y + i * dy) for i in range(k)]
            window = [board.get(cell) for cell in cells]
            if None in window or ("x" in window) == ("o" in window):
                continue
            owner = "x" if "x" in window else "o"
            total += {"x": 1, "o": -1}[owner] * {1: 20, 2: 23, 3: 4}.get(window.count("."), 1)
            if window.count(".") == 1:
                completing[owner].add(cells[window.index(".")])
    for owner, sign in (("x", 1), ("o", -1)):
        for _, y in completing[owner]:
            stones_below = (width - 1) * height + y  # when all other columns are full
            total += sign * (120 if parameters["gravity"] and "xo"[stones_below % 2] == owner else 15)
    return total if position.side == 0 else -total


def four_patterns(position):
    """Returns system E's evaluation, counted on the lines of the board as text."""
    board, width, height = board_of(position), position.game.width, position.game.height
    rows = ["".join(board[x, y] for x in range(width)) for y in range(height)]
    columns = ["".join(board[x, y] for y in range(height)) for x in range(width)]
    cells = list(board)
    up = ["".join(board[x, y] for x, y in cells if x - y == d) for d in range(-height, width)]
    down = ["".join(board[x, y] for x, y in cells if x + y == d) for d in range(width + height)]

    def count(lines, owner, *patterns):
        texts = [pattern.replace("1", owner).replace("0", ".") for pattern in patterns]
        return sum(line.startswith(text, i) for line in lines for text in texts for i in range(len(line)))

    def g(owner):
        return (
            50 * count(rows, owner, "1100", "0011")
            + 200 * count(rows, owner, "0110", "1110", "0111", "11011", "001100")
            + 300 * count(rows, owner, "00110")
            + 500 * count(rows, owner, "01110")
            + 100 * count(columns, owner, "1110")
            + 100 * count(up + down, owner, "0110")
            + 200 * count(up + down, owner, "1011", "1101")
            + 200000 * count(rows + columns + up + down, owner, "1111")
        )

    total = g("x") - g("o")
    if sum(owner != "." for owner in board.values()) < 12:
        for x, y in board:
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                window = [board.get((x + i * dx, y + i * dy)) for i in range(4)]
                total += 0 if None in window else window.count("x") - window.count("o")
    return total if position.side == 0 else -total


LADDER = (("open_four", "open_three"), ("four", "three"), ("open_three", "open_two"), ("three", "two"))  # what is made next, what this is


@functools.cache
def shape_on_line(line, exact):
    """Returns the name of what the middle stone "x" of eleven cells makes, by trying out further stones, or None."""
    run = re.search("x*$", line[:5]).end() - re.search("x*$", line[:5]).start() + 1 + re.match("x*", line[6:]).end()
    if run == 5 or (run > 5 and not exact):
        return "five"
    following = [shape_on_line(line[:i] + "x" + line[i + 1 :], exact) for i in range(11) if line[i] == "." and abs(i - 5) < 5]
    if "five" in following:
        return "open_four" if following.count("five") > 1 else "four"
    return next((made for after, made in LADDER if after in following), None)


@functools.cache
def shapes_on_line(line, owner, exact):
    """Returns what a stone of `owner` makes on each cell of a line: a dict of the names by index."""
    padded = "".join(c if c == "." else "x" if c == owner else "#" for c in "#####" + line + "#####")
    return {i: shape_on_line(padded[i : i + 5] + "x" + padded[i + 6 : i + 11], exact) for i, c in enumerate(line) if c == "."}


def shapes_of(position, owner):
    """Returns the names of the shapes that a stone of a side ("x" or "o") makes, a list by empty (column, row)."""
    board, exact = board_of(position), position.game.parameters["rule"] == "standard"
    found = {square: [] for square, symbol in board.items() if symbol == "."}
    for squares in lines_of(position.game.width):
        for i, name in shapes_on_line("".join(board[square] for square in squares), owner, exact).items():
            found[squares[i]] += [name] if name else []
    return found


@functools.cache
def lines_of(size):
    """Returns the rows, columns and diagonals of a square board as lists of (column, row)."""
    lines = {}
    for x, y in itertools.product(range(size), repeat=2):
        for key in (("row", y), ("column", x), ("rising", x - y), ("falling", x + y)):
            lines.setdefault(key, []).append((x, y))
    return list(lines.values())


def threat_of(shapes):
    """Returns the name of the threat that shapes make together, or None."""
    if "five" in shapes:
        return "win"
    if "open_four" in shapes or shapes.count("four") > 1:
        return "winning_four"
    if "four" in shapes:
        return "four_three" if "open_three" in shapes else "one_four"
    return {0: None, 1: "one_three"}.get(shapes.count("open_three"), "double_three")


def line_shapes(position):
    """Returns the worth of all shapes and threats, ours minus theirs, and of what the side to move can do first."""
    weights = importlib.import_module("sparring.agents.evaluation.line_shapes").WEIGHTS
    ours, theirs = (shapes_of(position, symbol) for symbol in ("xo" if position.side == 0 else "ox"))
    threats = [[threat_of(shapes) for shapes in cells.values()] for cells in (ours, theirs)]
    if "win" in threats[0]:
        return weights["win"]
    if threats[1].count("win") > 1:
        return -weights["win"]
    total = 0
    for sign, cells in ((1, ours), (-1, theirs)):
        for shapes in cells.values():
            total += sign * sum(weights["open_four" if shape == "five" else shape] for shape in shapes)
            total += sign * {"double_three": weights["double_three"], "four_three": weights["four_three"]}.get(threat_of(shapes), 0)
    return total - outlook(weights, *threats[::-1]) if "win" in threats[1] else total + outlook(weights, *threats)


def outlook(weights, ours, theirs):
    """Returns what being to move is worth where nobody has a five."""
    if "winning_four" in ours:
        return weights["win"]
    if "winning_four" in theirs:
        burden = weights["double_burden" if theirs.count("winning_four") > 2 else "burden"]
        return weights["lesser_attack"] * ("four_three" in ours) - burden
    return weights["attack" if "four_three" in ours else "lesser_attack" if "double_three" in ours else "turn"]


def line_shapes_moves(position):
    """Returns the candidates of `line_shapes`."""
    near, size = near_cells(position), position.game.width
    if position.ply == 0:
        return near
    ours, theirs = (
        {y * size + x: shapes for (x, y), shapes in shapes_of(position, symbol).items()}
        for symbol in ("xo" if position.side == 0 else "ox")
    )
    for cells in (ours, theirs):
        if wins := [cell for cell in near if threat_of(cells[cell]) == "win"]:
            return wins
    if fours := [cell for cell in near if threat_of(ours[cell]) == "winning_four"]:
        return fours[:1]
    if threats := [cell for cell in near if threat_of(theirs[cell]) == "winning_four"]:
        attacks = [cell for cell in near if {"four", "open_four"} & set(ours[cell])]
        return [cell for cell in near if cell in attacks or spoils_all(position, cell, threats)] or threats[:1]
    return [cell for cell in near if ours[cell] or theirs[cell]] or near


def spoils_all(position, cell, threats):
    """Tells whether our stone on a cell leaves the other side no winning four on any cell of `threats`."""
    after = position.copy()
    after.push(cell)
    shapes = shapes_of(after, "xo"[after.side])
    return not any(threat_of(shapes.get(divmod(threat, position.game.width)[::-1], [])) == "winning_four" for threat in threats)


def steps_on(board, game, symbol):
    """Returns the squares that the piece of a symbol can step to."""
    step, found = game.rules.STEPS[game.initial().step], []
    for x, y in (square for square, owner in board.items() if owner == symbol):
        for dx, dy in JUMPS if step == "knight" else DIRECTIONS:
            reach = 1
            while board.get((x + reach * dx, y + reach * dy)) == ".":
                found.append((x + reach * dx, y + reach * dy))
                if step != "queen":
                    break
                reach += 1
    return found


def component(board, game, symbol):
    """Returns the squares that the piece of a symbol can get to if nothing else moves; pieces give way where any square may go."""
    knight = game.rules.STEPS[game.initial().step] == "knight"
    passable = {square for square, owner in board.items() if owner == "." or (game.initial().removal == 1 and owner in "xo")}
    edge, found = [square for square, owner in board.items() if owner == symbol], set()
    while edge:
        x, y = edge.pop()
        new = {(x + dx, y + dy) for dx, dy in (JUMPS if knight else DIRECTIONS)} & passable - found
        found |= new
        edge += new
    return found


def mobility(position):
    """Returns system D's evaluation: steps and filled squares, or the sizes of the components once they are apart."""
    board, game = board_of(position), position.game
    us, them = "xo"[position.side], "ox"[position.side]
    filled = list(board.values()).count("#")
    if 4 * filled >= len(board):
        ours, theirs = component(board, game, us), component(board, game, them)
        if not ours & theirs:
            return (len(ours) - len(theirs)) * (999_998_999 // (len(board) + filled))
    return (len(steps_on(board, game, us)) - 3 * len(steps_on(board, game, them))) * filled


def moves_needed(board, game, symbol):
    """Returns how many moves the piece of a symbol needs to each open square that it can reach."""
    edge, needed, far = {square for square, owner in board.items() if owner == symbol}, {}, 0
    while edge:
        far += 1
        found = set()
        for square in edge:
            moved = {each: "." if owner == symbol else owner for each, owner in board.items()} | {square: symbol}
            original = next(each for each, owner in board.items() if owner == symbol)
            moved[original] = symbol if original == square else "#"
            found |= {each for each in steps_on(moved, game, symbol) if each not in needed}
        needed |= dict.fromkeys(found, far)
        edge = found
    return needed


def territory(position):
    """Returns steps, close squares and squares reached first, each times 10, or the sizes of the components once they are apart."""
    board, game = board_of(position), position.game
    us, them = "xo"[position.side], "ox"[position.side]
    if us not in board.values() or them not in board.values():
        return 0
    ours, theirs = component(board, game, us), component(board, game, them)
    if not ours & theirs:
        return (len(ours) - len(theirs)) * (999_998_999 // (len(board) + list(board.values()).count("#")))
    total = 0
    for symbol, sign in ((us, 1), (them, -1)):
        x, y = next(square for square, owner in board.items() if owner == symbol)
        around = JUMPS if game.rules.STEPS[game.initial().step] == "knight" else DIRECTIONS
        total += sign * (len(steps_on(board, game, symbol)) + sum(board.get((x + dx, y + dy)) == "." for dx, dy in around))
    ours, theirs = moves_needed(board, game, us), moves_needed(board, game, them)
    first = sum(far <= theirs.get(square, far) for square, far in ours.items())
    return 10 * (total + first - (len(set(ours) | set(theirs)) - first))


def near_cells(position):
    """Returns the empty cells with a stone at most two steps away in one of eight directions; on an empty board the centre."""
    board, width = board_of(position), position.game.width
    if all(owner == "." for owner in board.values()):
        return [position.game.height // 2 * width + width // 2]
    steps = [(step * dx, step * dy) for dx, dy in DIRECTIONS for step in (1, 2)]
    return sorted(
        y * width + x for (x, y), owner in board.items() if owner == "." and any(board.get((x + a, y + b), ".") != "." for a, b in steps)
    )


BY_NAME = {function.__name__: function for function in (ways_to_win, window_scan, threats, four_patterns, line_shapes, mobility, territory)}
EVALUATIONS = {"connect_k": threats, "gomoku": line_shapes, "isola": territory}  # by kind of game, the default


def minimax(position, depth, level=0, quiescence=False):
    """Returns the score of a position searched to a depth by plain minimax, from the side to move's view.

    With quiescence a leaf where a win at once is there to be taken or stopped is searched on.
    """
    if position.is_over:
        return 0 if position.winner is None else level - WIN
    if depth == 0:
        return quiet_score(position, level) if quiescence else EVALUATIONS[position.game.kind.name](position)
    moves = line_shapes_moves(position) if position.game.kind.name == "gomoku" else position.legal_moves
    best = -WIN
    for move in moves:
        position.push(move)
        best = max(best, -minimax(position, depth - 1, level + 1, quiescence))
        position.pop()
    return best


def quiet_score(position, level):
    """Returns the score of a leaf: a win that is there, the best of what stops the opponent's, or the evaluation of a quiet position."""
    if wins_at_once(position, position.side):
        return WIN - level - 1
    stops = wins_at_once(position, 1 - position.side)
    if not stops:
        return EVALUATIONS[position.game.kind.name](position)
    if len(stops) > 1:
        return level + 2 - WIN
    position.push(stops[0])
    score = -(minimax(position, 0, level + 1, quiescence=True))
    position.pop()
    return score


def wins_at_once(position, side):
    """Returns the moves with which a side would win at once if it were its turn; none in Isola, where no move is like another's."""
    rules, found = position.game.rules, []
    for move in position.legal_moves if position.game.kind.name != "isola" else []:
        state = position.state.copy()
        state.side = side
        rules.play(state, move)
        if state.status == interface.WON:
            found.append(move)
    return found


def random_position(game, seed, least=0, most=None):
    """Returns a position of a running game after a random number of random moves."""
    chance = random.Random(seed)
    game = Game.of(game)
    while True:
        position = Position(game)
        for _ in range(chance.randint(least, most if most is not None else game.width * game.height)):
            if position.is_over:
                break
            position.push(chance.choice(position.legal_moves))
        if not position.is_over:
            return position
