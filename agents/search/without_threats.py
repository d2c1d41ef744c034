"""What a search does about wins by threats if nobody asks for them: nothing.

These functions are placeholders: with the setting `fours` or `threats` binding puts those of `fours` and `threats` in their place, which
take as long to compile as the rest of the search.
"""


def begin_fours(workspace, limit):
    """Begins no search for fours."""


def run_fours(workspace, budget):
    """Returns True: the search is finished, and fours[0].length is 0."""
    return True


def begin_threats(workspace, limit):
    """Begins no search for threats."""


def run_threats(workspace, budget):
    """Returns True: the search is finished, and threat_frames[0].length is 0."""
    return True
