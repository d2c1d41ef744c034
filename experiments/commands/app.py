"""The commands of `sparring`, with their arguments and help."""

from __future__ import annotations

import shlex
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from ...envs.registration import GAMES
from ...envs.rules.errors import ConfigError
from ...version import __version__
from .interrupts import RunInterruptedError, termination_as_interrupt

app = typer.Typer(name="sparring", add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        print(f"sparring {__version__}")
        raise typer.Exit


@app.callback()
def sparring(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")] = False,
) -> None:
    """Plays, trains and measures agents at Connect Four, tic-tac-toe, Connect-K, Gomoku and Isola."""


@app.command()
def run(
    config: Annotated[
        Path, typer.Argument(help="A config file, the name of a shipped config, or the folder of a run to go on with.", show_default=False)
    ],
    overrides: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY=VALUE",
            help="Settings that replace the file's: seed=3 agent.seconds=0.5; agents.0.depth=2,4,6 seed=0..4 runs every combination.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The run's folder; by default runs/NAME-HASH.", show_default=False)] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over; what is in the folder is moved aside.")] = False,
) -> None:
    """Carry out a config of any kind: match, tournament, ladder, evaluate, train, …; a run that was cut off goes on where it stopped."""
    from ..config.shipped import find
    from ..kinds import load
    from ..kinds.series import load_swept
    from ..run import run as run_config
    from ..run_folder import default_folder
    from .next_steps import next_steps

    config, remark = find(config)
    if remark:
        print(f"config: {remark}")
    if config.is_dir():
        if out or not all(text.startswith("executor.") for text in overrides or []):
            changes = " ".join(overrides or []) or f"--out {out}"
            raise ConfigError(f"{config}: a run keeps its config and its folder; only executor settings can change, got {changes}")
        if not (config / "config.yaml").exists():
            raise ConfigError(f"{config}: expected a config file or the folder of a run, got a folder without config.yaml")
        experiment, path = load(config / "config.yaml", overrides or []), config
    else:
        experiment = load_swept(config, overrides or [])
        path = out or default_folder(experiment)
    try:
        with termination_as_interrupt():
            folder = run_config(experiment, path, fresh)
    except KeyboardInterrupt as interrupt:
        raise RunInterruptedError(interrupt, path) from None
    for step in next_steps(folder):
        print(f"next: {step}")
    print(f"report: {folder.report}")


@app.command()
def configs(
    name: Annotated[str | None, typer.Argument(help="One of them, to show or to copy.", show_default=False)] = None,
    out: Annotated[
        Path | None, typer.Option(help="Copy the config to this file, or into this folder, instead of showing it.", show_default=False)
    ] = None,
) -> None:
    """List the configs that the package ships, show one, or copy it out to change it."""
    from ..config.shipped import copy, path_of
    from ..terminal.results import OUT
    from .listing import configs_table

    if name is None and out is not None:
        raise ConfigError(f"configs: expected the name of the config to copy to {out}, got none")
    if name is None:
        OUT.print(configs_table())
        print("sparring run NAME runs one, sparring configs NAME shows it, sparring configs NAME --out FILE copies it")
    elif out is None:
        print(path_of(name).read_text(encoding="utf-8"), end="")
    else:
        print(f"copied: {copy(name, out)}")


@app.command()
def report(
    folders: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs; several stand side by side.", show_default=False)],
    out: Annotated[
        Path | None,
        typer.Option(
            help="The page's file; by default that of the run. Several runs need one. FILE.md gets the tables as Markdown.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write a run's report again, or one of several runs; or their tables as Markdown."""
    from ..pages import write_page
    from ..run_folder import RunFolder

    for folder in folders:
        if not (folder / "run.json").exists():
            raise ConfigError(f"{folder}: expected the folder of a run, got one without run.json")
    if out is None and len(folders) > 1:
        raise ConfigError(f"report: expected --out FILE for the page of {len(folders)} runs, such as --out report.html, got none")
    if out and not out.parent.is_dir():
        raise ConfigError(f"{out}: expected a file in a folder that exists, got one in {str(out.parent)!r}")
    print(f"report: {write_page(folders, out or RunFolder(folders[0]).report)}")


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(help="The folder of a run with games.", show_default=False)],
    parquet: Annotated[bool, typer.Option("--parquet", help="A table for pandas or polars, a row a game.")] = False,
    sgf: Annotated[bool, typer.Option("--sgf", help="An SGF file of Connect-K and Gomoku games.")] = False,
    psq: Annotated[bool, typer.Option("--psq", help="Piskvork's files of Gomoku games.")] = False,
) -> None:
    """Write a run's games for other programs, into its folder."""
    from .export import export_parquet, export_psq, export_sgf

    if not (parquet or sgf or psq):
        raise ConfigError("export: expected --parquet, --sgf or --psq, got none")
    for is_asked, write in ((parquet, export_parquet), (sgf, export_sgf), (psq, export_psq)):
        if is_asked:
            print(f"games: {write(folder)}")


@app.command()
def convert(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE", help="Files of games (.psq, .sgf, .txt), folders of runs, or their games.jsonl.", show_default=False
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TARGET",
            help="A new file (.psq, .sgf, .txt); with {} in its name, such as {}.psq, one for each game.",
            show_default=False,
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(help="Such as Gomoku:size=15,rule=renju, for sources that do not say it or mean another.", show_default=False),
    ] = None,
) -> None:
    """Write games of files or runs to files in another format."""
    from ..config.parts import game_of, read_game
    from .convert import convert as convert_games

    paths = convert_games(sources, target, game_of(read_game(game)) if game else None)
    print(f"games: {paths[0]}{f' to {paths[-1]}' if len(paths) > 1 else ''}")


