from _shared import shared

from _shared import installed
