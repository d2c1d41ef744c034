"""Charts as SVG to stand inside a page: transparent, text and lines in the page's own colour, so that they suit a dark page too."""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter, MaxNLocator, PercentFormatter

from ..statistics.score import Score
from .labels import told_apart

INK = "#010203"  # stands for the page's text colour, see `to_svg`
BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"  # Okabe and Ito (2008)
STYLES = ((BLUE, "o", "-"), (VERMILLION, "s", "--"), (GREEN, "D", "-."), (PURPLE, "^", ":"), (ORANGE, "v", "-"), (SKY, "P", "--"))
SEAT_STYLES = {"both": (BLUE, "o"), "first": (VERMILLION, "s"), "second": (GREEN, "D")}
SEAT_LABELS = {"both": "both seats", "first": "moving first", "second": "moving second"}
GREY = "#999999"
OUTCOME_STYLES = {"win": (BLUE, "wins"), "draw": (GREY, "draws"), "loss": (VERMILLION, "losses")}
ENDING_STYLES = {
    "line": (BLUE, "line"),
    "full": (GREY, "full board"),
    "blocked": (GREEN, "blocked piece"),
    "adjudicated": (SKY, "adjudication"),
    "illegal": (VERMILLION, "illegal move"),
    "timeout": (ORANGE, "time"),
    "crash": (PURPLE, "crash"),
}
SPARE_COLOURS = ("#F0E442", "#000000")  # the two left of Okabe and Ito's, for the endings of other games
MANY_GROUPS = 6  # of scores, from which on they stand closer
SPREAD = 0.72  # of a group's height that its points take
FIFTHS = (0, 0.2, 0.4, 0.6, 0.8, 1)
QUARTERS = (0, 0.25, 0.5, 0.75, 1)  # beside long names fifths would touch each other
WIDTH = 4.6  # inches; the page scales a chart to its column
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "sparring",
    "font.size": 9.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "text.parse_math": False,
}


def score_chart(groups: Mapping[str, Mapping[str, Score | None]], name: str) -> str:
    """Returns scores with their intervals, a group of points for each opponent.

    Args:
        groups: scores by seat ("both", "first", "second"), by the label of the group.
        name: unique on the page.
    """
    with mpl.rc_context(SETTINGS):
        figure, axes = new_chart(0.7 + (0.72 if len(groups) < MANY_GROUPS else 0.46) * len(groups))
        marks = {label: [(score, *SEAT_STYLES[seat]) for seat, score in scores.items()] for label, scores in groups.items()}
        draw_groups(axes, marks, "score with 95 % interval")
        axes.axvline(0.5, color=INK, alpha=0.5, linewidth=1, linestyle=(0, (4, 3)), zorder=0)
        axes.set_xlim(-0.04, 1.04)
        axes.set_xticks(QUARTERS)
        axes.xaxis.set_major_formatter(PercentFormatter(1, symbol="\N{NO-BREAK SPACE}%"))
        add_legend(
            figure, handles=seat_legend({seat for scores in groups.values() for seat in scores}), handletextpad=0.1, columnspacing=0.9
        )
        spoken = "; ".join(f"{label} {score.value:.0%}" for label, scores in groups.items() if (score := scores.get("both")))
        return to_svg(figure, name, f"Score chart: {spoken}")


def interval_chart(rows: Mapping[str, Score], title: str, spoken: str, name: str, marked: str | None = None) -> str:
    """Returns numbers with their intervals, one below the other.

    Args:
        rows: by label.
        title: of the axis.
        spoken: what a screen reader says before the numbers.
        name: unique on the page.
        marked: the label of the row that stands out.
    """
    with mpl.rc_context(SETTINGS):
        figure, axes = new_chart(0.8 + 0.26 * len(rows))
        marks = {label: [(score, VERMILLION, "D") if label == marked else (score, BLUE, "o")] for label, score in rows.items()}
        draw_groups(axes, marks, title)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        numbers = "; ".join(f"{label} {score.value:.4g}" for label, score in rows.items())
        return to_svg(figure, name, f"{spoken}: {numbers}")


