"""Pages of runs: charts, tables, replays, and the page itself; their sections are handed in."""
