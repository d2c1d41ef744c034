"""Grades of agents: counted against exact scores, refused where they cannot be, and shown on a page."""

import json
import random

import pytest
import sparring
from sparring import Game, Position
from sparring.agents.solver.connect_four import ConnectFourSolver
from sparring.envs.rules.errors import AgentError, ConfigError
from sparring.experiments.games.position_set import is_choice, line_of, read_position_set, shipped_set
from sparring.experiments.kinds.accuracy.grading import grade

HASH = "f6bb09670d7a"  # of version 1
SHIPPED = shipped_set(Game.of("ConnectFour"))


def small_set(folder, count=30):
    """Writes a file with some of the shipped positions of the later game."""
    late = [graded for graded in SHIPPED.positions if len(graded.moves) > 20][:count]
    path = folder / "small.txt"
    path.write_text("\n".join(["game ConnectFour", "version 7", *map(line_of, late)]) + "\n")
    return path


def by_score(choose):
    """Returns an agent that chooses a move by the exact scores."""
    scores = {graded.moves: graded.scores for graded in SHIPPED.positions}

    def agent(position):
        row = scores[position.notation]
        return choose(row, key=row.__getitem__)

    return agent


def test_the_shipped_positions_are_as_they_say():
    assert (SHIPPED.version, SHIPPED.hash, len(SHIPPED.positions)) == (1, HASH, 600)
    assert len({graded.moves for graded in SHIPPED.positions}) == 600
    assert all(is_choice(graded.scores) for graded in SHIPPED.positions)
    solver = ConnectFourSolver("ConnectFour")
    for graded in random.Random(1).sample([graded for graded in SHIPPED.positions if len(graded.moves) > 13], 60):
        assert solver.move_scores(Position("ConnectFour", graded.moves)) == graded.scores


def test_the_best_moves_have_no_blunders_and_the_worst_all():
    best, worst = grade(by_score(max), "ConnectFour"), grade(by_score(min), "ConnectFour")
    assert (best.blunders.value, best.best_moves.value, best.points, best.worst) == (0, 1, 0, [])
    assert (worst.blunders.value, worst.best_moves.value) == (1, 0)
    lost = [max(graded.scores.values()) - min(graded.scores.values()) for graded in SHIPPED.positions]
    assert worst.points == pytest.approx(sum(lost) / 600)
    assert [answer.lost for answer in worst.worst] == sorted(lost, reverse=True)[:10]
    assert list(worst.by_stage) == ["begin", "middle", "end"]
    assert list(worst.by_level) == ["easy", "medium", "hard"]


