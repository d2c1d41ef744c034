"""An agent as an engine of the Gomocup protocol."""

import random
import re
import subprocess
import sys
import time

import pytest
from sparring import Position
from sparring.agents import Analysis
from sparring.agents.gomocup import OPPONENT, OWN
from sparring.envs.rules.errors import NotationError
from sparring.experiments.commands.gomocup.boards import game_of, position_of
from sparring.experiments.commands.gomocup.clock import FIRST_SECONDS, MARGIN, SHARE, Clock
from sparring.experiments.commands.gomocup.process import LONGEST_LINE, converse, lines
from sparring.experiments.commands.gomocup.protocol import GomocupProtocol
from sparring.experiments.commands.gomocup.thinker import Thinker

COMMAND = [sys.executable, "-m", "sparring", "gomocup"]
CELL = r"\d+,\d+"


class FirstCell:
    """Takes the first empty cell, and remembers what it was asked."""

    name, idle_mib = "first", 100.0

    def __init__(self, scores=()):
        self.asked, self.mib, self.scores = [], None, list(scores)

    def get_ready(self, game):
        self.ready = game

    def limit_memory(self, mib):
        self.mib = mib
        return mib >= self.idle_mib

    def analyse(self, position, seconds):
        self.asked.append((position.text, seconds))
        return Analysis(position.legal_moves[0], score=self.scores.pop(0) if self.scores else 0)


def talk(*said, thinker=None):
    """Returns the answers to the lines of a manager, without what is for debugging."""
    protocol = GomocupProtocol(thinker or FirstCell())
    return [answer for line in said for answer in protocol.answer(line) if not answer.startswith("DEBUG")]


def test_a_game_is_played_with_rows_from_the_top():
    thinker = FirstCell()
    assert talk("START 5", "BEGIN", "TURN 2,1", "TURN 2,2", thinker=thinker) == ["OK", "0,4", "1,4", "2,4"]
    assert [text for text, _ in thinker.asked] == ["5/5/5/5/5 x", "5/2o2/5/5/x4 x", "5/2o2/2o2/5/xx3 x"]


def test_the_second_player_is_o():
    thinker = FirstCell()
    talk("START 5", "TURN 2,2", thinker=thinker)
    assert thinker.asked[0][0] == "5/5/2x2/5/5 o"


def test_a_board_is_read_in_any_order():
    thinker = FirstCell()
    assert talk("START 5", "BOARD", "0,0,2", "1,0,2", "0,1,1", "4,4,3", "DONE", "TURN 0,4", thinker=thinker) == [
        "OK",
        "0,4",
        "ERROR expected an empty cell, got 0,4, which is taken",
    ]
    assert thinker.asked[0][0] == "xx3/o4/5/5/5 o"


def test_too_many_stones_of_a_side_leave_the_move_to_us():
    game = game_of(5, 5, 0)
    for own, opponent in ((3, 1), (1, 3), (2, 0), (0, 4), (2, 2), (2, 3)):
        stones = {**dict.fromkeys(range(own), OWN), **dict.fromkeys(range(10, 10 + opponent), OPPONENT)}
        position = position_of(game, stones)
        mine = 1 + position.side
        assert [position.state.cells[cell] for cell in stones] == [mine] * own + [3 - mine] * opponent
        assert position.ply == own + opponent
        assert not position.is_over
    assert position == Position(game, position.text)
    assert position.state.key == Position(game, position.text).state.key
    with pytest.raises(NotationError):
        position_of(game, {**dict.fromkeys(range(5), OWN), **dict.fromkeys(range(10, 14), OPPONENT), 20: OPPONENT})


def test_a_row_of_six_is_no_win_of_standard_in_any_order():
    row = [f"{x},0,1" for x in range(6)] + [f"{x},2,2" for x in (0, 1, 3, 4, 6, 8)]
    assert talk("START 9", "INFO rule 1", "BOARD", *row, "DONE") == ["OK", "0,8"]
    assert talk("START 9", "BOARD", *row, "DONE")[-1].startswith("ERROR board text")


def test_takeback_restart_and_play():
    assert talk("START 5", "PLAY 1,1", "TAKEBACK 1,1", "TAKEBACK 1,1", "TURN 1,1", "RESTART", "TURN 1,1") == [
        "OK",
        "1,1",
        "OK",
        "ERROR expected the cell of a stone, got 1,1",
        "0,4",
        "OK",
        "0,4",
    ]


