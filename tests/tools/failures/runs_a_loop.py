import asyncio

from pegboard import tool

VALUE = asyncio.run(asyncio.sleep(0, "ok"))


@tool
def ran_a_loop() -> str:
    return VALUE
