"""Hosts the tools of `examples/intel` from Python: describes them, calls them, and reads what comes back."""

import asyncio
from pathlib import Path

from pegboard import Host

INTEL = Path(__file__).parent / "intel"


async def sweep(host: Host) -> None:
    """Calls an async tool from a coroutine; it runs on the host's own event loop."""
    outcome = await host.call_async("sweep_indicators", {"indicators": ["198.51.100.7", "example.com"]})
    print(outcome.text)


def main() -> None:
    """Runs the example."""
    with Host(INTEL) as host:
        for tool in host.tools:
            print(f"{tool.name}: {tool.description}")

        print(host.call("lookup_indicator", {"indicator": "198.51.100.7"}).text)

        # What a model gets wrong is an outcome with a failure, never an exception.
        outcome = host.call("watch", '{"indicator": "example.com", "severity": "huge"}')
        assert outcome.failure is not None
        print(outcome.failure.kind, outcome.failure.problems[0].pointer)

        # A run shares limits between its calls, and answers them in their order.
        with host.run() as run:
            run.call_all([("watch", {"indicator": "example.com"}), ("report", {})])
            print(run.call("report").text)

        asyncio.run(sweep(host))


if __name__ == "__main__":
    main()
