"""Prints, as JSON, the answers to all records with the real package in the stand-in's place.

Run as a module where the package is installed: `python -m conformance.dreadnode.real_answers dreadnode`.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pegboard.compat.finder import install, is_stand_in

from .answers import answer
from .host_caller import given_answer
from .records import read

framework = sys.argv[1]
install("auto")
if is_stand_in(importlib.import_module(framework)):
    raise SystemExit(f"{framework} is not installed here")
answers = {key: answer(framework, record) for key, record in read(f"schema_{framework}").items()}
for key, record in read(f"calls_{framework}").items():
    with TemporaryDirectory() as folder:
        answers[key] = given_answer(framework, record, Path(folder), "auto")
print(json.dumps(answers))
