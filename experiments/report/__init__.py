"""Pages of runs: charts, tables, replays, and the page itself; what stands on them is handed in, as sections."""
