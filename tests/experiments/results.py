"""Results for tests: made by the models, and read as the file has them."""

from sparring.experiments.games.tally import matchup_of
from sparring.experiments.kinds.match import MatchResults
from sparring.experiments.results import GameRecord


def plain(results):
    """Returns results as results.json has them."""
    return results.model_dump(mode="json", by_alias=True)


def match_of(games, agents):
    """Returns the results of a match of some games, given as entries of a log."""
    return MatchResults(kind="match", game=GameRecord(**games[0]["game"]), **dict(matchup_of(games, agents)))