def test_a_game_that_is_over_is_an_error_and_goes_on_after_takeback():
    said = talk(
        "START 5", "BOARD", *(f"{x},0,2" for x in range(4)), *(f"{x},4,1" for x in range(3)), "DONE", "TURN 4,0", "TAKEBACK 4,0", "TURN 0,2"
    )
    assert said[1] == "3,4"
    assert said[2].startswith("ERROR expected a position whose game goes on")
    assert said[3:] == ["OK", "4,4"]


def test_boards_and_rules():
    thinker = FirstCell()
    assert talk("RECTSTART 12,9", thinker=thinker) == ["OK"]
    assert repr(thinker.ready) == "Game('sparring/ConnectK-v0', width=12, height=9, k=5, gravity=False)"
    assert talk("RECTSTART 9,9", "INFO rule 1", thinker=thinker) == ["OK"]
    assert thinker.ready.parameters == {"size": 9, "rule": "standard"}
    assert talk("START 4", "BEGIN") == [
        "ERROR size: expected a whole number from 5 to 20, got 4",
        "ERROR expected START or RECTSTART before this command",
    ]


@pytest.mark.parametrize("rule", ["2", "3", "16", "-1"])
def test_a_rule_that_no_game_has_is_an_error_of_the_next_move(rule):
    said = talk("START 5", f"INFO rule {rule}", "INFO rule x", "BEGIN", "TURN 1,1", "INFO rule 0", "BEGIN")
    assert said[0] == "OK"
    assert all(answer.startswith(f"ERROR rule: expected one of 0, 1, 4, 8, got {rule}") for answer in said[1:3])
    assert said[3:] == ["0,4"]


def test_a_memory_limit_below_what_is_used_is_told_before_the_next_answer():
    thinker = FirstCell()
    least = 100 * 2**20
    assert talk("START 5", f"INFO max_memory {least - 1}", "INFO timeout_turn 0", "BEGIN", "TURN 3,3", thinker=thinker) == [
        "OK",
        f"MESSAGE max_memory: expected at least {least} bytes, got {least - 1}; playing with the smallest tables",
        "0,4",
        "1,4",
    ]
    assert talk("INFO max_memory 1", "START 5", "ABOUT", thinker=thinker)[1].startswith("MESSAGE")
    assert talk("START 5", "INFO max_memory 1", "INFO max_memory 0", "BEGIN", thinker=FirstCell())[-1] == "0,4"


def test_tables_shrink_with_the_memory_that_is_left():
    thinker = Thinker({"name": "best", "depth": 1})
    thinker.idle_mib = 100.0
    game = game_of(7, 7, 0)
    for mib, expected in ((float("inf"), 16), (108.5, 8), (90, 0), (200, 16)):
        assert thinker.limit_memory(mib) is (mib >= 100)
        assert thinker._agent(game, 0).table_mib == expected
        thinker.analyse(Position(game), 0)


def test_swap2_chooses_by_its_judgement():
    three = ("7,7", "8,7", "9,9")
    opening = ("START 15", "SWAP2BOARD")
    assert talk(*opening, *three, "DONE", thinker=FirstCell([-1])) == ["OK", "SWAP"]
    assert talk(*opening, *three, "DONE", thinker=FirstCell([1])) == ["OK", "0,14"]
    thinker = FirstCell([-1])
    assert talk(*opening, *three, "8,8", "8,6", "DONE", thinker=thinker) == ["OK", "SWAP"]
    assert thinker.asked[0][0].endswith(" o")
    assert talk(*opening, "7,7", "DONE") == ["OK", "ERROR expected no stones, 3 or 5, got 1"]
    assert talk(*opening, "7,7", "7,7", "8,8", "DONE")[1].startswith("ERROR illegal move")
    answer = talk(*opening, "DONE", thinker=FirstCell([50, -3, 20, *[9] * 20]))[1]
    assert re.fullmatch(f"{CELL} {CELL} {CELL}", answer)
    assert answer == talk(*opening, "DONE", thinker=FirstCell([5, 0, 7, *[9] * 20]))[1]
    assert answer != talk(*opening, "DONE", thinker=FirstCell([0]))[1]
    assert re.fullmatch(f"{CELL} {CELL} {CELL}", talk("START 5", "SWAP2BOARD", "DONE")[1])


