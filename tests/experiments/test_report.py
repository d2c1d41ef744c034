"""The report page: what it says, that it is well formed and needs nothing else, and that its games are those that were played."""

import itertools
import json
import re
from html.parser import HTMLParser

import pytest
from sparring.envs.drawing.shapes import PAGE_COLOURS
from sparring.envs.position import Position
from sparring.experiments.files import RunFolderError
from sparring.experiments.pages import read_run, write_report
from sparring.experiments.report.charts import OUTCOME_STYLES, curve_chart, length_chart, score_chart, whole_bins
from sparring.experiments.report.log_digest import MOST_GAMES, Digest, LogGames
from sparring.experiments.report.page import HERE
from sparring.experiments.report.replay import MOST_CHARACTERS, replay_of
from sparring.experiments.report.wording import duration, interval, moment, percent
from sparring.experiments.statistics.score import Score
from sparring.experiments.terminal.phrases import joined

from .results import match_of

VOID = {"meta", "link", "input", "br", "img", "hr", "wbr"}
MAY_BREAK = "\N{ZERO WIDTH SPACE}"
GAMES = [
    ("ConnectFour", {}),
    ("TicTacToe", {}),
    ("ConnectK", {"width": 12, "height": 5, "k": 4}),
    ("Gomoku", {"size": 9}),
    ("Isola", {"rules": "queen"}),
    ("Isola", {"rules": "classic"}),
    ("Isola", {"rules": "knight"}),
]


class Page(HTMLParser):
    """A page read element by element: every tag must be closed in order."""

    def __init__(self, html):
        super().__init__()
        self.open, self.ids, self.texts, self.replays, self.rows = [], [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if attributes.get("type") == "application/json":
            self.replays.append("")
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
        if tag == "wbr":
            self.texts.append(MAY_BREAK)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script" and self.replays and not self.replays[-1]:
            self.replays[-1] = data
        elif self.open and self.open[-1] not in ("script", "style"):
            self.texts.append(data)
            if {"td", "th"} & set(self.open[-2:]) and self.rows:
                self.rows[-1][-1] += data

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.texts).replace(f" {MAY_BREAK} ", ""))


def page_of(folder):
    return Page(write_report(folder).read_text(encoding="utf-8"))


def test_page_of_a_match_says_who_won_how_often_from_which_seat(tmp_path, match_run):
    folder = match_run(tmp_path / "duel", count=20)
    results = json.loads((folder / "results.json").read_text())
    page = page_of(folder)
    score = f"{100 * results['score']:.0f} % ({100 * results['low']:.0f} to {100 * results['high']:.0f} %)"
    assert f"alpha scores {score} against beta over 20 games, {results['distinct_games']} distinct." in page.text
    for seat in ("first", "second"):
        counts = results["outcomes"][seat]
        row = next(row for row in page.rows if row and row[0] == seat)
        assert [int(number) for number in row[1:5]] == [sum(counts.values()), counts["win"], counts["draw"], counts["loss"]]
    assert f"{results['plies']['mean']:.1f} plies on average" in page.text


def test_page_says_how_the_run_came_about(tmp_path, match_run):
    text = page_of(match_run(tmp_path / "duel")).text
    for word in ("duel", "Seed 7", "0123456789 with changes", "sparring 0.1.0, python 3.11.7", "2026-01-02 03:04 UTC", "1 min 0 s"):
        assert word in text
    assert "sparring run configs/trial.yaml seed=7" in text


def test_page_needs_nothing_from_elsewhere_and_has_no_id_twice(tmp_path, match_run, train_run, write_run):
    match_run(tmp_path / "1-match", game="Gomoku", size=9)
    train_run(tmp_path / "2-train")
    folder = write_run(tmp_path, results={"kind": "series", "runs": ["1-match", "2-train"]}, kind="series")
    html = write_report(folder).read_text(encoding="utf-8")
    page = Page(html)
    assert len(page.ids) == len(set(page.ids))
    assert re.findall(r'(?:src|href|action|data)="(?!#|data:,)[^"]*"', html) == []
    assert set(re.findall(r"https?://[^\s\"'<>]+", html)) <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in html


def test_page_of_a_training_has_its_curve_and_a_row_a_seat_and_opponent(tmp_path, train_run):
    page = page_of(train_run(tmp_path / "learning"))
    assert "After 20,000 of 40,000 time steps, at its best evaluation, learner scores" in page.text
    assert "kept is the network after 20,000 time steps" in page.text
    assert "MaskablePPO trained against greedy" in page.text
    assert "Learning curve" in page.text
    assert [row[:2] for row in page.rows[1:]] == [[who, seat] for who in ("random", "greedy") for seat in ("both", "first", "second")]


