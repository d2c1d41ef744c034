from typing import NamedTuple


class SprtState(NamedTuple):
    llr: float
    verdict: str | None


def sprt(scores, elo0, elo1, alpha, beta):
    return SprtState(0.0, None)
