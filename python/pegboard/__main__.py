"""Owns the start of the command line from Python: `python -m pegboard` and the wheel's console script.

Must not parse anything: the compiled module does.
"""

from __future__ import annotations

import importlib
import signal
import sys


def main() -> int:
    """Run the command line with `sys.argv` and return its exit status."""
    try:
        native = importlib.import_module("pegboard._native")
    except ModuleNotFoundError as missing:
        if missing.name != "pegboard._native":
            raise
        sys.stderr.write("pegboard: the command line is only in the wheel: pip install pegboard\n")
        return 3
    # Python's own handler only sets a flag, which nobody looks at while the compiled part runs.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return int(native.run_cli(sys.argv))


if __name__ == "__main__":
    sys.exit(main())
