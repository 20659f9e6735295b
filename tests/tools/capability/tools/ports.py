"""Tools of a capability with everything that a manifest may say."""

import os

from dreadnode import tool

QUICK = os.environ["CAPABILITY_FLAG__PORT_SURVEY__QUICK"] == "1"


@tool
def ports() -> list[int]:
    """The ports that are looked at."""
    return [22, 80, 443] if QUICK else list(range(1, 1025))