def comparison_chart(groups: Mapping[str, Sequence[Score | None]], names: Sequence[str], title: str, spoken: str, name: str) -> str:
    """Returns the numbers of several runs with their intervals, one group of points below the other.

    Args:
        groups: by label: the number of each run, None for none.
        names: of the runs, at most as many as there are STYLES.
        title, spoken, name: as in `interval_chart`.
    """
    styles = [(colour, marker) for colour, marker, _ in STYLES[: len(names)]]
    with mpl.rc_context(SETTINGS):
        figure, axes = new_chart(0.8 + (0.12 + 0.1 * len(names)) * len(groups))
        draw_groups(
            axes, {label: [(score, *style) for score, style in zip(scores, styles, strict=True)] for label, scores in groups.items()}, title
        )
        for y in range(1, len(groups), 2):
            axes.axhspan(y - 0.5, y + 0.5, color=INK, alpha=0.05, linewidth=0, zorder=0)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        marks = [legend_mark(*style, run) for style, run in zip(styles, told_apart(names, 48), strict=True)]
        add_legend(figure, handles=marks, handletextpad=0.1)
        numbers = "; ".join(
            f"{label} {', '.join(f'{score.value:.4g}' if score else 'none' for score in scores)}" for label, scores in groups.items()
        )
        return to_svg(figure, name, f"{spoken}: {numbers}")


def draw_groups(axes: Axes, groups: Mapping[str, Sequence[tuple[Score | None, str, str]]], title: str) -> None:
    """Draws groups of points with their intervals, one group below the other.

    Args:
        axes: to draw on.
        groups: by label: scores, each with its colour and marker; None leaves its place free.
        title: of the axis of numbers.
    """
    for y, marks in enumerate(groups.values()):
        for index, (score, colour, marker) in enumerate(marks):
            if score is not None:
                draw_score(axes, y + SPREAD * ((index + 0.5) / len(marks) - 0.5), score, colour, marker)
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.set_yticks(range(len(groups)), told_apart(groups))
    axes.tick_params(axis="y", length=0, pad=6)
    axes.set_xlabel(title)
    axes.grid(axis="x", color=INK, alpha=0.12, linewidth=0.8)


def draw_score(axes: Axes, y: float, score: Score, colour: str, marker: str) -> None:
    """Draws one score as a point with its interval."""
    errors = [[max(0.0, score.value - score.low)], [max(0.0, score.high - score.value)]]
    axes.errorbar(score.value, y, xerr=errors, color=colour, marker=marker, markersize=6, linewidth=2, capsize=3, clip_on=False)


def seat_legend(shown: Collection[str]) -> list[Line2D]:
    """Returns the legend's marks of some seats."""
    return [legend_mark(*style, SEAT_LABELS[seat]) for seat, style in SEAT_STYLES.items() if seat in shown]


def legend_mark(colour: str, marker: str, label: str) -> Line2D:
    """Returns a mark of the legend."""
    return Line2D([], [], color=colour, marker=marker, markersize=6, linewidth=0, label=label)


def curve_chart(curve: Iterable[Mapping[str, Any]], name: str, kept: int | None = None) -> str:
    """Returns the learning curve: a line with its interval as a band for each evaluation opponent.

    Args:
        curve: evaluations with timesteps, opponent, score, low and high; at least one.
        name: unique on the page.
        kept: the time step of the network that was kept, which is marked.
    """
    lines: dict[str, list[Mapping[str, Any]]] = {}
    for entry in curve:
        lines.setdefault(entry["opponent"], []).append(entry)
    with mpl.rc_context(SETTINGS):
        figure, axes = new_chart(3.05)
        for index, (label, entries) in enumerate(zip(told_apart(lines), lines.values(), strict=True)):
            colour, marker, dashes = STYLES[index % len(STYLES)]
            steps = [entry["timesteps"] for entry in entries]
            low, high = ([entry[bound] for entry in entries] for bound in ("low", "high"))
            axes.fill_between(steps, low, high, color=colour, alpha=0.16, linewidth=0)
            scores = [entry["score"] for entry in entries]
            axes.plot(steps, scores, color=colour, marker=marker, markersize=5, linewidth=1.8, linestyle=dashes, label=label, clip_on=False)
        axes.axhline(0.5, color=INK, alpha=0.5, linewidth=1, linestyle=(0, (4, 3)), zorder=0)
        if kept is not None:
            axes.axvline(kept, color=INK, alpha=0.7, linewidth=1.2, linestyle=":", zorder=0)
            axes.annotate("kept", (kept, 1.04), xytext=(0, 1), textcoords="offset points", ha="center", va="bottom", fontsize=8.5)
        axes.set_ylim(-0.04, 1.04)
        axes.set_yticks(FIFTHS)
        axes.yaxis.set_major_formatter(PercentFormatter(1, symbol="\N{NO-BREAK SPACE}%"))
        axes.xaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))
        axes.xaxis.set_major_locator(MaxNLocator(6))
        axes.set_xlabel("time steps")
        axes.set_ylabel("score against each opponent")
        axes.grid(color=INK, alpha=0.12, linewidth=0.8)
        add_legend(figure, columnspacing=1.2)
        spoken = "; ".join(f"against {opponent} {entries[-1]['score']:.0%} at the end" for opponent, entries in lines.items())
        return to_svg(figure, name, f"Learning curve: {spoken}")


