"""Owns the calls by which tool files report metrics, inputs and outputs to a platform.

There is no platform here: each call becomes a line of the tool call's log, and outside of a call a record
of the `pegboard.compat` logger. Must not raise for what it is given, and must not print.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, NoReturn, Self, TypeVar

from pegboard.runtime.current import CURRENT

LONGEST_VALUE = 500
"""How many characters of a value a log line shows."""

_LOGGER = logging.getLogger("pegboard.compat")
_F = TypeVar("_F", bound=Callable[..., Any])


def _emit(text: str) -> None:
    handle = CURRENT.get(None)
    if handle is None:
        _LOGGER.info(text)
    else:
        handle.write("log", text)


def _shown(value: object) -> str:
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception:  # a value that cannot be shown must not end the tool that reports it
        return f"<{type(value).__name__}>"
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}… ({len(text)} characters)"


def log_metric(name: str, value: Any, **details: Any) -> None:
    """Reports one measurement."""
    step = details.get("step")
    _emit(f"metric {name}={_shown(value)}" + (f" step={step}" if step else ""))


def log_metrics(metrics: Mapping[str, Any] | Iterable[Mapping[str, Any]], **details: Any) -> None:
    """Reports several measurements, by name or as a list of `{"name": …, "value": …}`."""
    if isinstance(metrics, Mapping):
        for name, value in metrics.items():
            log_metric(str(name), value, **details)
        return
    for metric in metrics:
        log_metric(str(metric.get("name")), metric.get("value"), **details)


def log_param(key: str, value: Any, **details: Any) -> None:
    """Reports one parameter."""
    _emit(f"param {key}={_shown(value)}")


def log_params(**params: Any) -> None:
    """Reports several parameters."""
    for key, value in params.items():
        log_param(key, value)


def log_input(name: str, value: Any, **details: Any) -> None:
    """Reports one input."""
    _emit(f"input {name}={_shown(value)}")


def log_inputs(**inputs: Any) -> None:
    """Reports several inputs."""
    for name, value in inputs.items():
        log_input(name, value)


def log_output(name: str, value: Any, **details: Any) -> None:
    """Reports one output."""
    _emit(f"output {name}={_shown(value)}")


def log_outputs(**outputs: Any) -> None:
    """Reports several outputs."""
    for name, value in outputs.items():
        log_output(name, value)


def log_artifact(local_uri: Any, **details: Any) -> None:
    """Reports a file or folder; it stays where it is."""
    _emit(f"artifact {local_uri}")


def log_sample(label: str, input: Any, output: Any, metrics: Any = None, **details: Any) -> None:
    """Reports an input with the output that it led to."""
    _emit(f"sample {label} input={_shown(input)} output={_shown(output)}")
    if metrics:
        log_metrics(metrics)


def log_samples(name: str, samples: Iterable[Any]) -> None:
    """Reports several samples, each a tuple of input, output and perhaps metrics."""
    for sample in samples:
        log_sample(name, *sample)


def link_objects(origin: Any, link: Any, **details: Any) -> None:
    """Reports that two reported objects belong together."""
    _emit(f"link {_shown(origin)} {_shown(link)}")


def tag(*tags: str) -> None:
    """Reports tags."""
    _emit("tag " + " ".join(map(str, tags)))


class Span:
    """A stretch of work; a context manager for `with` and `async with`."""

    def __init__(self, name: str) -> None:
        """Keeps the name."""
        self.name = name

    def __enter__(self) -> Self:
        """Reports that the work begins."""
        _emit(f"span {self.name}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Reports an exception that ends the work; it goes on unchanged."""
        if kind is not None:
            _emit(f"span {self.name} ended with {kind.__name__}")

    async def __aenter__(self) -> Self:
        """Reports that the work begins."""
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Reports an exception that ends the work; it goes on unchanged."""
        self.__exit__(kind, error, trace)

    def set_attribute(self, key: str, value: Any, **details: Any) -> None:
        """Reports something about the work."""
        _emit(f"span {self.name} {key}={_shown(value)}")

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        """Reports several things about the work."""
        for key, value in attributes.items():
            self.set_attribute(key, value)

    def add_tags(self, tags: Iterable[str]) -> None:
        """Reports tags of the work."""
        tag(*tags)

    log_metric = staticmethod(log_metric)
    log_param = staticmethod(log_param)
    log_params = staticmethod(log_params)
    log_input = staticmethod(log_input)
    log_output = staticmethod(log_output)


def span(name: str | None = None, **details: Any) -> Span:
    """A stretch of work under a name."""
    return Span(name or "span")


run = task_span = task_and_run = span


def task(func: _F | None = None, /, **details: Any) -> Any:
    """Marks a function as a task; it stays the function that it is."""
    return func if func is not None else _unchanged


def _unchanged(func: _F) -> _F:
    return func


def get_current_task() -> None:
    """The task that runs: always `None`, because tools run here outside of any."""


get_current_run = get_current_task


class Dreadnode:
    """The framework's instance, as far as tool files use it: the reporting calls, and settings that are taken
    and kept.
    """

    log_metric = staticmethod(log_metric)
    log_metrics = staticmethod(log_metrics)
    log_param = staticmethod(log_param)
    log_params = staticmethod(log_params)
    log_input = staticmethod(log_input)
    log_inputs = staticmethod(log_inputs)
    log_output = staticmethod(log_output)
    log_outputs = staticmethod(log_outputs)
    log_artifact = staticmethod(log_artifact)
    log_sample = staticmethod(log_sample)
    log_samples = staticmethod(log_samples)
    link_objects = staticmethod(link_objects)
    tag = staticmethod(tag)
    span = staticmethod(span)
    run = staticmethod(run)
    task = staticmethod(task)
    task_span = staticmethod(task_span)
    get_current_task = staticmethod(get_current_task)
    get_current_run = staticmethod(get_current_run)

    def __init__(self, **settings: Any) -> None:
        """Keeps the settings."""
        self.settings = settings

    def configure(self, **settings: Any) -> Self:
        """Keeps further settings; there is no platform to connect to."""
        self.settings.update(settings)
        return self

    def shutdown(self) -> None:
        """Has nothing to end."""

    def __getattr__(self, name: str) -> NoReturn:
        """Says that only the package itself has the rest."""
        raise AttributeError(
            f"{name!r} of the dreadnode instance needs the package itself; install it: pip install dreadnode"
        )


DEFAULT_INSTANCE = Dreadnode()


def get_default_instance() -> Dreadnode:
    """The instance that the module's own functions stand for."""
    return DEFAULT_INSTANCE


configure = DEFAULT_INSTANCE.configure
shutdown = DEFAULT_INSTANCE.shutdown
