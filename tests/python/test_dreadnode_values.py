"""How values of the dreadnode dialect are written for the model."""

from __future__ import annotations

import base64
import math
import re

import pytest

from pegboard.compat.errors import ErrorModel, Stop
from pegboard.compat.message import (
    ContentAudioInput,
    ContentImageUrl,
    ContentText,
    ContentVideoUrl,
    Message,
)
from pegboard.compat.values import Audio, Code, Image, Markdown, Table, Video, WithMeta
from pegboard.dialects.dreadnode_values import render
from pegboard.runtime.bound import Rendered

PNG = b"\x89PNG\r\n\x1a\n\xff"
DATA = base64.b64encode(PNG).decode()


class Plain:
    """No text of its own."""


class Named:
    def __str__(self) -> str:
        return "named"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("text", "text"),
        (True, b"true"),
        (None, b"null"),
        (2**70, b"1180591620717411303424"),
        (2.0, b"2.0"),
        (1e22, b"1e+22"),
        ({"é": [1, 2.0, None, math.nan]}, '{"é":[1,2.0,null,null]}'.encode()),
        ((1, "a"), b'[1,"a"]'),
        ([], b"[]"),
        (b"abc", b'"abc"'),
        (range(3), "range(0, 3)"),
        (Named(), "named"),
        (ValueError("returned"), "returned"),
        (re.compile("a+"), b'"a+"'),
        (math.inf, Rendered("inf", b"null")),
    ],
)
def test_plain_values(value: object, written: object) -> None:
    assert render(value) == written


@pytest.mark.parametrize("value", [Plain(), [Plain()], {"f": lambda: 1}, memoryview(b"x"), {"s": "\ud800"}])
def test_a_value_without_a_text_is_refused(value: object) -> None:
    with pytest.raises(Exception, match=r"serialize|Surrogate|surrogate"):
        render(value)


def test_a_returned_stop_ends_the_run_like_a_raised_one() -> None:
    with pytest.raises(Stop, match="enough"):
        render(Stop("enough"))


def test_text_blocks_are_joined_and_blank_ones_left_out() -> None:
    blocks = [ContentText(text="one"), ContentText(text="   "), ContentText(text="two")]
    assert render(blocks) == Rendered("one\ntwo")
    assert render(blocks[0]) == Rendered("one")
    assert render(Message("tool", ["one", "two"])) == Rendered("one\ntwo")


@pytest.mark.parametrize(
    ("value", "block"),
    [
        (
            ContentImageUrl.from_bytes(PNG, "image/png"),
            {"type": "image", "mime_type": "image/png", "data": DATA},
        ),
        (
            ContentImageUrl.from_url("https://example.com/a.png"),
            {"type": "resource", "mime_type": "image/*", "uri": "https://example.com/a.png", "data": None},
        ),
        (
            ContentAudioInput.from_bytes(PNG, format="wav"),
            {"type": "audio", "mime_type": "audio/wav", "data": DATA},
        ),
        (
            ContentVideoUrl.from_bytes(PNG, "video/mp4"),
            {"type": "resource", "mime_type": "video/mp4", "uri": None, "data": DATA},
        ),
        (Image(PNG, format="jpg"), {"type": "image", "mime_type": "image/jpeg", "data": DATA}),
        (Image(f"data:image/gif;base64,{DATA}"), {"type": "image", "mime_type": "image/gif", "data": DATA}),
        (Audio(PNG), {"type": "audio", "mime_type": "audio/wav", "data": DATA}),
        (Video(PNG), {"type": "resource", "mime_type": "video/mp4", "uri": None, "data": DATA}),
    ],
)
def test_pictures_sounds_and_videos_are_blocks(value: object, block: dict[str, object]) -> None:
    assert render(value) == Rendered("", None, (block,))


def test_blocks_beside_text_keep_their_order() -> None:
    shown = render([ContentText(text="see"), ContentImageUrl.from_bytes(PNG, "image/png")])
    assert isinstance(shown, Rendered)
    assert (shown.text, len(shown.content)) == ("see", 1)


def test_a_list_of_blocks_and_other_things_is_json() -> None:
    assert render([ContentText(text="a"), 1]) == b'[{"type":"text","text":"a","cache_control":null},1]'


def test_typed_values_are_their_contents() -> None:
    assert render(Markdown("# Title")) == "# Title"
    assert render(Code("x = 1", "python")) == "x = 1"
    assert render(Table([{"a": 1}])) == b'[{"a":1}]'
    assert render(WithMeta({"a": 1}, {"format": "custom"})) == b'{"a":1}'
    assert render(ErrorModel.from_exception(ValueError("bad"))) == Rendered(
        '<error type="ValueError">bad</error>'
    )


def test_a_picture_of_an_array_says_what_it_needs() -> None:
    with pytest.raises(TypeError, match="pip install dreadnode"):
        render(Image([[0, 1], [1, 0]]))


def test_media_from_files(tmp_path) -> None:
    file = tmp_path / "shot.png"
    file.write_bytes(PNG)
    assert Image(file).media_type == "image/png"
    assert Image(str(file)).to_bytes() == PNG
    content = ContentImageUrl.from_file(file)
    assert content.to_bytes() == PNG
    content.save(tmp_path / "made" / "copy.png")
    assert (tmp_path / "made" / "copy.png").read_bytes() == PNG
    with pytest.raises(ValueError, match="media type"):
        ContentImageUrl.from_file(file.rename(tmp_path / "shot"))
