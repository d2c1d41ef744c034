"""A benchmark: what searches, environments and learners do in a second of processor time."""

from ..kind import Kind
from .config import BenchConfig
from .results import BenchResults

KIND = Kind(BenchConfig, BenchResults, run=f"{__name__}.run:run_bench", section=f"{__name__}.section:bench_section")
