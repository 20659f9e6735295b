import app.config
import app.derived as derived
from app.config import X
from pegboard import tool


@tool
def root() -> list[int]:
    return [X, app.config.X, derived.DOUBLE]
