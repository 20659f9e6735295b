"""Owns the exception by which a tool is asked to stop that cannot hear anything else.

Rust raises it inside the tool's thread, or that of the event loop while the tool holds it; nothing else may.
"""


class Interrupted(BaseException):
    """The host asked the tool to stop.

    Derives from ``BaseException`` so that a tool's ``except Exception`` does not swallow it.
    """
