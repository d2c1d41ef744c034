"""Grades of agents: counted against exact scores, refused where they cannot be, and shown on a page."""

import json
import random
import shutil
from collections import Counter
from itertools import pairwise, starmap

import pytest
import sparring
from sparring import Game, Position
from sparring.agents.solver.connect_four import ConnectFourSolver
from sparring.envs.rules.errors import AgentError, ConfigError
from sparring.experiments.games.exact_scores import ExactScorer, is_choice, plies_left_at, sign
from sparring.experiments.games.position_set import line_of, read_position_set, shipped_set
from sparring.experiments.games.stages import STAGES, plies_of, stage_of
from sparring.experiments.kinds import positions
from sparring.experiments.kinds.accuracy.grading import grade

from ..agents.exact_play import ExactTable

HASH = "f6bb09670d7a"  # of version 1
HASHES = {  # of the other shipped sets, version 1
    "ConnectK:width=4,height=4,k=4,gravity=false": "b9c285f4fc15",
    "ConnectK:width=5,height=4,k=4,gravity=true": "391fa94df67f",
    "ConnectK:width=6,height=5,k=4,gravity=true": "4bbb873e902e",
    "Isola:rules=queen,width=5,height=5": "c1976235a97a",
    "Isola:rules=queen,width=6,height=5": "582c3412e3ec",
}
ISOLA = "Isola:rules=queen,width=5,height=5"
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


@pytest.mark.parametrize(("text", "expected"), HASHES.items())
def test_the_other_shipped_positions_are_as_they_say(text, expected):
    game = Game.of(text)
    shipped = shipped_set(game)
    assert (shipped.version, shipped.hash, len(shipped.positions)) == (1, expected, 600)
    positions = [Position(game, graded.moves) for graded in shipped.positions]
    assert len({position.text for position in positions}) == 600
    assert Counter(stage_of(game, position.ply) for position in positions) == dict.fromkeys(STAGES, 200)
    assert all(is_choice(graded.scores) for graded in shipped.positions)
    only = sum(list(map(sign, graded.scores.values())).count(sign(max(graded.scores.values()))) == 1 for graded in shipped.positions)
    assert 200 < only < 550  # positions in which one move alone keeps the value
    scorer, oracle, cells = ExactScorer(game), ExactTable(game), game.width * game.height
    for graded in random.Random(1).sample(shipped.positions, 40):
        position = Position(game, graded.moves)
        assert scorer.move_scores(position) == graded.scores
        if 3 * position.ply <= 2 * cells:
            continue
        for move, score in graded.scores.items():  # as plain minimax has it
            position.push(move)
            exact = oracle[position.text]
            assert sign(score) == -exact.value
            assert score == 0 or plies_left_at(position, -score) == exact.plies
            position.pop()


@pytest.mark.parametrize(("cells", "first"), [((7, 6), (8, 15, 29, 41)), ((5, 5), (5, 9, 17, 24)), ((4, 4), (3, 6, 11, 15))])
def test_stages_are_thirds_of_the_board(cells, first):
    game = Game.of("ConnectK", width=cells[0], height=cells[1], k=4)
    assert [plies_of(game, stage) for stage in STAGES] == list(starmap(range, pairwise(first)))
    assert all(stage_of(game, ply) == stage for stage in STAGES for ply in plies_of(game, stage))


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


def test_a_later_win_and_a_sooner_loss_cost_plies(tmp_path):
    game, path = Game.of("TicTacToe"), tmp_path / "own.txt"
    position = Position(game, "a1 b1 a2 c1")  # a3 wins at once, b2 threatens two lines more
    scores = ExactScorer(game).move_scores(position)
    path.write_text(f"game TicTacToe\nversion 1\n{position.notation} {','.join(map(str, scores.values()))}\n")
    for text, score in (("a3", 5), ("b2", 3)):  # the cells that are left when the game is over, plus one
        found = grade(lambda position: position.read_move(text), game, positions=path)  # noqa: B023 - called within this turn of the loop
        assert scores[position.read_move(text)] == score
        assert (found.points, found.blunders.value) == (5 - score, 0)
    assert found.positions.unit == "ply"
    assert "2.00 plies lost a move, 1 positions of TicTacToe version 1, hash " in str(found)


def test_a_grade_repeats_with_its_seed_and_names_its_positions(tmp_path):
    path = small_set(tmp_path)
    grades = [sparring.grade("random", "ConnectFour", positions=path, seed=seed) for seed in (1, 1, 2)]
    assert grades[0] == grades[1] != grades[2]
    assert (grades[0].positions.version, grades[0].positions.count) == (7, 30)
    assert "30 positions of ConnectFour version 7, hash " in str(grades[0])
    assert grades[0].positions.hash != HASH


