"""Owns the markers for values that the runtime supplies, not the model: `EnvVar` and its like.

A marker stands where a parameter's default stands. Must not appear in a schema; it is resolved when the
tool is called.
"""

from __future__ import annotations

import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Self

UNSET: Any = type("Unset", (), {"__bool__": lambda self: False, "__repr__": lambda self: "UNSET"})()
"""Stands for "not given" where `None` is a value."""


class ContextWarning(UserWarning):
    """A value that is not required could not be supplied."""


class Context(ABC):
    """A parameter's default that is looked up at each call."""

    def __init__(self, *, default: Any = UNSET, required: bool = True) -> None:
        """Keeps what to do when there is no value: use `default`, or fail if it is `required`."""
        self.default = default
        self.required = required
        self.parameter: str | None = None
        self._adapter: Callable[[Any], Any] | None = None

    def __repr__(self) -> str:
        """The marker as it may stand in a signature."""
        return f"{type(self).__name__}(required={self.required!r})"

    @abstractmethod
    def _resolve(self) -> Any:
        """Looks the value up; raises whatever it likes when there is none."""

    def adapt(self, adapter: Callable[[Any], Any]) -> Self:
        """Passes each value through a function before the tool gets it."""
        self._adapter = adapter
        return self

    def resolve(self) -> Any:
        """The value, the default, or `None` where neither is required.

        Raises:
            TypeError: the value is required and there is none.
        """
        try:
            value = self._resolve()
            if value is UNSET:
                raise LookupError("there is no value")
            return value if self._adapter is None else self._adapter(value)
        except Exception as error:
            if self.default is not UNSET:
                return self.default
            name = self.parameter or repr(self)
            if self.required:
                raise TypeError(f"{name!r} cannot be supplied: {error}") from error
            warnings.warn(f"{name!r} cannot be supplied: {error}", ContextWarning, stacklevel=2)
            return None


class EnvVar(Context):
    """The value of an environment variable at the time of the call."""

    def __init__(self, name: str, *, default: Any = UNSET, required: bool = True) -> None:
        """Keeps the variable's name."""
        super().__init__(default=default, required=required)
        self.var_name = name

    def __repr__(self) -> str:
        """The marker as it may stand in a signature."""
        return f"EnvVar(name={self.var_name!r})"

    def _resolve(self) -> Any:
        value = os.environ.get(self.var_name)
        if value is None:
            raise LookupError(f"the environment variable {self.var_name} is not set")
        return value


class _Untracked(Context):
    """Something that belongs to a trace. Pegboard runs tools outside of any, so only a default can stand for
    it.
    """

    _of = "a trace"

    def _resolve(self) -> Any:
        raise LookupError(f"{type(self).__name__} belongs to {self._of}, and tools run here outside of any")


class CurrentTask(_Untracked):
    """The task that the call is part of."""

    _of = "a task"


class CurrentRun(CurrentTask):
    """The older name of `CurrentTask`."""


class ParentTask(_Untracked):
    """The task around the task that the call is part of."""

    _of = "a task"


class CurrentTrial(_Untracked):
    """The trial of an optimization study."""

    _of = "a study"


class TrialCandidate(CurrentTrial):
    """What is tried in the trial."""


class TrialOutput(CurrentTrial):
    """What the trial yielded."""


class TrialScore(CurrentTrial):
    """How the trial was judged."""


class _Named(_Untracked):
    """A value that is known by name in a trace."""

    def __init__(self, name: str | None = None, *, default: Any = UNSET, required: bool = True) -> None:
        """Keeps the name; `None` means the first value there is."""
        super().__init__(default=default, required=required)
        self.ref_name = name


class DatasetField(_Named):
    """A field of the row that is evaluated."""

    _of = "an evaluation"


class TaskInput(_Named):
    """An input of the task."""

    _of = "a task"


class TaskOutput(_Named):
    """An output of the task."""

    _of = "a task"


class AgentInput(_Named):
    """An input of the agent."""

    _of = "an agent's trace"


class AgentOutput(_Named):
    """An output of the agent."""

    _of = "an agent's trace"


class AgentParam(_Named):
    """A parameter of the agent."""

    _of = "an agent's trace"


class EvalInput(_Named):
    """An input of the evaluation."""

    _of = "an evaluation"


class EvalOutput(_Named):
    """An output of the evaluation."""

    _of = "an evaluation"


class EvalParam(_Named):
    """A parameter of the evaluation."""

    _of = "an evaluation"


class StudyInput(_Named):
    """An input of the study."""

    _of = "a study"


class StudyOutput(_Named):
    """An output of the study."""

    _of = "a study"


class StudyParam(_Named):
    """A parameter of the study."""

    _of = "a study"
