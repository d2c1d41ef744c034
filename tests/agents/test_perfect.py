"""The perfect player: it keeps the value, says what it knows, and plays within its limits."""

import copy
import pickle
import random
from itertools import islice

import gymnasium
import pytest
from sparring import Game, Position, agents
from sparring.agents.perfect_agent import PerfectAgent
from sparring.agents.search.scores import WIN
from sparring.agents.solver.connect_four import ConnectFourSolver, plies_left
from sparring.envs.rules.errors import AgentError
from sparring.experiments.games.connect_four_sets import random_boards
from sparring.experiments.games.kept_agents import Agents
from sparring.experiments.games.play import play_game
from sparring.experiments.games.task import Conditions, GameTask, Player

from .exact_play import ExactTable

GAME = "ConnectFour"
SMALL = "ConnectK:width=4,height=4,k=4,gravity=true"
OTHERS = [  # games without a solver of their own, and plies from which on plain minimax is quick
    ("TicTacToe", 2),
    ("ConnectK:width=4,height=4,k=4,gravity=false", 10),
    ("ConnectK:width=4,height=4,k=3,gravity=true", 7),
    ("Gomoku:size=5", 20),
    ("Isola:rules=queen,width=4,height=4", 6),
]
EARLY = "42"  # takes long to solve


def positions(stage, count, seed=0):
    return [Position(GAME, boards.moves) for boards in islice(random_boards(stage, seed), count)]


def test_it_plays_a_move_of_the_best_score_and_tells_it():
    agent, solver = agents.make("perfect", GAME), ConnectFourSolver(GAME, table_mib=4)
    for position in positions("middle", 20):
        scores, analysis = solver.move_scores(position), agent.analyse(position)
        assert scores[analysis.move] == analysis.score == max(scores.values()) == solver.score(position)
        assert analysis.scores is None, "of lesser moves it only knows that they are worse"
        assert analysis.is_final
        assert analysis.pv == (analysis.move,)


def test_its_depth_is_the_length_of_the_game_that_follows():
    agent = agents.make("perfect", GAME)
    for position in positions("end", 30):
        depths = []
        while not position.is_over:
            depths.append(agent.analyse(position).depth)
            position.push(agent.act(position))
        assert depths == list(range(len(depths), 0, -1))


def test_it_draws_among_equal_moves_by_the_seed():
    position = Position(SMALL)
    agent, moves = agents.make("perfect", SMALL), []
    for seed in (1, 1, 2):
        agent.reset(seed)
        moves.append([agent.act(position) for _ in range(12)])
    assert moves[0] == moves[1] != moves[2]
    assert len(set(moves[0])) > 1


def test_copies_and_pickles_go_on_where_it_was():
    position = Position(SMALL)
    agent = agents.make("perfect:nodes=100000", SMALL)
    agent.reset(3)
    agent.act(position)
    twins = [copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))]
    expected = [agent.act(position) for _ in range(8)]
    assert all([twin.act(position) for _ in range(8)] == expected for twin in twins)


def test_within_a_limit_best_plays_and_the_analysis_says_so():
    position = Position(GAME, EARLY)
    for spec in ("perfect:nodes=2000,book=false", "perfect:seconds=0.05,book=false"):
        analysis = agents.make(spec, GAME).analyse(position)
        assert (analysis.score, analysis.is_final) == (None, False)
        assert analysis.move in position.legal_moves
        assert analysis.pv[0] == analysis.move
    assert agents.make("perfect:nodes=2000,book=false", GAME).analyse(position).nodes <= 2000
    assert agents.make("perfect:nodes=2000,book=false", GAME).act(position) == agents.make("best:nodes=1000", GAME).act(position)


def test_with_a_limit_of_nodes_earlier_positions_change_nothing():
    agent, fresh = agents.make("perfect:nodes=5000", GAME), []
    for position in positions("middle", 30):
        fresh.append(agents.make("perfect:nodes=5000", GAME).analyse(position))
        found = agent.analyse(position)
        assert (found.score, found.nodes, found.is_final) == (fresh[-1].score, fresh[-1].nodes, fresh[-1].is_final)
    assert {found.is_final for found in fresh} == {True, False}


def test_it_answers_in_time():
    agent = agents.make("perfect:seconds=0.2,book=false", GAME)
    analysis = agent.analyse(Position(GAME))
    assert 0.1 < analysis.seconds < 0.6


@pytest.mark.parametrize("game", ["Isola:width=9,height=9", "Gomoku", "ConnectK:width=9,height=8,k=5,gravity=true"])
def test_boards_that_are_never_solved_are_refused(game):
    with pytest.raises(AgentError, match=r"agent 'perfect': expected a board of at most 64 cells, got \d+ in Game\(") as caught:
        agents.make("perfect:nodes=100", game)
    assert "\n" not in str(caught.value)


def drawn_positions(game, plies, count, seed=0):
    """Yields positions of random games after some plies that are not over."""
    chance = random.Random(seed)
    while count:
        position = Position(game)
        while position.ply < plies and not position.is_over:
            position.push(chance.choice(position.legal_moves))
        if not position.is_over:
            count -= 1
            yield position


