"""Owns the exception by which a sync tool is asked to stop when its time is over.

Rust raises it inside the tool's thread; nothing else may.
"""


class Interrupted(BaseException):
    """The host asked the tool to stop.

    Derives from ``BaseException`` so that a tool's ``except Exception`` does not swallow it.
    """