def ending_styles(endings: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Returns colour and label of each ending, those that every report shares first, in the same colours everywhere."""
    others = [ending for ending in endings if ending not in ENDING_STYLES]
    return {**ENDING_STYLES, **{ending: (SPARE_COLOURS[i % len(SPARE_COLOURS)], ending) for i, ending in enumerate(others)}}


def length_chart(lengths: Mapping[str, Mapping[int, int]], styles: Mapping[str, tuple[str, str]], name: str) -> str:
    """Returns how many games had which length, stacked.

    Args:
        lengths: how many games there are of which plies, by a key of `styles`; at least one game.
        styles: colour and label of each part, from the bottom of the stack.
        name: unique on the page.
    """
    totals = Counter[int]()
    for counts in lengths.values():
        totals.update(counts)
    low, high = min(totals), max(totals)
    with mpl.rc_context(SETTINGS):
        figure, axes = new_chart(2.35)
        shown = [part for part in styles if lengths.get(part)]
        colours, labels = zip(*(styles[part] for part in shown), strict=True)
        plies, weights = [list(lengths[part]) for part in shown], [list(lengths[part].values()) for part in shown]
        edges, middle = whole_bins(low, high), (low + high) / 2
        # a list: a tuple of two is a colour and its opacity to some versions
        axes.hist(plies, weights=weights, bins=edges, stacked=True, color=list(colours), label=list(labels), rwidth=0.86)
        axes.set_xlim(min(edges[0], middle - 4), max(edges[-1], middle + 4))
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.set_xlabel("length in plies")
        axes.set_ylabel("games")
        axes.grid(axis="y", color=INK, alpha=0.12, linewidth=0.8)
        axes.set_axisbelow(True)
        add_legend(figure, columnspacing=1.4)
        return to_svg(figure, name, f"Histogram of game lengths: {totals.total()} games of {low} to {high} plies")


def whole_bins(low: int, high: int, most: int = 24) -> list[float]:
    """Returns the edges of equal bins that each hold the same number of whole numbers from low to high."""
    step = max(1, -(-(high - low + 1) // most))
    return [edge - 0.5 for edge in range(low, high + step + 1, step)]


def add_legend(figure: Figure, **settings: Any) -> None:
    """Puts the legend above a chart, in as many columns as its width holds, at most three, and makes the chart higher by its lines."""
    for columns in (3, 2, 1):
        legend = figure.legend(loc="outside upper center", ncols=columns, **settings)
        with any_script():
            extent = legend.get_window_extent()
        if extent.width <= figure.bbox.width or columns == 1:
            break
        legend.remove()
    figure.set_figheight(figure.get_figheight() + extent.height / figure.dpi)


@contextmanager
def any_script() -> Iterator[None]:
    """Ignores warnings about missing glyphs: the font here only measures text, the page's font draws it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def new_chart(height: float) -> tuple[Figure, Axes]:
    """Returns an empty transparent figure of the common width and its axes; the height, in inches, is without a legend."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    figure.patch.set_alpha(0)
    axes = figure.subplots()
    axes.patch.set_alpha(0)
    return figure, axes


def to_svg(figure: Figure, name: str, spoken: str) -> str:
    """Returns a figure as an `svg` element: ids unique on the page, text in the page's font and colour.

    Args:
        figure: drawn with INK for everything that is to take the page's colour.
        name: unique on the page.
        spoken: what a screen reader says.
    """
    buffer = io.StringIO()
    with any_script():
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Type": None, "Format": None})
    svg = buffer.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r'<g id="[^"]+"', "<g", svg.replace(INK, "currentColor"))
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'xlink:href="#([^"]+)"', rf'href="#{name}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    svg = re.sub(r"font-family: [^;]+; ", "", svg)
    head = re.match(r'<svg [^>]*viewBox="([^"]+)"[^>]*>', svg)
    assert head is not None
    return f'<svg class="chart" role="img" aria-label="{escape(spoken)}" viewBox="{head[1]}">{svg[head.end() :]}'