def test_page_of_a_series_links_to_every_run(tmp_path, match_run, train_run, write_run):
    match_run(tmp_path / "2-b")
    match_run(tmp_path / "10-c", game="TicTacToe")
    train_run(tmp_path / "1-a")
    folder = write_run(tmp_path, results={"kind": "series", "runs": ["1-a", "2-b", "10-c"]}, kind="series")
    html = write_report(folder).read_text(encoding="utf-8")
    page = Page(html)
    assert [row[0] for row in page.rows[1:4]] == ["1-a", "2-b", "10-c"]
    for anchor in re.findall(r'href="#(run-\d)"', html):
        assert anchor in page.ids
    assert len(page.replays) == 3


@pytest.mark.parametrize(("game", "parameters"), GAMES)
def test_embedded_games_end_where_position_says(tmp_path, match_run, game, parameters):
    folder = match_run(tmp_path / "games", count=6, game=game, **parameters)
    played = {entry["id"]: entry for entry in map(json.loads, (folder / "games.jsonl").read_text().splitlines())}
    [replay] = map(json.loads, page_of(folder).replays)
    assert {entry["id"] for entry in replay["games"]} == set(played)
    for entry in replay["games"]:
        position = Position(game, **parameters)
        texts = [position.text]
        for move in entry["moves"]:
            position.push(move)
            texts.append(position.text)
        assert entry["boards"] == texts
        assert position == Position(game, played[entry["id"]]["moves"], **parameters)
        assert position.is_over
        assert bool(entry["lines"]) == (position.termination == "line")


def test_text_from_configs_and_names_is_escaped(tmp_path, match_run):
    evil = "policy:path=</script><script>alert(1)</script>&amp;'\"<b>"
    folder = match_run(tmp_path / "evil", agents=(evil, "beta"), config=f"name: {evil}\n")
    html = write_report(folder).read_text(encoding="utf-8")
    page = Page(html)
    assert "<script>alert" not in html
    assert "<b>" not in html
    assert f"name: {evil}" in page.text
    assert json.loads(page.replays[0])["agent"] == evil


def test_names_in_any_script_are_drawn_without_a_warning(tmp_path, match_run):
    assert "策略" in page_of(match_run(tmp_path / "unicode", agents=("策略", "🎲"))).text


def test_warnings_stand_on_the_page(tmp_path, random_games, write_run):
    games = [{**game, "moves": random_games(1)[0]["moves"]} for game in random_games(12)]
    folder = write_run(tmp_path / "same", games, match_of(games, ("alpha", "beta")))
    assert "Warning: only 1 of 12 games against beta is distinct" in page_of(folder).text


def test_unfinished_match_shows_what_there_is(tmp_path, random_games, write_run):
    games = random_games(7)
    folder = write_run(tmp_path / "cut", games, finished=None)
    with (folder / "games.jsonl").open("a") as log:
        log.write('{"id": 8, "torn')
    page = page_of(folder)
    assert "Not finished." in page.text
    assert "over 7 games" in page.text
    assert len(json.loads(page.replays[0])["games"]) == 7


@pytest.mark.parametrize(
    ("kind", "words"),
    [("match", "No game has been finished yet"), ("train", "No evaluation yet"), ("series", "No run of this series has begun")],
)
def test_run_without_anything_yet_gives_a_page_that_says_so(tmp_path, write_run, kind, words):
    page = page_of(write_run(tmp_path / "empty", kind=kind, finished=None, git=None))
    assert words in page.text
    assert "Not finished." in page.text
    assert page.replays == []


def test_unfinished_training_shows_its_curve(tmp_path, train_run):
    folder = train_run(tmp_path / "half")
    (folder / "results.json").unlink()
    (folder / "games.jsonl").unlink()
    assert "Trained for 40,000 time steps so far" in page_of(folder).text


def test_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(RunFolderError, match="expected the folder of a run"):
        write_report(tmp_path)


