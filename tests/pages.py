"""Blocks of Python in the documentation: scripts to run, and files that a page writes down before it uses them."""

import re
import textwrap

# What is not to be run stands in a block of `py`.
BLOCK = re.compile(r"^( *)```python(?: ([^\n]*))?\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
TITLE = re.compile(r"title=\"([\w/]+\.py)\"")


def scripts_of(text):
    """Returns the blocks of a page that are to be run as they are pasted."""
    return [textwrap.dedent(code) for _, words, code in BLOCK.findall(text) if not TITLE.search(words)]


def files_of(text):
    """Returns the blocks of a page that are files, by their names."""
    blocks = [(TITLE.search(words), textwrap.dedent(code)) for _, words, code in BLOCK.findall(text)]
    return {title[1]: code for title, code in blocks if title}


def write_files(text, folder):
    """Writes the files of a page into a folder."""
    for name, code in files_of(text).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(code, encoding="utf-8")
