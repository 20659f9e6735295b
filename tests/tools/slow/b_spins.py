import os

from pegboard import tool

os.environ["PEGBOARD_TEST_SPINS"] = "1"


@tool
def spinning() -> str:
    return "never"


while True:
    pass
