"""`python -m sparring` is the command `sparring`."""

from .experiments.cli import main

if __name__ == "__main__":
    main()
