"""Docstrings: the three forms, and that nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.runtime.docstring import split

GOOGLE = """Run it.

    More of it.

    Args:
        mode (str): One of:
            - "fast": quick
            - "deep": slow

        n: how
            many
        *rest: the rest
        **more (dict[str, int], optional): anything
    Keyword Args:
        lim: upper bound

    Returns:
        what came of it
"""

NUMPY = """Run it.

    More of it.

    Parameters
    ----------
    mode : {"fast", "deep"}
        One of:
            - "fast": quick
            - "deep": slow
    n : int, optional
        how
        many
    *rest
        the rest
    **more
        anything

    Other Parameters
    ----------------
    lim : int
        upper bound

    Returns
    -------
    str
        what came of it
"""

SPHINX = """Run it.

    More of it.

    :param str mode: One of:
        - "fast": quick
        - "deep": slow
    :param n: how
        many
    :type n: int
    :param \\*rest: the rest
    :keyword more: anything
    :param int lim: upper bound
    :returns: what came of it
"""

NAMES = ["mode", "n", "rest", "more", "lim"]


@pytest.mark.parametrize("doc", [GOOGLE, NUMPY, SPHINX])
def test_each_form_gives_the_same_texts(doc):
    made = split(doc, NAMES)
    assert {name: " ".join(text.split()) for name, text in made.parameters.items()} == {
        "mode": 'One of: - "fast": quick - "deep": slow',
        "n": "how many",
        "rest": "the rest",
        "more": "anything",
        "lim": "upper bound",
    }
    assert [line.strip() for line in made.parameters["mode"].splitlines()] == [
        "One of:",
        '- "fast": quick',
        '- "deep": slow',
    ]


@pytest.mark.parametrize(
    ("doc", "rest"),
    [
        (GOOGLE, "Run it.\n\nMore of it.\n\nReturns:\n    what came of it"),
        (NUMPY, "Run it.\n\nMore of it.\n\nReturns\n-------\nstr\n    what came of it"),
        (SPHINX, "Run it.\n\nMore of it.\n\n:returns: what came of it"),
    ],
)
def test_what_is_about_the_whole_stays(doc, rest):
    assert split(doc, NAMES).text == rest


def test_lines_keep_their_breaks():
    made = split(GOOGLE, NAMES)
    assert made.parameters["mode"] == 'One of:\n- "fast": quick\n- "deep": slow'
    assert made.parameters["n"] == "how\nmany"


@pytest.mark.parametrize(
    "heading", ["Args:", "Arguments:", "Parameters:", "Params:", "args:", "Keyword Arguments:"]
)
def test_headings(heading):
    assert split(f"Text.\n\n{heading}\n    a: one\n", ["a"]).parameters == {"a": "one"}


@pytest.mark.parametrize(
    "entry",
    [
        "a: one",
        "a (int): one",
        "a (dict[str, int]): one",
        "`a`: one",
        "``a``: one",
        "a - one",
        "a (int) \u2013 one",
    ],
)
def test_entries(entry):
    assert split(f"Text.\n\nArgs:\n    {entry}\n", ["a"]).parameters == {"a": "one"}


def test_entries_for_other_names_stay():
    made = split("Text.\n\nArgs:\n    a: one\n    gone: not a parameter\n    b: two\n", ["a", "b"])
    assert made.parameters == {"a": "one", "b": "two"}
    assert made.text == "Text.\n\nArgs:\n    gone: not a parameter"


def test_two_names_in_one_numpy_entry():
    made = split("Text.\n\nParameters\n----------\nx, y : float\n    a coordinate\n", ["x", "y"])
    assert made.parameters == {"x": "a coordinate", "y": "a coordinate"}


@pytest.mark.parametrize("doc", [None, "", "   \n  "])
def test_nothing_is_nothing(doc):
    assert split(doc, ["a"]).text == ""


def test_a_word_that_only_looks_like_a_heading():
    doc = "Explain parameters:\n\nArgs are good. Parameters too."
    assert split(doc, ["a"]).text == doc


def test_a_description_without_parameters_is_only_dedented():
    doc = """Table:

        a | b
        --|--
        1 | 2

    End.
    """
    assert split(doc, ["a"]).text == "Table:\n\n    a | b\n    --|--\n    1 | 2\n\nEnd."


WORDS = st.lists(
    st.sampled_from(["alpha", "beta", "gamma: x", "Args:", "Parameters", "-----", ":param a: b", "  deep"])
)


@given(WORDS, st.integers(0, 3))
def test_every_word_is_kept_somewhere(words, depth):
    doc = "\n".join("    " * (index % (depth + 1)) + word for index, word in enumerate(words))
    made = split("Start.\n" + doc, ["a", "alpha", "gamma"])
    everything = made.text + " ".join(f"{name} {text}" for name, text in made.parameters.items())
    for word in ("beta", "deep"):
        assert everything.count(word) == doc.count(word)