def test_what_is_no_command_is_unknown_and_case_does_not_matter():
    said = talk("hello", "start 5", "begin", "DONE", "", "  ", "\x1b[31m\u2028", "info nothing at all", "INFO", "InFo timeout_turn")
    assert said[:4] == ["UNKNOWN command 'HELLO'", "OK", "0,4", "UNKNOWN command 'DONE'"]
    assert said[4].startswith("UNKNOWN command '\\x1b[31M") or len(said) == 5


def test_a_list_without_done_is_dropped_by_the_next_command():
    assert talk("START 5", "BOARD", "1,1,1", "x", "RESTART", "DONE", "BEGIN") == ["OK", "OK", "UNKNOWN command 'DONE'", "0,4"]
    assert talk("START 5", "BOARD", "1,1,1", "x", "DONE", "BEGIN") == ["OK", "ERROR expected 3 numbers such as 7,7,1, got 'x'", "0,4"]
    protocol = GomocupProtocol(FirstCell())
    assert [protocol.answer(line) for line in ("BOARD", "END")] == [[], []]
    assert protocol.has_ended


def test_an_agent_that_fails_loses_a_move_and_not_the_conversation():
    thinker = FirstCell()
    thinker.analyse = lambda position, seconds: 1 // 0
    said = talk("START 5", "BEGIN", "ABOUT", thinker=thinker)
    assert said[1].startswith("ERROR ZeroDivisionError: ")
    assert said[2].startswith('name="sparring", version="')
    assert talk("START 15", thinker=Thinker({"name": "window_scan"}))[0].startswith("ERROR agent 'window_scan' does not play Gomoku")


def test_the_clock():
    clock = Clock()
    assert clock.move_seconds == FIRST_SECONDS - MARGIN
    clock.turn = 0.1
    assert clock.move_seconds == 0.1 - MARGIN
    clock.turn = 0.01
    assert clock.move_seconds == 0.005
    clock.turn = 0.0
    assert clock.move_seconds == 0
    clock.turn = 30.0
    clock.tell_left(-5)
    assert clock.move_seconds == 30 - MARGIN  # no limit of the game
    clock.limit_match(100)
    assert clock.move_seconds == 0
    clock.restart()
    assert clock.move_seconds == 100 / SHARE - MARGIN
    clock.spend(60)
    assert clock.left == 40
    clock.tell_left(20)
    clock.spend(10)
    assert clock.left == 10
    clock.spend(11)
    assert clock.move_seconds == 0


def test_time_left_and_no_time_are_told_to_the_agent():
    thinker = FirstCell()
    talk("START 9", "INFO timeout_turn 0", "BEGIN", "INFO timeout_turn 1000", "TURN 1,1", thinker=thinker)
    talk("START 9", "INFO timeout_match 100000", "INFO time_left -7", "BEGIN", "INFO time_left 4000", "TURN 1,1", thinker=thinker)
    seconds = [seconds for _, seconds in thinker.asked]
    assert seconds == [0, pytest.approx(1 - MARGIN, abs=0.1), 0, pytest.approx(0.2 - MARGIN, abs=0.1)]


def test_times_without_end_are_read():
    thinker = FirstCell()
    talk(
        "START 9",
        "INFO timeout_turn 999999999999999",
        "INFO timeout_match 9999999999",
        "INFO time_left 2147483647",
        "BEGIN",
        thinker=thinker,
    )
    assert thinker.asked[0][1] == pytest.approx(2147483.647 / SHARE - MARGIN, abs=0.1)
    assert talk("START 7", "INFO timeout_turn 999999999999999", "BEGIN", thinker=Thinker({"name": "best", "depth": 1})) == ["OK", "3,3"]


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_lines_end_with_cr_lf_or_both(size):
    data = b"START 15\r\nBEGIN\rABOUT\n\n\r\n" + b"x" * (3 * LONGEST_LINE) + b"\r\nEN\xff"
    chunks = [data[start : start + size] for start in range(0, len(data), size)] + [b""]
    assert list(lines(lambda: chunks.pop(0))) == ["START 15", "BEGIN", "ABOUT", "x" * LONGEST_LINE, "EN\ufffd"]


