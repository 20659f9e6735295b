from dataclasses import dataclass
from typing import Optional

from dreadnode import tool


@dataclass
class Job:
    name: str


@tool
def run_now(job: Job, note: Optional[str] = None):
    return job.name
