"""An ablation: the same positions searched by one agent with its parts switched on and off, to measure each part."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ....agents import make, spec_text
from ....envs.game import Game
from ....envs.position import Position
from ....envs.rules.errors import shown
from ...config.parts import game_of
from ...games.entries import SearchedGame
from ...games.log import GamesLog
from ...games.openings import draw_openings
from ...games.task import derived_seed
from ...results import GameRecord
from ...run_folder import RunFolder
from ...statistics.mean import Mean, mean_interval
from ...statistics.score import score_interval
from ...terminal.analysis import deepen
from ...terminal.progress import progress
from .config import FULL, AblationConfig, Claim, Sample
from .results import AblationResults, ClaimResult, ConfigurationResults, Verdict

STAGES = ("early", "middle", "late")  # thirds of a game


class Task(NamedTuple):
    """One configuration on the positions of one game, in order, so that an agent can use what it keeps between moves."""

    id: int
    configuration: str
    game_number: int
    moves: str  # of the game, as text


def run_ablation(config: AblationConfig, folder: RunFolder) -> AblationResults:
    """Makes the searches that the folder lacks and returns the results of all of them."""
    game, games = game_of(config.game), config.positions.games
    lines = sample_games(game, config.positions, config.seed)
    texts = [text_of(game, line) for line in lines]
    tasks = [
        Task(number + index * games, name, number, texts[number]) for index, name in enumerate(config.specs()) for number in range(games)
    ]
    tasks.sort(key=lambda task: task.game_number)  # game by game, so that a disturbance of the machine affects all configurations
    with GamesLog(folder.searches, SearchedGame, mistake_of_search) as log, progress(config.name, len(tasks)) as show:
        log.hold_all({task.id: task for task in tasks}.get)
        agents = {name: make(spec, game) for name, spec in config.specs().items()}
        for agent in agents.values():
            agent.analyse(Position(game))  # a first search may compile, which does not count as thinking time
        for done, task in enumerate(tasks, start=1):
            if task.id not in log:
                log.append(search_game(task, agents[task.configuration], game, lines[task.game_number], config))
            show(done)
        return ablation_results(config, [log[task.id] for task in tasks])


def mistake_of_search(entry: dict[str, Any], task: Task) -> str | None:
    """Returns the difference between an entry and its task, or None."""
    for key in ("configuration", "game_number", "moves"):
        if entry[key] != getattr(task, key):
            return f"{key}: expected {shown(getattr(task, key))}, got {shown(entry[key])}"
    return None


def text_of(game: Game, line: Sequence[int]) -> str:
    """Returns the moves of a game as text."""
    position = Position(game)
    for move in line:
        position.push(move)
    return position.notation


def sample_games(game: Game, sample: Sample, seed: int) -> list[list[int]]:
    """Returns the moves of games that an agent plays against itself from random openings."""
    lines: list[list[int]] = []
    player = make(sample.player, game)
    for number, opening in enumerate(draw_openings(game, sample.opening_plies, sample.games, seed)):
        position = Position(game)
        for move in opening:
            position.push(move)
        player.reset(derived_seed(seed, number))
        while not position.is_over:
            position.push(player.act(position.copy()))
        lines.append(position.moves)
    return lines


def sampled_plies(line: Sequence[int], number: int, sample: Sample) -> list[int]:
    """Returns the plies of a game before which its positions are taken: those of one side, after the opening."""
    first = sample.opening_plies + (sample.opening_plies + number) % 2
    return list(range(first, len(line), 2 * sample.every))


def search_game(task: Task, agent: Any, game: Game, line: Sequence[int], config: AblationConfig) -> dict[str, Any]:
    """Returns the log entry of a task: every finished depth of the search of every position."""
    agent.reset(derived_seed(config.seed, task.game_number))
    plies, searches = sampled_plies(line, task.game_number, config.positions), []
    position = Position(game)
    for ply, move in enumerate(line):
        if ply in plies:
            if config.pause and searches:
                time.sleep(config.pause)
            searches.append({"ply": ply, **search_position(agent, position)})
        position.push(move)
    return {
        "id": task.id,
        "configuration": task.configuration,
        "game_number": task.game_number,
        "plies": len(line),
        "moves": position.notation,
        "searches": searches,
    }


def search_position(agent: Any, position: Position) -> dict[str, Any]:
    """Returns the result of a search of a position, depth by depth."""
    rows: dict[int, list[Any]] = {}
    analysis = None
    for analysis in deepen(agent, position.copy()):
        row = [analysis.depth, analysis.nodes, round(analysis.seconds, 6), analysis.score, analysis.move]
        rows.setdefault(analysis.depth, row)
    assert analysis is not None
    return {
        "move": analysis.move,
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "evaluations": analysis.evaluations,
        "table_hits": analysis.table_hits,
        "seconds": round(analysis.seconds, 6),
        "settled": analysis.is_final,
        "depths": list(rows.values()),
    }


def ablation_results(config: AblationConfig, entries: Sequence[dict[str, Any]]) -> AblationResults:
    """Returns the results of the searches from their log entries."""
    by_name = {name: [entry for entry in entries if entry["configuration"] == name] for name in config.specs()}
    moves = {key: search["move"] for key, search in searches_by_position(by_name[FULL])}
    return AblationResults(
        kind=config.kind,
        game=GameRecord.of(game_of(config.game)),
        positions=sum(len(entry["searches"]) for entry in by_name[FULL]),
        configurations={name: configuration_results(config.specs()[name], group, moves) for name, group in by_name.items()},
        claims=[claim_result(claim, by_name) for claim in config.claims],
    )


def configuration_results(spec: dict[str, Any], entries: Sequence[dict[str, Any]], full_moves: dict[Any, int]) -> ConfigurationResults:
    """Returns the results of one configuration's searches.

    The depth is that of searches that the budget ended: a search that solves the game stops early and says nothing about speed.
    The branching factor is the geometric mean, over all searches, of the nodes to finish the last depth divided by those to finish the
    depth before.
    """
    searches = [search for _, search in searches_by_position(entries)]
    open_ = [search for search in searches if not search["settled"]]
    growths = [rows[-1][1] / rows[-2][1] for search in open_ if len(rows := search["depths"]) > 1]
    seconds, nodes = (sum(search[name] for search in searches) for name in ("seconds", "nodes"))
    return ConfigurationResults(
        agent=spec_text(spec),
        settled=len(searches) - len(open_),
        depth=_summary(depths_by_game(entries).values()),
        stages={stage: _summary(depths_by_game(entries, stage).values()) for stage in STAGES},
        branching=math.exp(sum(map(math.log, growths)) / len(growths)) if growths else None,
        nodes=nodes / len(searches),
        seconds=seconds / len(searches),
        nodes_per_second=nodes / seconds if seconds else None,
        agreement=score_interval([float(search["move"] == full_moves[key]) for key, search in searches_by_position(entries)]),
    )


def claim_result(claim: Claim, by_name: dict[str, list[dict[str, Any]]]) -> ClaimResult:
    """Returns a claim with the difference, game by game, and its verdict."""
    settled = (
        set()
        if claim.more_stage or claim.less_stage
        else {key for name in (claim.more, claim.less) for key, search in searches_by_position(by_name[name]) if search["settled"]}
    )
    more, less = (
        depths_by_game(by_name[name], stage, settled) for name, stage in ((claim.more, claim.more_stage), (claim.less, claim.less_stage))
    )
    differences = [more[number] - less[number] for number in more if number in less]
    difference = mean_interval(differences) if differences else None
    return ClaimResult(**claim.model_dump(), found=difference, verdict=verdict(claim, difference))


def verdict(claim: Claim, difference: Mean | None) -> Verdict:
    """Returns "holds" if the interval lies within the claim, "fails" if it lies outside, else "open"."""
    low, high = (-math.inf if claim.at_least is None else claim.at_least), (math.inf if claim.at_most is None else claim.at_most)
    if difference is None or difference.low is None or difference.high is None:
        return "open"
    if low <= difference.low and difference.high <= high:
        return "holds"
    return "fails" if difference.high < low or difference.low > high else "open"


def depths_by_game(entries: Sequence[dict[str, Any]], stage: str | None = None, without: set[Any] | None = None) -> dict[int, float]:
    """Returns the mean depth reached in each game's positions, of those that were not settled; games without any are left out.

    Args:
        entries: of one configuration.
        stage: a third of the games; None for all of them.
        without: positions (game, ply) to leave out.
    """
    depths: dict[int, list[int]] = {}
    for entry in entries:
        for search in entry["searches"]:
            key = entry["game_number"], search["ply"]
            if not search["settled"] and key not in (without or ()) and stage in (None, stage_of(search["ply"], entry["plies"])):
                depths.setdefault(entry["game_number"], []).append(search["depth"])
    return {number: sum(values) / len(values) for number, values in depths.items()}


def stage_of(ply: int, plies: int) -> str:
    """Returns the third of a game, given its length in plies, to which a ply belongs."""
    return STAGES[3 * ply // plies]


def searches_by_position(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[tuple[int, int], dict[str, Any]]]:
    """Yields every search of some log entries with its position: the game's number and the ply."""
    for entry in entries:
        for search in entry["searches"]:
            yield (entry["game_number"], search["ply"]), search


def _summary(values: Iterable[float]) -> Mean | None:
    values = list(values)
    return mean_interval(values) if values else None
