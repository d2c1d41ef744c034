"""The section of a benchmark: speeds and their goals, speeds by games at once, and other packages."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from ...report.run import Run
from ...report.sections import DASH, Cell, FigureView, RunView, TableView, number, plain_warnings
from ...report.wording import game_text
from ...terminal.phrases import joined
from .charts import MILLION, size_chart, speed_chart
from .peers import MISSING, PEERS
from .results import BenchResults, Solving, Speed, time_text

Rows = Mapping[str, Speed]  # by name

SPEEDS = {  # by group
    "searches": "Million nodes a second",
    "environments": "Million plies a second, random play",
    "learners": "Million steps a second, learning included",
}
SINGULARS = {"searches": "search", "environments": "environment", "learners": "learner"}
OURS = "sparring"
SPEED_FORMAT = ".3g"
SPEED_CAPTION = "The best of all rounds, with a line from the worst; a stroke stands at the goal"
PEER_CAPTION = "; diamonds are other packages"
LEAST_SIZES = 3  # that make a line
NOTE = (
    "By processor time on one core; the best of all rounds counts, as everything else that runs only takes time away. Ratio: to the first"
    " of the same game and opponent."
)
LEARNER_NOTE = "A step is one of the learner's, with the opponent's answer."
PEER_NOTE = (
    "In all packages both sides play at random, and what a network sees and may play is made before each ply; plies are counted, as a step"
    " of ours is two. Ours ÷ theirs: either at its best size, then ours with as many games at once as theirs."
)
SOLVER_NOTE = (
    "The solver: by processor time on one core; its table is empty before each set and kept within it. Nodes and probes are the mean of a"
    " position. The largest time is that of the position with the most nodes, solved once more from an empty table. Random positions are"
    " compared with an earlier answer of the solver."
)


def bench_section(run: Run[BenchResults], section_id: str) -> RunView:
    """Returns the section of a benchmark."""
    results = run.results
    if results is None:
        return RunView(run, section_id, run.name, run.kind, "", "No speed yet", has_games=False)
    groups: dict[str, Rows] = {group: rows for group, rows in results.groups.items() if rows}
    tables = [speed_table(name, rows) for name, rows in groups.items()]
    notes = [NOTE] if groups else []
    if results.solver:
        tables.append(solver_table(results.solver))
        notes.append(SOLVER_NOTE)
    if "learners" in groups:
        notes.append(LEARNER_NOTE)
    if any(row.peer for row in results.environments.values()):
        tables.insert(0, peer_table(results.environments))
        notes.append(PEER_NOTE)
    return RunView(
        run=run,
        section_id=section_id,
        title=run.name,
        subtitle=run.kind,
        game="",
        verdict=verdict_text(groups, results.solver),
        warnings=plain_warnings(results.warnings),
        notes=notes,
        figures=bench_figures(groups, section_id),
        tables=tables,
        has_games=False,
    )


def verdict_text(groups: Mapping[str, Rows], sets: Mapping[str, Solving]) -> str:
    """Returns a sentence on what was timed, how many goals were reached, and how many scores of the solver are wrong."""
    timed = {name: len(present(rows)) for name, rows in groups.items()}
    goals = [(row.best, row.claim) for rows in groups.values() for row in rows.values() if row.claim and row.best]
    counted = joined([f"{count:,} {name if count > 1 else SINGULARS[name]}" for name, count in timed.items()])
    reached = sum(best >= claim for best, claim in goals)
    sentences = [f"{counted} timed" + (f"; {reached} of {len(goals)} goals reached" if goals else "")] if counted else []
    if sets:
        positions, wrong = sum(row.positions for row in sets.values()), sum(row.wrong for row in sets.values())
        sentences.append(f"{positions:,} positions solved, {wrong:,} of their scores wrong")
    return "; ".join(sentences)


def present(rows: Rows) -> Rows:
    """Returns the rows with a speed; packages that are not installed have none."""
    return {name: row for name, row in rows.items() if row.best is not None}


def bench_figures(groups: Mapping[str, Rows], section_id: str) -> list[FigureView]:
    """Returns the charts: speeds by the number of games at once where there are enough sizes, then all other speeds, group by group."""
    figures, lines = [], size_lines(groups.get("environments", {}))
    for index, (game, by_package) in enumerate(lines.items()):
        chart = size_chart(by_package, f"{game}, plies a second by games at once", f"{section_id}-size-{index}")
        figures.append(FigureView(Markup(chart), f"{game} in random play, both sides counted: the best of all rounds"))
    for name, rows in groups.items():
        drawn = lines if name == "environments" else {}
        bars = {label: row for label, row in present(rows).items() if not (is_plain(row) and game_text(row.game.as_game) in drawn)}
        if bars:
            caption = SPEED_CAPTION + (PEER_CAPTION if any(row.peer for row in bars.values()) else "")
            figures.append(FigureView(Markup(speed_chart(bars, SPEEDS[name], f"{section_id}-{name}")), caption))
    return figures


def is_plain(row: Speed) -> bool:
    """Tells whether a row is random play of both sides in a batch, or in another package."""
    return row.opponent == "random" and not row.single


def random_play(rows: Rows) -> dict[str, dict[str | None, dict[int, float]]]:
    """Returns the best speeds of plain random play, by game, peer (None for ours) and number of games at once."""
    speeds: dict[str, dict[str | None, dict[int, float]]] = {}
    for row in filter(is_plain, present(rows).values()):
        speeds.setdefault(game_text(row.game.as_game), {}).setdefault(row.peer, {})[row.games] = row.best or 0.0
    return speeds


def size_lines(rows: Rows) -> dict[str, dict[str, list[tuple[float, float]]]]:
    """Returns the lines of games that were timed at several sizes, by game and package, as points of size and speed."""
    return {
        game: {PEERS[peer].title if peer else OURS: sorted(sizes.items()) for peer, sizes in by_peer.items()}
        for game, by_peer in random_play(rows).items()
        if len(by_peer.get(None, ())) >= LEAST_SIZES
    }


def peer_table(rows: Rows) -> TableView:
    """Returns how many times as fast ours is: a row for each game of each other package."""
    speeds, table = random_play(rows), []
    pairs = {(row.peer, game_text(row.game.as_game)): row.version for row in rows.values() if row.peer}
    for (peer, game), version in pairs.items():
        head, ours = Cell(PEERS[peer].title, remark=version or MISSING), speeds.get(game, {}).get(None, {})
        theirs = speeds.get(game, {}).get(peer)
        if theirs is None:
            table.append((head, Cell(game), *[number(None, "")] * 4))
            continue
        size = max(theirs, key=theirs.__getitem__)
        best, same = max(ours.values(), default=None), ours.get(size)
        ratios = [ratio(speed, theirs[size]) for speed in (best, same)]
        table.append((head, Cell(game), number(size, ",d"), number(theirs[size] / MILLION, SPEED_FORMAT), *ratios))
    headings = ("Package", "Game", "Its best size", "Million plies a second", "Ours ÷ theirs", "At the same size")
    return TableView("Random play in other packages", headings, table)


def speed_table(name: str, rows: Rows) -> TableView:
    """Returns the table of one kind of speeds; each ratio is to the first row of the same game and opponent."""
    table, first = [], {}
    for label, row in rows.items():
        speeds = [number(speed and speed / MILLION, SPEED_FORMAT) for speed in (row.best, row.median, row.worst)]
        base = first.setdefault((game_text(row.game.as_game), row.opponent), row.best)
        goal = number(row.claim and row.claim / MILLION, ",.3g")
        reached = Cell(DASH if not (row.claim and row.best) else "yes" if row.best >= row.claim else "no")
        table.append(
            (Cell(label, remark=timed_text(row)), *speeds, ratio(row.best, base), goal, reached, Cell(game_text(row.game.as_game)))
        )
    headings = (SINGULARS[name].capitalize(), "Best", "Median", "Worst", "Ratio", "Goal", "Reached", "Game")
    return TableView(SPEEDS[name], headings, table)


def solver_table(sets: Mapping[str, Solving]) -> TableView:
    """Returns the table of the solver's sets."""
    table = []
    for name, row in sets.items():
        times = [Cell(time_text(seconds), seconds) for seconds in (row.mean_seconds, row.largest_seconds)]
        counts = [number(count, ",.0f") for count in (row.nodes, row.probes)]
        speed, size = number(row.nodes_per_second / MILLION, SPEED_FORMAT), number(row.table_mib, "g")
        table.append((Cell(name), number(row.positions, ",d"), *times, *counts, speed, number(row.wrong, ",d"), size))
    headings = (
        "Set",
        "Positions",
        "Mean time",
        "Largest time",
        "Nodes",
        "Probes",
        "Million nodes a second",
        "Wrong scores",
        "Table in MiB",
    )
    return TableView("The exact solver of Connect Four", headings, table)


def ratio(speed: float | None, base: float | None) -> Cell:
    """Returns the cell of a speed as a multiple of another; either may be None."""
    multiple = speed / base if speed and base else None
    return number(multiple, ",.0f" if multiple and multiple >= 100 else ".3g")


def timed_text(row: Speed) -> str:
    """Returns a description of one row."""
    if row.agent is not None:
        return row.agent
    if row.best is None:
        return MISSING
    games = "one game" if row.games == 1 else f"{row.games:,} {'single games' if row.single else 'games in a batch'}"
    if row.peer:
        return f"{games} in {PEERS[row.peer].title} {row.version}"
    return f"{games} against {row.opponent}"
