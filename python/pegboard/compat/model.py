"""Owns the stand-in for dreadnode's `Model`: a pydantic model that takes `Config` for `Field`.

Apart from `configuration`, since pydantic reads the class's own source for the texts of its fields.
"""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from pegboard.compat.configuration import adopt_config_fields


class Model(BaseModel):
    """A pydantic model whose fields may be declared with `Config`."""

    model_config = ConfigDict(arbitrary_types_allowed=True, use_attribute_docstrings=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Makes `Config` declarations fields."""
        super().__init_subclass__(**kwargs)
        adopt_config_fields(cls)

    def configure(self, **overrides: Any) -> Self:
        """A copy with other values."""
        return self.model_copy(update=overrides)

    def with_(self, **overrides: Any) -> Self:
        """The older name of `configure`."""
        return self.configure(**overrides)