GameText = Annotated[
    str, typer.Argument(help="ConnectFour, Gomoku:size=9, ConnectK:width=5,height=4,k=4,gravity=true, …", show_default=False)
]


SYSTEMS = ", ".join(dict.fromkeys(f"{game.kind.system} at {game.id.partition('/')[2].rpartition('-')[0]}" for game in GAMES.values()))


@app.command()
def play(
    game: GameText,
    agent: Annotated[
        str | None,
        typer.Argument(
            help=f"Such as greedy or alphabeta:depth=6 (sparring list has all). By default a student program made for the game: {SYSTEMS}.",
            show_default=False,
        ),
    ] = None,
    side: Annotated[int, typer.Option(min=1, max=2, help="Yours: 1 is x and moves first, 2 is o.")] = 1,
    seconds: Annotated[float | None, typer.Option(min=0, help="The agent's time for a move.", show_default=False)] = None,
    position: Annotated[
        str, typer.Option(help="Start from here: moves, a board with the side to move, or a file of one game.", show_default=False)
    ] = "",
) -> None:
    """Play a game against an agent. Beside moves you can write help, moves, undo and quit."""
    from ..config.parts import game_of, read_agent, read_game
    from ..games.formats import moves_of
    from .play import Terminal, opponent_spec
    from .play import play as play_game

    chosen = game_of(read_game(game))
    spec = opponent_spec(chosen, read_agent(agent) if agent else None, seconds)
    arguments = ["sparring", "play", game, *([agent] if agent else []), *(["--side", "2"] if side == 2 else [])]
    command = shlex.join(arguments + (["--seconds", f"{seconds:g}"] if seconds is not None else []))
    can_wait = sys.stdin.isatty()
    with suppress(EOFError):
        play_game(chosen, spec, 2 - side, Terminal(input, print, can_wait, command), moves_of(position, chosen))


@app.command()
def gomocup(
    agent: Annotated[str, typer.Option(help="Such as best or pattern_table:depth=4; its time is the manager's.")] = "best",
) -> None:
    """Play Gomoku as an engine: speak the Gomocup protocol on stdin and stdout."""
    from ..config.parts import read_agent
    from .gomocup.process import converse
    from .gomocup.protocol import GomocupProtocol
    from .gomocup.thinker import Thinker

    converse(GomocupProtocol(Thinker(read_agent(agent))))


@app.command()
def analyse(
    game: GameText,
    position: Annotated[
        str,
        typer.Argument(
            help="Moves from the start ('' for the start itself), a board with the side to move, or a file of one game.", show_default=False
        ),
    ],
    agents: Annotated[list[str] | None, typer.Argument(metavar="AGENT", help="By default best:seconds=5.", show_default=False)] = None,
) -> None:
    """Show agents' analyses of a position, depth by depth."""
    from ...agents import check_running, make, spec_text
    from ...envs.position import Position
    from ..config.parts import game_of, read_agent, read_game
    from ..games.formats import moves_of
    from ..terminal.analysis import analyse as show
    from ..terminal.results import OUT

    chosen = game_of(read_game(game))
    start = Position(chosen, moves_of(position, chosen))
    check_running(start)
    specs = [read_agent(agent) for agent in agents or ["best:seconds=5"]]
    named = [(spec_text(spec), make(spec, chosen)) for spec in specs]
    OUT.print(str(start), highlight=False, markup=False)
    show(start, named, OUT)


@app.command(name="list")
def list_(
    what: Annotated[
        str | None,
        typer.Argument(
            help="envs, agents, ladders, kinds, or the name of an agent, a game or a kind of config, in full.", show_default=False
        ),
    ] = None,
) -> None:
    """List environments and agents, a line each; or one of them in full; or the keys of a kind of config."""
    from ..terminal.results import OUT
    from .listing import tables_of

    for table in tables_of(what):
        OUT.print(table)
    if what is None:
        print("sparring list NAME: the parameters of an agent or a game, or a config's keys; NAME may be ladders and kinds, too")


@app.command()
def warmup() -> None:
    """Compile everything now, so that no first move waits for it."""
    from ...agents.warming import warm_ups
    from ...agents.warming import warmup as compile_all
    from ..terminal.progress import progress

    left = warm_ups()
    print(f"compiling what is not compiled yet; all of it takes about {sum(warm_up.seconds for warm_up in left) / 60:.0f} minutes")
    with progress("compiling", len(left)) as show:
        compile_all(show)
    print("everything is compiled")
