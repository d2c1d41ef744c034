"""The parts of all configs: games, agents, pools, names, and the base of every kind."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, model_validator
from pydantic.fields import FieldInfo

from ...agents import parse_spec
from ...agents.agent import MOST_SECONDS
from ...agents.factory import build
from ...envs.game import Game
from ...envs.pool import members_of
from ...envs.rules.errors import SparringError, as_written, installation, shown

Mistake: TypeAlias = tuple[tuple[str | int, ...], str]  # a key path of the config, and the message


class Settings(BaseModel, extra="forbid", frozen=True, strict=True, allow_inf_nan=False):
    """Base of all parts of a config: no unknown keys, no silent conversions, no infinite numbers, no changes."""

    @model_validator(mode="before")
    @classmethod
    def _read_whole_numbers(cls, values: Any) -> Any:
        """Reads 1e6 as a whole number where a field holds whole numbers."""
        if not isinstance(values, dict):
            return values
        return {key: _as_written(value) if _is_whole(cls.model_fields.get(key)) else value for key, value in values.items()}


def _is_whole(field: FieldInfo | None) -> bool:
    """Tells whether a field holds whole numbers, or a list of them, and no fractions."""
    types = set() if field is None else set(_types(field.annotation))
    return int in types and float not in types


def _types(annotation: Any) -> Iterator[Any]:
    yield annotation
    for part in get_args(annotation):
        yield from _types(part)


def _as_written(value: Any) -> Any:
    return [as_written(entry) for entry in value] if isinstance(value, list) else as_written(value)


def read_game(value: Any) -> dict[str, Any]:
    """Returns a game's full id with all parameters that it takes, from `Gomoku:size=9` or `{id: Gomoku, size: 9}`.

    The game itself checks its parameters.
    """
    if isinstance(value, str):
        return choice_of(Game.of(value))
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        raise ValueError(f"expected a game's id, or {{id: …, parameter: …}}, got {shown(value)}")
    parameters = {str(name): as_written(parameter) for name, parameter in value.items() if name != "id"}
    return choice_of(Game.of(value["id"], **parameters))


def read_agent(value: Any) -> dict[str, Any]:
    """Returns an agent's name and parameters, from `alphabeta:depth=4` or `{name: alphabeta, depth: 4}`."""
    if not isinstance(value, str | dict) or (isinstance(value, dict) and "model" in value):
        is_code = not isinstance(value, int | float | list | None)
        remedy = "; name a file or code here: policy:path=FILE, python:target=module:name" if is_code else ""
        raise ValueError(f"expected an agent, such as alphabeta:depth=4 or {{name: alphabeta, depth: 4}}, got {shown(value)}{remedy}")
    return parse_spec(value)


def read_pool(value: Any) -> list[dict[str, Any]]:
    """Returns a pool of opponents with their weights, from one agent or a list of agents and {opponent: agent, weight: number}."""
    return [{"opponent": read_agent(opponent), "weight": weight} for opponent, weight in members_of(value)]


def read_name(value: str) -> str:
    """Returns a name if it can be a folder's."""
    if not value or value[0] in ".-" or not all(letter.isalnum() or letter in "._-" for letter in value) or len(value) > 80:
        raise ValueError(f"expected up to 80 letters, digits, '.', '_' and '-', starting with a letter or digit, got {shown(value)}")
    return value


TRAINING_PACKAGES = ("sb3_contrib", "safetensors", "tensorboard")
TRAINING_EXTRA = f"the extra 'train'; install it with: {installation('train')}"
Name = Annotated[str, AfterValidator(read_name)]
GameChoice = Annotated[dict[str, Any], BeforeValidator(read_game)]
AgentChoice = Annotated[dict[str, Any], BeforeValidator(read_agent)]
PoolChoice = Annotated[list[dict[str, Any]], BeforeValidator(read_pool)]
OpeningPlies = Annotated[int, Field(ge=0, le=20)]
PairedGames = Annotated[int, Field(ge=2, le=100_000, multiple_of=2)]  # all their openings are in memory
Count = Annotated[int, Field(ge=1, le=10_000)]
Steps = Annotated[int, Field(ge=1, le=10**12)]
Batch = Annotated[int, Field(ge=1, le=2**16)]  # of environments
Threads = Annotated[int, Field(ge=1, le=1024)]
Seconds = Annotated[float, Field(gt=0, le=MOST_SECONDS)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]
Share = Annotated[float, Field(ge=0, le=1)]
Seat = Literal["first", "second", "random", "alternate"]


