from app.config import X

DOUBLE = 2 * X