@pytest.mark.parametrize(("game", "plies"), OTHERS)
def test_other_games_are_played_to_the_end_that_it_tells(game, plies):
    agent, oracle = agents.make("perfect", game), ExactTable(Game.of(game))
    for position in drawn_positions(game, plies, 8):
        value, length = oracle[position.text]
        first, side, depths = agent.analyse(position), position.side, []
        assert first.is_final
        assert (first.score > 0) - (first.score < 0) == value
        assert value == 0 or (first.depth, abs(first.score)) == (length, WIN - length)
        while not position.is_over:
            depths.append(agent.analyse(position).depth)
            position.push(agent.act(position))
        assert value == 0 or depths == list(range(len(depths), 0, -1))
        assert (0 if position.winner is None else 1 if position.winner == side else -1) == value


@pytest.mark.parametrize("game", ["Isola:rules=queen,width=8,height=8", "ConnectK:width=6,height=6,k=5,gravity=false", "Gomoku:size=7"])
def test_in_other_games_best_plays_within_a_limit(game):
    position = Position(game)
    for spec in ("perfect:nodes=2000", "perfect:seconds=0.05"):
        analysis = agents.make(spec, game).analyse(position)
        assert (analysis.score, analysis.is_final) == (None, False)
        assert analysis.move in position.legal_moves
    assert agents.make("perfect:nodes=2000", game).analyse(position).nodes <= 2000


def test_in_other_games_earlier_positions_change_nothing_either():
    game, spec = "Isola:rules=queen,width=5,height=4", "perfect:nodes=2000"
    agent, fresh = agents.make(spec, game), []
    for position in drawn_positions(game, 4, 15):
        fresh.append(agents.make(spec, game).analyse(position))
        found = agent.analyse(position)
        assert (found.score, found.nodes, found.is_final) == (fresh[-1].score, fresh[-1].nodes, fresh[-1].is_final)
    assert {found.is_final for found in fresh} == {True, False}


def test_the_environment_tells_what_it_knows():
    env = gymnasium.make("sparring/ConnectFour-v0", opponent="perfect:nodes=20000,book=false", seat="first", opponent_info=True)
    _, unsolved = env.reset(seed=1, options={"position": EARLY + "4"})  # the opponent is to move
    late = next(position for position in positions("end", 20) if position.side == 1)
    _, solved = env.reset(seed=1, options={"position": late.notation})
    assert (unsolved["opponent_analysis"]["is_final"], unsolved["opponent_analysis"]["score"]) == (False, None)
    assert solved["opponent_analysis"]["is_final"]
    assert solved["opponent_analysis"]["score"] == ConnectFourSolver(GAME).score(late)


def test_a_batch_asks_it_game_by_game_and_plays_as_a_single_environment_does():
    options = {"opponent": "perfect:nodes=300", "seat": "random", "opening_plies": 20}
    envs = gymnasium.make_vec("sparring/ConnectFour-v0", num_envs=2, **options)
    singles = [gymnasium.make("sparring/ConnectFour-v0", **options) for _ in range(2)]
    _, infos = envs.reset(seed=5)
    for i, env in enumerate(singles):
        env.reset(seed=5 + i)
    is_over = [False, False]
    while not all(is_over):
        actions = [int(mask.argmax()) for mask in infos["action_mask"]]
        _, rewards, terminations, _, infos = envs.step(actions)
        for i, env in enumerate(singles):
            if not is_over[i]:
                _, reward, is_over[i], _, info = env.step(actions[i])
                assert (rewards[i], terminations[i]) == (reward, is_over[i])
                assert is_over[i] or (infos["action_mask"][i] == info["action_mask"]).all()


def test_as_adjudicator_it_ends_games_by_a_proof():
    player, adjudicator = Player("greedy", {"name": "greedy"}), {"name": "perfect", "nodes": 20_000}
    task = GameTask(
        id=0, game={"id": "sparring/ConnectFour-v0", "parameters": {}}, first=player, second=player, opening=(3, 3), seed=1, pair=0
    )
    entry = play_game(task._replace(conditions=Conditions(adjudicator=adjudicator)))
    assert entry["termination"] == "adjudicated"
    score = ConnectFourSolver(GAME).score(Position(GAME, entry["moves"]))
    side = entry["plies"] % 2
    assert entry["result"] == ("draw" if score == 0 else ("first", "second")[side if score > 0 else 1 - side])


def test_a_match_from_openings_does_not_wait_for_the_empty_board(monkeypatch):
    monkeypatch.setattr(PerfectAgent, "analyse", lambda self, position: pytest.fail(f"asked for a move in {position!r}"))
    Agents().get({"name": "perfect"}, {"id": "sparring/ConnectFour-v0", "parameters": {}}, "player")


def test_it_never_loses_what_it_holds():
    """From positions whose value is a win or a draw, in either seat, against an opponent that makes the moves of chance and of a search."""
    agent, solver, chance = agents.make("perfect", GAME), ConnectFourSolver(GAME), random.Random(7)
    rival = agents.make("alphabeta:depth=4", GAME)
    for position in positions("middle", 12, seed=8):
        value, side = solver.sign(position), position.side
        while not position.is_over:
            if position.side == side:
                position.push(agent.act(position))
            else:
                position.push(chance.choice(position.legal_moves) if chance.random() < 0.2 else rival.act(position))
        result = 0 if position.winner is None else 1 if position.winner == side else -1
        assert result >= value


def test_plies_left_of_every_cell():
    assert plies_left(42, 1) == 41
    assert plies_left(42, -1) == 42
    assert plies_left(42, 0) == 42
    assert plies_left(1, 1) == 1