def test_what_an_agent_prints_is_no_answer(capfd):
    thinker, out, chunks = FirstCell(), [], [b"START 5\nBEGIN\nEND\nABOUT\n"]
    thinker.get_ready = lambda game: print("loud")
    converse(GomocupProtocol(thinker), lambda: chunks.pop(0), out.append)
    assert out[::2] == [b"OK\n", b"0,4\n"]
    assert capfd.readouterr() == ("", "loud\n")


WORDS = "START RECTSTART RESTART BEGIN TURN BOARD DONE TAKEBACK SWAP2BOARD PLAY INFO ABOUT UNKNOWN ERROR SUGGEST rule max_memory".split()
VALUES = [
    "5",
    "7",
    "15",
    "0",
    "1",
    "2",
    "-1",
    "99999999999",
    "1,1",
    "2,3",
    "4,4",
    "3,3,1",
    "2,2,2",
    "1,1,3",
    "0,0,0",
    "7,7,",
    ",",
    "é",
    "\x00",
    "1.5",
]


def random_line(drawn):
    """Returns a command with values that may suit it, or noise."""
    if drawn.random() < 0.05:
        return drawn.choice(["START 7", "RECTSTART 8,6", "INFO rule 0"])
    if drawn.random() < 0.1:
        return "".join(chr(drawn.randrange(1, 300)) for _ in range(drawn.randrange(40)))
    if drawn.random() < 0.4:
        cell = f"{drawn.randrange(-1, 8)},{drawn.randrange(8)}"
        return f"{drawn.choice(['TURN', 'TAKEBACK', 'PLAY', ''])} {cell}{drawn.choice(['', ',1', ',2'])}"
    return " ".join([drawn.choice(WORDS), *drawn.choices(VALUES, k=drawn.randrange(3))])


def test_no_line_ends_the_conversation(at_length):
    drawn = random.Random(1)
    protocol = GomocupProtocol(Thinker({"name": "best", "nodes": 50}))
    kinds = set()
    for _ in range(10_000 if at_length else 400):
        line = random_line(drawn)
        for answer in protocol.answer(line):
            assert answer == answer.strip()
            assert answer.isprintable()
            assert re.fullmatch(rf"OK|SWAP|{CELL}( {CELL} {CELL})?|(ERROR|UNKNOWN|MESSAGE|DEBUG|name=).+", answer), (line, answer)
            assert not re.match(r"ERROR \w+(Error|Exception): ", answer), (line, answer)
            kinds.add(answer.split(" ")[0] if answer[0].isalpha() else "move")
    assert {"OK", "ERROR", "UNKNOWN", "DEBUG", "move"} <= kinds
    assert protocol.answer("ABOUT")[-1].startswith("name=")


class Engine:
    """A process of our own."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def say(self, line, answers=True):
        """Sends a line with CR LF; returns the answer, without what is for debugging, and the seconds that it took."""
        begin = time.perf_counter()
        self.process.stdin.write(f"{line}\r\n".encode())
        self.process.stdin.flush()
        answer = self.process.stdout.readline().decode().strip() if answers else ""
        while answer.startswith("DEBUG"):
            answer = self.process.stdout.readline().decode().strip()
        return answer, time.perf_counter() - begin

    def end(self):
        """Says END; returns the exit code."""
        self.say("END", answers=False)
        rest, _ = self.process.communicate(timeout=20)
        assert rest == b""
        return self.process.returncode


def test_two_processes_play_a_game_in_time():
    engines = [Engine(), Engine("--agent", "best:fours=true")]
    for engine in engines:
        assert engine.say("START 15")[0] == "OK"
        engine.say("INFO timeout_turn 100", answers=False)
    position, line, slowest = Position("Gomoku"), "BEGIN", []
    while not position.is_over and position.ply < 24:
        answer, seconds = engines[position.side].say(line)
        x, y = map(int, answer.split(","))
        position.push((14 - y) * 15 + x)
        line = f"TURN {answer}"
        slowest.append(seconds)
    assert sorted(slowest)[len(slowest) // 2] < 0.1  # of two busy cores a single move may have to wait
    assert [engine.end() for engine in engines] == [0, 0]


def test_a_closed_pipe_ends_the_process():
    engine = Engine("--agent", "greedy")
    assert engine.say("START 15")[0] == "OK"
    engine.process.communicate(timeout=20)
    assert engine.process.returncode == 0


def test_an_agent_that_does_not_exist_ends_the_command():
    done = subprocess.run([*COMMAND, "--agent", "bets"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "'bets'" in done.stderr
