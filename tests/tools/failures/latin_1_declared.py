# -*- coding: latin-1 -*-
from pegboard import tool

TEXT = "grüße"


@tool
def latin() -> str:
    return TEXT