def test_a_slower_win_is_no_blunder_and_costs_points(tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("game ConnectFour\nversion 1\n121212 18,-5,10,0,1,2,3\n")
    found = grade(lambda position: 2, "ConnectFour", positions=path)
    assert (found.blunders.value, found.best_moves.value, found.points, found.points_kept) == (0, 0, 8, 8)
    found = grade(lambda position: 3, "ConnectFour", positions=path)
    assert (found.blunders.value, found.points, found.points_kept) == (1, 18, 0)
    assert (found.worst[0].move, found.worst[0].best, found.worst[0].score, found.worst[0].best_score) == ("4", "1", 0, 18)


def test_a_grade_repeats_with_its_seed_and_names_its_positions(tmp_path):
    path = small_set(tmp_path)
    grades = [sparring.grade("random", "ConnectFour", positions=path, seed=seed) for seed in (1, 1, 2)]
    assert grades[0] == grades[1] != grades[2]
    assert (grades[0].positions.version, grades[0].positions.count) == (7, 30)
    assert "30 positions of ConnectFour version 7, hash " in str(grades[0])
    assert grades[0].positions.hash != HASH


def test_perfect_makes_no_blunder(tmp_path):
    assert sparring.grade("perfect", "ConnectFour", positions=small_set(tmp_path)).best_moves.value == 1


def test_a_model_is_graded_as_it_is(tmp_path):
    contrib = pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
    from sparring.envs.sb3 import BoardVecEnv

    model = contrib.MaskablePPO("MlpPolicy", BoardVecEnv("ConnectFour", 2), n_steps=8, batch_size=16)
    assert 0 < sparring.grade(model, "ConnectFour", positions=small_set(tmp_path)).blunders.value < 1


def test_what_cannot_be_graded_is_refused(tmp_path):
    path = small_set(tmp_path)
    with pytest.raises(AgentError, match=r"^agent 'function': expected a legal move after \d+, got 7$"):
        grade(lambda position: 7, "ConnectFour", positions=path)
    with pytest.raises(ConfigError, match=r"^no graded positions for Game\(.*; there are some for ConnectFour; a file of your own"):
        grade("random", "TicTacToe")
    with pytest.raises(ConfigError, match=r"small.txt: expected positions of Game\(.*, got some of Game\("):
        grade("random", "TicTacToe", positions=path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4453 1,2\n", "expected 'game NAME' and 'version NUMBER' on the first lines"),
        ("game ConnectFour\nversion 1\n", "expected a line of moves and scores for each position, got none"),
        ("game ConnectFour\nversion one\n44 1\n", ":2: version: expected a whole number, got 'one'"),
        ("game ConnectFour\nversion 1\n44 1,2\n", ":3: expected 7 scores, one for each legal move, got 2"),
        ("game ConnectFour\nversion 1\n44\n", ":3: expected moves and the scores of the legal moves, got '44'"),
        ("game ConnectFour\nversion 1\n48 1\n", ":3: expected a move such as '1', got '8'"),
        ("game ConnectFour\nversion 1\n44 1,2,x,4,5,6,7\n", ":3: expected scores as whole numbers, got '1,2,x,4,5,6,7'"),
        ("game ConnectFive\nversion 1\n44 1\n", "unknown"),
    ],
)
def test_damaged_positions_are_refused(tmp_path, text, message):
    path = tmp_path / "damaged.txt"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_position_set(path)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_run_grades_its_agents_and_replays_their_worst_moves(command_line, tmp_path):
    small_set(tmp_path)
    (tmp_path / "grades.yaml").write_text("kind: accuracy\ngame: ConnectFour\nagents: [random, greedy]\npositions: small.txt\n")
    code, out, err = command_line("run", "grades.yaml", "--out", "here")
    assert (code, err) == (0, [])
    assert out[1].startswith("grades: random: ")
    assert out[2].startswith("grades: greedy: ")
    results = json.loads((tmp_path / "here" / "results.json").read_text())
    assert [row["agent"] for row in results["grades"]] == ["random", "greedy"]
    assert results["grades"][0]["positions"]["version"] == 7
    games = [json.loads(line) for line in (tmp_path / "here" / "games.jsonl").read_text().splitlines()]
    worst = [answer for row in results["grades"] for answer in row["worst"][:3]]
    assert [game["moves"][: game["opening"] + 1] for game in games] == [answer["moves"] + answer["move"] for answer in worst]
    for game, answer in zip(games, worst, strict=True):  # exact play takes the game to the result that the blunder leaves
        side = ("first", "second")[game["opening"] % 2]
        result = 0 if game["result"] == "draw" else 1 if game["result"] == side else -1
        assert result == (answer["score"] > 0) - (answer["score"] < 0)
    page = (tmp_path / "here" / "report.html").read_text(encoding="utf-8")
    assert "Blunders by stage" in page
    assert "The worst moves" in page


def test_a_set_is_made_and_goes_on_where_it_was_stopped(command_line, tmp_path):
    (tmp_path / "set.yaml").write_text("kind: positions\ngame: ConnectFour\npositions: 6\nseed: 3\n")
    assert command_line("run", "set.yaml", "--out", "whole")[0] == 0
    text = (tmp_path / "whole" / "positions.txt").read_text()
    found = read_position_set(tmp_path / "whole" / "positions.txt")
    assert [sum(len(graded.moves) in range(*plies) for graded in found.positions) for plies in ((8, 15), (15, 29), (29, 42))] == [2, 2, 2]
    assert command_line("run", "set.yaml", "--out", "part", "positions=6")[0] == 0
    record = json.loads((tmp_path / "part" / "run.json").read_text())
    (tmp_path / "part" / "run.json").write_text(json.dumps(record | {"finished": None}))
    (tmp_path / "part" / "results.json").unlink()
    (tmp_path / "part" / "positions.txt").write_text("\n".join(text.splitlines()[:5]) + "\n")
    assert command_line("run", "set.yaml", "--out", "part")[0] == 0
    assert (tmp_path / "part" / "positions.txt").read_text() == text
    assert command_line("run", "set.yaml", "game=TicTacToe")[2][0].startswith("override 'game=TicTacToe': game: expected ConnectFour, got ")
