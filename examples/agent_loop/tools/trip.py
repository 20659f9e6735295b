"""What the assistant of this example can do: ask for the weather, and book a train."""

from typing import Annotated

from pydantic import Field

from pegboard import tool

TEMPERATURES = {"Oslo": 4.0, "Bergen": 9.5}
SEATS_LEFT = {"Oslo": 40, "Bergen": 2}


@tool
def temperature(city: Annotated[str, "The city's name"]) -> float:
    """Tell the temperature in a city, in degrees Celsius."""
    return TEMPERATURES[city]


@tool
async def book_train(
    destination: Annotated[str, "The city to go to"],
    seats: Annotated[int, Field(ge=1, description="How many seats")] = 1,
) -> str:
    """Book seats in the next train to a city."""
    left = SEATS_LEFT[destination]
    if seats > left:
        raise LookupError(f"only {left} seats are left in the train to {destination}")
    SEATS_LEFT[destination] = left - seats
    return f"{seats} seats to {destination} are booked"
