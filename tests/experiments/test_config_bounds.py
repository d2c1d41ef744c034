"""Configs and overrides that somebody else wrote: what is too large, too deep or no plain data is refused in short lines, at once."""

import time

import pytest
from sparring.envs.rules.errors import ConfigError
from sparring.experiments.kinds import load
from sparring.experiments.kinds.series import load_swept

MATCH = "kind: match\ngame: TicTacToe\nagents: [random, greedy]\n"
LEVELS = ["- &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]", *(f"- &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10))]
ALIASES = "x:\n" + "\n".join(LEVELS) + "\n"


@pytest.fixture
def refusal(tmp_path):
    """Returns a function that returns how a config is refused."""

    def refuse(text, *overrides):
        path = tmp_path / "config.yaml"
        path.write_bytes(text.encode(errors="surrogatepass"))
        start = time.perf_counter()
        with pytest.raises(ConfigError) as caught:
            load_swept(path, overrides)
        assert time.perf_counter() - start < 20
        lines = str(caught.value).splitlines()
        assert len(lines) <= 20
        assert all(len(line) <= 600 and line.isprintable() for line in lines)
        return str(caught.value)

    return refuse


@pytest.mark.parametrize(
    "text",
    [
        ALIASES + MATCH,
        *(ALIASES + MATCH.replace(old, f"{key}: *a9\n") for key, old in (("agents", "agents: [random, greedy]\n"),)),
        ALIASES,
    ],
)
def test_aliases_of_aliases_end_at_a_bound(refusal, text):
    assert "expected at most 100,000 values, aliases written out, got more" in refusal(text)


@pytest.mark.parametrize("place", ["name: *a4", "games: *a4", "seed: *a4"])
def test_values_that_aliases_repeat_are_told_in_short(refusal, place):
    few = "\n".join(LEVELS[:5]).replace("9", "3")
    assert len(refusal(f"x:\n{few}\n{MATCH}{place}")) < 600


@pytest.mark.parametrize("text", ["&a [*a]", "a: &a {b: *a}", "a: &a {<<: *a}"])
def test_an_alias_inside_what_it_names_is_refused(refusal, text):
    assert "expected an alias of an earlier value, got *a inside itself" in refusal(text)


@pytest.mark.parametrize("text", ["[" * 3000, MATCH + "name: " + "[" * 3000 + "]" * 3000, "{a: " * 3000])
def test_deep_nesting_in_a_file(refusal, text):
    assert "expected at most 40 levels of lists and mappings, got more" in refusal(text)


def test_deep_nesting_in_overrides(refusal):
    assert "expected at most 40 levels" in refusal(MATCH, "games=" + "[" * 3000)
    assert "expected a key of at most 40 steps, got 3,000" in refusal(MATCH, ".".join("a" * 3000) + "=1")


def test_huge_files_lists_and_mappings(refusal):
    assert "config.yaml: expected at most 1,000,000 bytes, got more" in refusal(MATCH + "#" * 2_000_000)
    assert "agents: expected at most 1,000 entries, got 5,000" in refusal("kind: tournament\nagents: [" + "x, " * 5000 + "]")
    assert "expected at most 1,000 entries, got 2,003" in refusal(MATCH + "".join(f"k{n}: 1\n" for n in range(2000)))


def test_huge_texts_and_numbers_are_cut_with_their_length_told(refusal):
    assert "(100,002 characters)" in refusal("x" * 100_000)
    assert "expected a number of up to 100 characters" in refusal(MATCH + "games: 0x" + "f" * 9000)
    assert "expected a number of up to 100 characters" in refusal(MATCH, "seed=" + "9" * 5000)
    assert "expected an index from 0 to 2" in refusal(MATCH, "agents." + "9" * 5000 + "=random")
    assert "expected an index from 0 to 2" in refusal(MATCH, "agents.²=random")
    refusal(MATCH, "seed=0.." + "9" * 5000)


@pytest.mark.parametrize("text", [MATCH + r'name: "\e[31m"', MATCH + r'"\e[31m": 1', MATCH + r'name: "\ud800"', MATCH + '"\\u202e": 1'])
def test_control_characters_are_refused_and_shown_escaped(refusal, text):
    assert "expected text without control characters" in refusal(text)


def test_control_characters_in_the_key_of_an_override(refusal):
    assert "expected a key without control characters" in refusal(MATCH, "agents.0.\0=2")


@pytest.mark.parametrize("name", ["game", "self"])
def test_parameters_of_a_game_that_are_called_like_arguments(refusal, name):
    assert f"unknown parameter '{name}'; expected one of" in refusal(MATCH.replace("TicTacToe", f"{{id: Gomoku, {name}: 9}}"))


def test_a_key_that_python_writes_in_another_way_is_named(refusal):
    assert "agents.0.it's: agent 'random': it takes no parameters, got \"it's\"" in refusal(MATCH, "agents.0.it's=2")
    assert "agents.0.a\\b: agent 'random'" in refusal(MATCH, "agents.0.a\\b=2")


@pytest.mark.parametrize("tag", ["timestamp x", "binary x", "set {a, b}", "omap [a: 1]", "int x", "float x", "python/object:os.system"])
def test_tags_that_make_no_plain_data_are_refused(refusal, tag):
    refusal(f"{MATCH}seed: !!{tag}")


def test_twenty_of_many_mistakes_are_told(refusal):
    assert len(refusal("kind: tournament\ngame: TicTacToe\nagents: [" + "x, " * 900 + "]").splitlines()) == 20


def test_merged_keys_leave_the_lines_of_the_file_as_they_are(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text(f"{MATCH}sprt: &one {{elo0: 5}}\nexecutor: {{<<: *one,\n  workers: -1}}\n")
    with pytest.raises(ConfigError, match=r"config\.yaml:6: executor\.workers: expected at least 0, got -1"):
        load(path)
