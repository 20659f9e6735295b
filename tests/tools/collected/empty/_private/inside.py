def forgotten_decorator() -> str:
    return "x"