def test_perfect_makes_no_blunder(tmp_path):
    assert sparring.grade("perfect", "ConnectFour", positions=small_set(tmp_path)).best_moves.value == 1


def test_perfect_makes_no_blunder_in_isola(tmp_path):
    shipped, path = shipped_set(Game.of(ISOLA)), tmp_path / "isola.txt"
    path.write_text("\n".join([f"game {ISOLA}", "version 1", *map(line_of, shipped.positions[::20])]) + "\n")
    found = sparring.grade("perfect", ISOLA, positions=path)
    assert (found.best_moves.value, found.blunders.value, found.positions.count) == (1, 0, 30)
    assert sparring.grade("random", ISOLA, positions=path).blunders.value > 0.3


def test_a_model_is_graded_as_it_is(tmp_path):
    contrib = pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
    from sparring.envs.sb3 import BoardVecEnv

    model = contrib.MaskablePPO("MlpPolicy", BoardVecEnv("ConnectFour", 2), n_steps=8, batch_size=16)
    assert 0 < sparring.grade(model, "ConnectFour", positions=small_set(tmp_path)).blunders.value < 1


def test_what_cannot_be_graded_is_refused(tmp_path):
    path = small_set(tmp_path)
    with pytest.raises(AgentError, match=r"^agent 'function': after \d+: expected a legal move, got 7$"):
        grade(lambda position: 7, "ConnectFour", positions=path)
    with pytest.raises(ConfigError, match=r"^no graded positions for Game\(.*; there are some for ConnectFour; .*; a file of your own"):
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


GRADES = "kind: accuracy\ngame: ConnectFour\nagents: [random, alphabeta:depth=1]\npositions: small.txt\nseed: 4\n"


@pytest.mark.parametrize("workers", [0, 2])
def test_a_killed_run_loses_no_answer(command_line, tmp_path, workers):
    path = small_set(tmp_path, 10)
    (tmp_path / "grades.yaml").write_text(GRADES)
    assert command_line("run", "grades.yaml", "--out", "whole", "executor.workers=0")[0] == 0
    whole, answers = json.loads((tmp_path / "whole" / "results.json").read_text()), tmp_path / "whole" / "answers.jsonl"
    assert whole["grades"][0] == sparring.grade("random", "ConnectFour", positions=path, seed=4).model_dump(mode="json")
    part = tmp_path / "part"
    shutil.copytree(tmp_path / "whole", part)
    (part / "run.json").write_text(json.dumps(json.loads((part / "run.json").read_text()) | {"finished": None}))
    (part / "results.json").unlink()
    lines = answers.read_text().splitlines(keepends=True)
    (part / "answers.jsonl").write_text("".join(lines[:13]) + lines[13][:20])  # as a killed run leaves it
    code, out, _ = command_line("run", "grades.yaml", "--out", "part", f"executor.workers={workers}")
    assert code == 0
    assert any("goes on where it was stopped" in line for line in out)
    assert (part / "answers.jsonl").read_text().splitlines(keepends=True)[:13] == lines[:13]
    assert json.loads((part / "results.json").read_text()) == whole


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("agent", "greedy", "agent: expected 'random', got 'greedy'"),
        ("moves", "44", "moves: expected those of position 0 and one more, got '44'"),
        ("moves", "9", "moves: expected a move such as '1', got '9'"),
        ("id", 77, "id: expected that of a game of this run, got 77"),
    ],
)
def test_answers_of_another_run_are_refused(command_line, tmp_path, key, value, message):
    small_set(tmp_path, 3)
    (tmp_path / "grades.yaml").write_text(GRADES)
    assert command_line("run", "grades.yaml", "--out", "here")[0] == 0
    here = tmp_path / "here"
    (here / "run.json").write_text(json.dumps(json.loads((here / "run.json").read_text()) | {"finished": None}))
    lines = [json.loads(line) for line in (here / "answers.jsonl").read_text().splitlines()]
    lines = [line | {key: value} if line["id"] == 0 else line for line in lines]
    (here / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, _, err = command_line("run", "grades.yaml", "--out", "here")
    assert code == 2
    assert "answers.jsonl:" in err[-1]
    assert message in err[-1]


def test_positions_that_are_used_up_are_said(command_line, tmp_path, monkeypatch):
    monkeypatch.setattr(positions, "MOST_DRAWS", 300)
    (tmp_path / "set.yaml").write_text("kind: positions\ngame: ConnectK:width=3,height=3,k=3\npositions: 600\n")
    code, _, err = command_line("run", "set.yaml", "--out", "here")
    assert code == 2
    assert "positions: found no new position in the stage" in err[-1]


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
    assert command_line("run", "set.yaml", "game=Gomoku")[2][0].startswith(
        "override 'game=Gomoku': game: agent 'perfect': expected a board"
    )
