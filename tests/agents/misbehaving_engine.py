"""A program that speaks the Gomocup protocol as well as the words on its command line let it; it plays the first empty cell.

Fast to start: `python -I -S misbehaving_engine.py MODE …`. Without a mode it is well-behaved.
"""

import os
import sys
import time

MODES = set(sys.argv[1:])
ANSWERS = [mode.removeprefix("answers ") for mode in MODES if mode.startswith("answers ")]  # in place of its second move
FOREVER = 1000
width = height = 0
stones, moves = {}, 0  # owner by cell; own moves since the program has started


def say(text):
    sys.stdout.write(text + "\r\n")
    sys.stdout.flush()


def start(columns, rows):
    global width, height
    if "crashes at start" in MODES:
        sys.exit("no licence")
    if "silent at start" in MODES:
        time.sleep(FOREVER)
    if "error at start" in MODES:
        return say("ERROR unsupported size")
    if "talks at start" in MODES:
        say("Welcome to the engine!\r\nMESSAGE loading\r\nDEBUG loaded")
    width, height = columns, rows
    stones.clear()
    return say("OK")


def restart():
    if "knows no RESTART" in MODES:
        say("UNKNOWN command")
    elif "hangs after the game" in MODES:
        time.sleep(FOREVER)
    elif "ends after the game" in MODES:
        sys.exit()
    else:
        stones.clear()
        say("OK")


def move():
    global moves
    moves += 1
    if "slow first move" in MODES and moves == 1:
        time.sleep(1.2)  # more than the grace of a later move
    if "cut short by input" in MODES:
        think()
    if "talks before the move" in MODES:
        say("MESSAGE depth 3\r\nDEBUG 7,7 looks good\r\nUNKNOWN INFO folder\r\nERROR what is game_type?\r\n\r\n")
    if "suggests" in MODES:
        return say(f"SUGGEST {first_empty()}")
    if moves > 1:
        misbehave()
        if ANSWERS:
            return say(ANSWERS[0])
    return place(first_empty())


def think():
    """Thinks for a while; answers by nonsense when something comes meanwhile."""
    import select

    if select.select([sys.stdin], [], [], 0.05)[0]:
        say("interrupted")


def misbehave():
    if "crashes while thinking" in MODES:
        os.abort()
    if "leaves a child" in MODES:
        if not os.fork():
            time.sleep(FOREVER)
        os._exit(7)
    if "eats memory" in MODES:
        bytearray(1 << 31)
    while "chatters" in MODES:
        say("DEBUG still thinking")
    while "floods" in MODES:
        sys.stdout.write("." * 1000)
    if "hangs" in MODES:
        time.sleep(FOREVER)


def first_empty():
    return next(f"{x},{y}" for y in range(height) for x in range(width) if (x, y) not in stones)


def place(text):
    stones[cell(text)] = 1
    say(text)
    if "crashes between moves" in MODES and moves > 1:
        sys.exit(3)
    while "floods between moves" in MODES and moves > 1:
        sys.stdout.write("." * 1000)
    if "chatters between moves" in MODES:
        say("MESSAGE you are lost\r\nDEBUG pondering\r\nOK")


def cell(text):
    x, y = text.split(",")[:2]
    return int(x), int(y)


def board():
    stones.clear()
    for line in iter(sys.stdin.readline, ""):
        if line.strip() == "DONE":
            return
        stones[cell(line)] = int(line.split(",")[2])


def obey(command, rest):
    if command == "START":
        start(int(rest), int(rest))
    elif command == "RECTSTART":
        start(*cell(rest))
    elif command == "RESTART":
        restart()
    elif command == "BEGIN":
        move()
    elif command == "TURN":
        stones[cell(rest)] = 2
        move()
    elif command == "BOARD":
        board()
        move()
    elif command == "PLAY":
        place(rest)
    elif command == "END":
        if "ignores END" in MODES:
            time.sleep(FOREVER)
        sys.exit()


for line in iter(sys.stdin.readline, ""):
    if "log" in MODES:
        print(line.strip(), file=sys.stderr, flush=True)
    command, _, rest = line.strip().partition(" ")
    obey(command, rest)
if "ignores END" in MODES:
    time.sleep(FOREVER)
