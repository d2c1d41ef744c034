"""The report of tournaments, ladders and evaluations, of very many games, and of several runs."""

import io
import itertools
import json
import tracemalloc

import pytest
import yaml
from rich.console import Console
from sparring.experiments.games.tally import score_of_games, tally_of
from sparring.experiments.kinds import results_of as read_results
from sparring.experiments.kinds.tournament.run import warnings_of
from sparring.experiments.pages import page_view, read_run, write_page
from sparring.experiments.report.log_digest import Digest, LogGames
from sparring.experiments.report.wording import elo_interval, elo_text, signed_elo
from sparring.experiments.run_folder import RunFolder
from sparring.experiments.statistics.estimate import Estimate
from sparring.experiments.statistics.game_results import results_of_games
from sparring.experiments.statistics.rating import fit
from sparring.experiments.statistics.score import seat_of
from sparring.experiments.statistics.sprt import Sprt
from sparring.experiments.terminal import results as screen

from .test_report import Page, page_of

INTERVALS = "(95 %: 380 to 482, with the ladder's own error 350 to 512)"
NO_BREAK = "\N{NO-BREAK SPACE}"


def results_of(folder):
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def section_of(folder):
    [view] = page_view(read_run(folder)).views
    return view


def test_standings_say_what_the_results_say(tmp_path, tournament_run):
    folder = tournament_run(tmp_path / "cup", forfeits=1)
    standings = results_of(folder)["standings"]
    table = section_of(folder).standings[0]
    assert [row[0].text for row in table.rows] == [f"{place}. {row['agent']}" for place, row in enumerate(standings, start=1)]
    for cells, row in zip(table.rows, standings, strict=True):
        elo, games, score, first, _, forfeits = cells[1:]
        assert (elo.value, games.value, score.value, forfeits.value) == (
            row["elo"]["value"],
            row["games"],
            row["value"],
            sum(row["forfeits"].values()),
        )
        assert first.remark == " / ".join(map(str, row["outcomes"]["first"].values()))
    assert [row[1].remark for row in table.rows if row[0].text.endswith("alpha")] == ["anchor"]
    leader, second = standings[:2]
    assert f"{leader['agent']} leads, " in page_of(folder).text
    assert f"ahead of {second['agent']} and stronger with a likelihood of " in page_of(folder).text


def test_crosstable_shows_each_pairing_from_both_sides(tmp_path, tournament_run):
    folder = tournament_run(tmp_path / "cup", ("alpha", "beta", "gamma", "delta"))
    results = results_of(folder)
    results["pairings"] = results["pairings"][:-1]  # as if gamma and delta had not met
    (folder / "results.json").write_text(json.dumps(results))
    table = section_of(folder).standings[1]
    agents = [row["agent"] for row in results["standings"]]
    cells = {(one, other): row[place] for one, row in zip(agents, table.rows, strict=True) for place, other in enumerate(agents, start=1)}
    assert {cells[agent, agent].text for agent in agents} == {""}
    assert cells["gamma", "delta"].text == cells["delta", "gamma"].text == "\N{EM DASH}"
    for pairing in results["pairings"]:
        one, other = pairing["agents"]
        assert cells[one, other].value == pairing["score"]
        assert cells[one, other].remark == f"{100 * pairing['low']:.0f}\N{EN DASH}{100 * pairing['high']:.0f}"
        assert cells[other, one].remark == f"{100 - 100 * pairing['high']:.0f}\N{EN DASH}{100 - 100 * pairing['low']:.0f}"
        assert cells[one, other].lead == pytest.approx(-cells[other, one].lead)
        assert cells[other, one].value == pytest.approx(1 - pairing["score"])
        assert cells[one, other].is_bold == (pairing["low"] > 0.5 or pairing["high"] < 0.5)
        assert cells[one, other].games[1:] == (one, other)


def test_a_hundred_warnings_are_two(tmp_path, tournament_run):
    folder = tournament_run(tmp_path / "cup", [f"agent {number}" for number in range(9)], games=2, forfeits=1)
    results = results_of(folder)
    for pairing in results["pairings"]:
        pairing["distinct_games"] = 1
    (folder / "results.json").write_text(json.dumps(results))
    warnings = section_of(folder).warnings
    assert len(warnings) == 2
    assert warnings[0].text.startswith("36 games were forfeited by ")
    assert sum(int(item.split(" lost ")[1].split()[0]) for item in warnings[0].items) == 36
    assert warnings[1].text.startswith("In 36 of 36 pairings more than 5 % of the games repeat another game")
    assert len(warnings[1].items) == 36


