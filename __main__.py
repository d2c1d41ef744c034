"""`python -m sparring` is the command `sparring`."""

from .experiments.commands.cli import main

if __name__ == "__main__":
    main()
