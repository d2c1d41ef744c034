"""The analyses of one position by agents, shown depth by depth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.table import Table

from ...agents import Analysis
from ...agents.search.scores import is_decisive, plies_to_end
from ...envs.position import Position


def analyse(position: Position, agents: list[tuple[str, Any]], console: Console) -> None:
    """Prints a table for each agent: a line a depth, with score, nodes, time and the line of play.

    On a terminal the table grows as the agent thinks.

    Args:
        position: in which the game goes on.
        agents: by name.
        console: where to print.
    """
    for name, agent in agents:
        rows: dict[int, Analysis] = {}
        if hasattr(agent, "get_ready"):
            agent.get_ready(position.game)  # else the first depth's time would include compiling or loading
        with Live(console=console, auto_refresh=False, transient=True) as live:
            for analysis in deepen(agent, position):
                rows[analysis.depth] = analysis
                if console.is_terminal:
                    live.update(_table(name, position, rows), refresh=True)
        console.print(_table(name, position, rows))


def score_text(score: int | None, is_bound: bool = False) -> str:
    """Returns a score as text: "+25", "wins in 3 plies", "wins within 9 plies" for a bound, or "" for none."""
    if score is None:
        return ""
    if is_decisive(score):
        plies = plies_to_end(score)
        return f"{'wins' if score > 0 else 'loses'} {'within' if is_bound else 'in'} {plies} {'ply' if plies == 1 else 'plies'}"
    return f"{score:+d}"


def thought_text(position: Position, analysis: Analysis) -> str:
    """Returns an analysis in one line."""
    parts = [
        f"score {score_text(analysis.score, analysis.is_bound)}" if analysis.score is not None else "",
        f"depth {analysis.depth}" if analysis.depth else "",
    ]
    parts += [f"{analysis.nodes:,} nodes" if analysis.nodes else "", f"{analysis.seconds:.2f} s" if analysis.seconds else ""]
    return ", ".join(part for part in parts if part) or "no score"


def line_text(position: Position, line: tuple[int, ...]) -> str:
    """Returns a line of play from a position as text."""
    board = position.copy()
    tokens: list[str] = []
    for move in line:
        tokens.append(board.move_text(move))
        board.push(move)
    return position.game.rules.join_moves(position.state, tokens)


def deepen(agent: Any, position: Position) -> Iterator[Analysis]:
    """Yields the analyses of an agent depth by depth, or the only one of an agent that does not deepen."""
    yield from agent.deepen(position) if hasattr(agent, "deepen") else [agent.analyse(position)]


def _table(name: str, position: Position, rows: dict[int, Analysis]) -> Table:
    table = Table(title=name, title_justify="left")
    for heading in ("depth", "score", "nodes", "seconds", "line"):
        table.add_column(heading, justify="left" if heading == "line" else "right", overflow="fold")
    for depth, analysis in rows.items():
        line = line_text(position, analysis.pv or (analysis.move,))
        table.add_row(str(depth), score_text(analysis.score, analysis.is_bound), f"{analysis.nodes:,}", f"{analysis.seconds:.3f}", line)
    return table
