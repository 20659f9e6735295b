"""Owns the start of the command line from Python: `python -m pegboard` and the wheel's console script.

Must not parse anything: the compiled module does.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line with `sys.argv` and return its exit status."""
    try:
        from ._native import run_cli
    except ModuleNotFoundError as missing:
        if missing.name != "pegboard._native":
            raise
        sys.stderr.write(
            "pegboard: the command line is only in the wheel; install it with: pip install pegboard\n"
        )
        return 3
    return run_cli(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
