import signal

from pegboard import tool

PREVIOUS = signal.signal(
    signal.SIGTERM,
    lambda number, frame: None,
)


@tool
def handles() -> bool:
    return PREVIOUS == signal.getsignal(signal.SIGTERM)