@pytest.mark.parametrize(
    ("distinct", "words"),
    [(5, "1 game repeats another move by move in 1 of 2 pairings, so"), (4, "2 games repeat others move by move in 1 of 2 pairings, so")],
)
def test_repeats_are_counted_in_the_singular_too(random_games, distinct, words):
    games = random_games(6)
    for game in games[distinct:]:
        game["moves"] = games[0]["moves"]
    tallies = [tally_of(some, ("alpha", "beta")) for some in (games, random_games(4, seed=2))]
    [warning] = warnings_of(tallies)
    assert warning.startswith(words)


def test_tests_ratings_and_openings_are_named(tmp_path, tournament_run):
    test = Sprt(3.1, -2.94, 2.94, "accepted", 0.0, 30.0)
    text = page_of(tournament_run(tmp_path / "cup", test=test)).text
    for words in (
        "alpha beta a lead of 30 Elo is accepted over one of 0 3.10 -2.94 to 2.94",
        "Anchor alpha at 0",
        "1 random plies, each judged as lost for neither side by alphabeta:nodes=5000",
    ):
        assert words in text
    assert "Moving first is worth" in text


def test_an_unfinished_tournament_is_rated_as_far_as_it_went(tmp_path, tournament_run):
    folder = tournament_run(tmp_path / "cup", finished=None)
    places = [row["agent"] for row in results_of(folder)["standings"]]
    (folder / "results.json").unlink()
    assert "Not finished." in page_of(folder).text
    assert [row[0].text for row in section_of(folder).standings[0].rows] == [
        f"{place}. {agent}" for place, agent in enumerate(places, start=1)
    ]
    (folder / "games.jsonl").unlink()
    assert "No game has been finished yet" in page_of(folder).text


@pytest.mark.parametrize("kind", ["tournament", "ladder"])
def test_an_unfinished_tournament_is_rated_by_the_anchor_and_the_draws_of_its_config(tmp_path, tournament_run, kind):
    agents = ("greedy", "random", "random (2)")
    config = {"kind": kind, "agents": [{"name": agent.split()[0]} for agent in agents], "anchor_elo": 100.0, "ties": "rao-kupper"}

    def ratings_so_far(place):
        folder = tournament_run(tmp_path / f"cup {place}", agents, kind=kind, config=yaml.safe_dump({**config, "anchor": place}))
        (folder / "results.json").unlink()
        games = [game for game in LogGames(folder / "games.jsonl") if agents[2] not in (game["first"], game["second"])]
        (folder / "games.jsonl").write_text("".join(json.dumps(game) + "\n" for game in games))
        return section_of(folder), results_of_games(games)

    view, played = ratings_so_far(1)
    assert view.facts["Anchor"] == "random at 100"
    assert view.facts["Model of draws"] == "rao-kupper"
    expected = fit(played, ("random", 100.0), "rao-kupper")
    for row in view.standings[0].rows:
        assert row[1].value == expected.interval(row[0].text.split(" ")[1]).value
    assert [row[1].remark for row in view.standings[0].rows if row[0].text.endswith("random")] == ["anchor"]
    view, _ = ratings_so_far(2)  # who has not played yet
    assert view.facts["Anchor"] == "none; the mean is 0"
    assert sum(row[1].value for row in view.standings[0].rows) == pytest.approx(0.0)


def test_an_evaluation_says_how_strong_and_where_it_lost(tmp_path, evaluate_run):
    folder = evaluate_run(tmp_path / "mine", warnings=[f"warning {number}" for number in range(5)])
    text = page_of(folder).text
    assert f"policy:path=model.zip has 431 Elo {INTERVALS} on the ladder of TicTacToe, after 18 games." in text
    assert "Kinds of loss: 6 of 18 games were lost" in text
    assert "by an illegal move 1 17" in text
    view = section_of(folder)
    assert [row[0].text for row in view.tables[0].rows] == ["alphabeta:depth=4", "greedy", "random"]
    assert [len(warning.items) for warning in view.warnings] == [5]
    assert "alphabeta:depth=4 600; policy:path=model.zip 431; greedy 300; random 0" in view.figures[0].svg
    (folder / "results.json").unlink()
    assert "18 games so far; the rating comes at the end" in page_of(folder).text


def test_replayed_games_have_scores_depths_and_reasons(tmp_path, tournament_run):
    folder = tournament_run(tmp_path / "cup", forfeits=1)
    played = {game["id"]: game for game in LogGames(folder / "games.jsonl")}
    replay = section_of(folder).replay
    assert len(replay["games"]) == len(played)
    for game in replay["games"]:
        for key in ("scores", "depths", "reason"):
            assert game.get(key) == played[game["id"]].get(key)
    assert any("reason" in game for game in replay["games"])