class Executor(Settings, frozen=True):
    """Where a run's games are played. Not part of a run's identity: every executor produces the same games.

    Attributes:
        name: local for processes of this machine, ray for a Ray cluster.
        workers: number of processes, by default one a core; 0, with local only, plays in the calling process, which an agent that hangs
            or exits then stops.
        address: HOST:PORT of a running Ray cluster, which has its own number of workers; by default ray starts one on this machine.
    """

    name: Literal["local", "ray"] = "local"
    workers: Annotated[int, Field(ge=0, le=1024)] | None = None
    address: str | None = None

    @model_validator(mode="after")
    def _check(self) -> "Executor":
        if self.name == "local" and self.address is not None:
            raise ValueError("expected 'address' only with name: ray, got name: local")
        if self.name == "ray" and self.workers == 0:
            raise ValueError("expected 'workers' of at least 1 with name: ray, got 0")
        if self.workers is not None and self.address is not None:
            raise ValueError(f"expected no 'workers' with an address, got {self.workers}")
        return self


class Experiment(Settings, frozen=True):
    """The base of every kind's config.

    Attributes:
        kind: the kind of experiment.
        name: name of the run's folder; by default the name of the config's file.
        seed: decides every random choice of the run.
    """

    kind: str
    name: Name = ""
    seed: Seed = 0

    def mistakes(self) -> Iterator[Mistake]:
        """Yields mistakes that concern several settings together."""
        yield from ()

    def inheriting(self, seed: int, games: int | None, executor: Executor | None) -> "Experiment":
        """Returns the config for a run of a series, with the series' settings where the config has none.

        Args:
            seed: of the series.
            games: of the series, None if it sets none.
            executor: of the series, None if it sets none; it replaces the run's own.
        """
        return self if "seed" in self.model_fields_set else self.model_copy(update={"seed": seed})

    def members(self) -> dict[str, "Experiment"]:
        """Returns the configs of the runs of a series by the names of their folders; empty for other kinds."""
        return {}

    def plan(self) -> str:
        """Returns a line on what the run does: "match of greedy and random at TicTacToe, 8 games"."""
        return self.kind

    def identity(self) -> dict[str, Any]:
        """Returns the settings that decide the results, as plain data: all but the executors."""
        return _without_executors(self.model_dump(mode="json"))

    def resolved(self, name: str) -> "Experiment":
        """Returns the config with every default filled in, `name` for a missing name."""
        return self if self.name else self.model_copy(update={"name": name})


def _without_executors(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_executors(inner) for key, inner in value.items() if key != "executor"}
    return [_without_executors(inner) for inner in value] if isinstance(value, list) else value


def agent_errors(key_path: tuple[str | int, ...], agent: dict[str, Any], game: dict[str, Any]) -> Iterator[Mistake]:
    """Yields the reason why an agent cannot play a game, if there is one."""
    try:
        build(agent, game_of(game))
    except SparringError as error:
        yield key_path, str(error)


def choice_of(game: Game) -> dict[str, Any]:
    """Returns a game in the form of a config's `game`: its id and free parameters."""
    return {"id": game.id, **game.options}


def game_record(choice: dict[str, Any]) -> dict[str, Any]:
    """Returns a config's `game` in the form of logs: id and all parameters of its rules."""
    game = game_of(choice)
    return {"id": game.id, "parameters": game.parameters}


def game_of(choice: dict[str, Any]) -> Game:
    """Returns the Game of a config's `game`."""
    return Game.of(choice["id"], **{name: value for name, value in choice.items() if name != "id"})
