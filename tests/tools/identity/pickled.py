from __future__ import annotations

import pickle
import sys
from dataclasses import dataclass

from pegboard import tool


@dataclass
class J:
    n: int


@tool
def is_registered() -> bool:
    return sys.modules[J.__module__].J is J and pickle.loads(pickle.dumps(J(1))).n == 1
