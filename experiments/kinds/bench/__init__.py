"""A benchmark: the speeds of searches, environments and learners by processor time."""

from ..kind import Kind
from .config import BenchConfig
from .results import BenchResults

KIND = Kind(BenchConfig, BenchResults, run=f"{__name__}.run:run_bench", section=f"{__name__}.section:bench_section")