def test_a_digest_counts_as_tallies_do(random_games):
    games = random_games(30, "TicTacToe") + random_games(20, "TicTacToe", ("alpha", "gamma"), first_id=30, seed=2)
    digest = Digest(games)
    assert digest.count == digest.kinds.total() == 50
    for opponent, seat in itertools.product(("beta", "gamma"), ("first", "second")):
        own = [game for game in games if opponent in (game["first"], game["second"]) and seat_of(game, "alpha") == seat]
        assert digest.score("alpha", seat, opponent) == pytest.approx(score_of_games(own, "alpha"))
    assert digest.score("beta", "first", "gamma") is None


def test_many_games_need_little_memory(tmp_path, random_games, write_run):
    some = [json.dumps(game) for game in random_games(40, "TicTacToe")]
    folder = write_run(tmp_path / "long")
    with (folder / "games.jsonl").open("w") as log:
        for number in range(10_000):
            log.write(some[number % 40].replace(f'"id": {number % 40},', f'"id": {number},') + "\n")
    tracemalloc.start()
    try:
        games = LogGames(folder / "games.jsonl")
        assert games.digest.count == 10_000
        assert sum(1 for _ in games) == 10_000
        assert tracemalloc.get_traced_memory()[1] < 2_500_000  # a list of all games takes 25 MB
    finally:
        tracemalloc.stop()


def test_several_runs_stand_on_one_page(tmp_path, evaluate_run, match_run):
    folders = [evaluate_run(tmp_path / "a" / "mine"), evaluate_run(tmp_path / "b" / "mine"), match_run(tmp_path / "duel")]
    page = Page(write_page(folders, tmp_path / "all.html").read_text(encoding="utf-8"))
    assert [row[0] for row in page.rows[1:4]] == [str(folders[0]), str(folders[1]), "duel"]
    assert "Elo on the ladder of TicTacToe, run by run" in page.text
    assert page.text.count("Git commit") == 3
    assert len(page.ids) == len(set(page.ids))
    assert len(page.replays) == 3


def test_the_command_takes_several_runs(command_line, tmp_path, match_run):
    for name in ("one", "two"):
        match_run(tmp_path / name, count=2)
    refused = "report: expected --out FILE for the page of 2 runs, such as --out report.html, got none"
    assert command_line("report", "one", "two") == (2, [], [refused])
    assert not (tmp_path / "report.html").exists()
    assert command_line("report", "one", "two", "--out", "both.html")[1] == ["report: both.html"]
    assert command_line("report", "one")[1] == ["report: one/report.html"]
    assert all((tmp_path / name).is_file() for name in ("both.html", "one/report.html"))
    assert not (tmp_path / "two" / "report.html").exists()
    assert command_line("report", "one", ".")[0] == 2
    nowhere = command_line("report", "one", "--out", "nowhere/page.html")
    assert nowhere == (2, [], ["nowhere/page.html: expected a file in a folder that exists, got one in 'nowhere'"])


def model_of(folder):
    """Returns the results of a run as its model."""
    return read_results(RunFolder(folder))


def test_the_terminal_shows_standings_and_ratings(tmp_path, tournament_run, evaluate_run, capsys, monkeypatch):
    results = model_of(tournament_run(tmp_path / "cup", [f"agent {number}" for number in range(6)], forfeits=1))
    screen.show_results("cup", results)
    lines = capsys.readouterr().out.splitlines()
    best = results.standings[0]
    assert lines[0].startswith(f"cup: 1. {best.agent}: Elo {best.elo.value:.0f} (95 %: ")
    assert lines[-1] == f"cup: and {len(results.warnings) - 10} warnings more, see the report"
    assert len(lines) == 6 + 10 + 1
    screen.show_results("cup", results.model_copy(update={"warnings": results.warnings[:11]}))
    assert capsys.readouterr().out.splitlines()[-1] == "cup: and 1 warning more, see the report"
    measured = model_of(evaluate_run(tmp_path / "mine", warnings=["a warning"]))
    screen.show_results("mine", measured)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f"mine: policy:path=model.zip: Elo 431 {INTERVALS}, 18 games", "mine: losses: 5 line, 1 illegal"]
    assert lines[2].startswith("mine: policy:path=model.zip - random: ")
    assert lines[5:] == ["mine: a warning"]
    shown = io.StringIO()
    monkeypatch.setattr(screen, "OUT", Console(file=shown, force_terminal=True, width=140, color_system=None))
    screen.show_results("cup", results)
    screen.show_results("mine", measured)
    assert "95 % interval" in shown.getvalue()
    assert all(row.agent in shown.getvalue() for row in results.standings)


def test_ratings_in_words():
    assert [elo_text(elo) for elo in (-0.2, 0.4, -12.6, 1843.2)] == ["0", "0", "\N{MINUS SIGN}13", "1843"]
    assert [signed_elo(elo) for elo in (-0.2, 35, -35)] == ["0", "+35", "\N{MINUS SIGN}35"]
    assert elo_interval(Estimate(35, 10, 60)) == f"35{NO_BREAK}Elo (95{NO_BREAK}%: 10 to 60)"