def test_page_of_a_thousand_games_stays_small_and_shows_every_kind_of_game(tmp_path, random_games, write_run):
    some = random_games(40)
    games = [{**some[number % 40], "id": number, "pair": number // 2} for number in range(1000)]
    page = write_report(write_run(tmp_path / "long", games, match_of(games, ("alpha", "beta"))))
    assert page.stat().st_size < 1_000_000
    [replay] = map(json.loads, Page(page.read_text(encoding="utf-8")).replays)
    assert len(replay["games"]) == MOST_GAMES
    kinds = {(game["first"], game["result"]) for game in games}
    assert {(game["first"], game["result"]) for game in replay["games"]} == kinds
    assert f"{MOST_GAMES} of 1,000 games" in Page(page.read_text(encoding="utf-8")).text


def test_boards_on_light_paper_have_the_colours_of_pixels():
    light = (HERE / "page.css").read_text(encoding="utf-8").partition("@media")[0]
    assert dict(re.findall(r"(--[a-z-]+): (#[0-9a-f]{6})", light)).items() >= PAGE_COLOURS.items()


def test_long_games_are_fewer(tmp_path, match_run):
    replay = replay_of(LogGames(match_run(tmp_path / "long", 60, game="Gomoku", size=20, rule="standard") / "games.jsonl"), "alpha")
    characters = sum(len(board) for game in replay["games"] for board in game["boards"])
    assert 0 < len(replay["games"]) < 60
    assert characters <= MOST_CHARACTERS


def test_choice_of_games_takes_pairings_in_turn_then_endings_and_repeats_last():
    played = [
        ("ab", "first", "1"),
        ("ab", "first", "1"),
        ("ab", "first", "2"),
        ("ab", "draw", "3"),
        ("ac", "draw", "4"),
        ("ac", "draw", "4"),
    ]
    games = [
        {"id": id, "first": seats[0], "second": seats[1], "result": result, "moves": moves, "termination": "line", "plies": 1, "game": {}}
        for id, (seats, result, moves) in enumerate(played)
    ]
    assert Digest(games).choice() == [0, 4, 3, 2, 1, 5]


def test_every_pairing_has_a_game_to_replay(tmp_path, tournament_run):
    folder = tournament_run(tmp_path / "many", [f"agent {number}" for number in range(13)], games=2)
    shown = LogGames(folder / "games.jsonl").digest.choice()
    assert len(shown) == 78
    assert len({id // 2 for id in shown}) == 78


def test_charts_take_the_colours_of_the_page():
    charts = [
        score_chart({"against <x>": {"both": Score(0.5, 0.4, 0.6), "first": Score(1, 0.9, 1), "second": None}}, "one"),
        curve_chart([{"timesteps": 0, "opponent": "x", "score": 0, "low": 0, "high": 0.1}], "two"),
        length_chart({"win": {9: 2}, "draw": {}, "loss": {30: 1}}, OUTCOME_STYLES, "three"),
    ]
    for chart in charts:
        Page(chart)
        assert "currentColor" in chart
        assert "#010203" not in chart
        assert "<style" not in chart
        assert 'role="img"' in chart
    assert "against &lt;x&gt;" in charts[0]


@pytest.mark.parametrize(("low", "high"), [(9, 9), (7, 42), (5, 28), (5, 29), (1, 400)])
def test_bins_hold_every_length_and_as_many_whole_numbers_each(low, high):
    edges = whole_bins(low, high)
    assert edges[0] < low
    assert edges[-1] > high
    assert len({right - left for left, right in itertools.pairwise(edges)}) == 1
    assert len(edges) <= 26


def test_words():
    assert percent(0.785) == "78\N{NO-BREAK SPACE}%"
    assert interval(Score(0.5, 0.25, 0.75)) == "50\N{NO-BREAK SPACE}% (25 to 75\N{NO-BREAK SPACE}%)"
    assert [duration(seconds).replace("\N{NO-BREAK SPACE}", " ") for seconds in (0, 2.5e-5, 0.0123, 3.21, 250, 7300)] == [
        "0 s",
        "25 µs",
        "12.3 ms",
        "3.21 s",
        "4 min 10 s",
        "2 h 1 min",
    ]
    assert joined(["a"]) == "a"
    assert joined(["a", "b", "c"]) == "a, b and c"
    assert moment(None) == "\N{EM DASH}"
    assert moment("yesterday") == "yesterday"


def test_report_of_a_run_is_read_as_it_stands(tmp_path, match_run):
    run = read_run(match_run(tmp_path / "duel", count=4))
    assert (run.name, run.kind, run.is_finished, run.games.digest.count) == ("duel", "match", True, 4)
