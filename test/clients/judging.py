"""Judges calls of published clients: each case asserts what its docstring says."""

import asyncio
import inspect
import os
import tempfile
import traceback

URL = os.environ["CORTEXDB_URL"]
KEY = os.environ["CORTEXDB_API_KEY"]
ACTOR = os.environ["CORTEXDB_ACTOR"]
# Patience of clients that can be given one, seconds: the first calls of a cold database are slow.
PATIENCE = 300.0

CASES = []


def case(function):
    """Takes a function, or a coroutine function, up as a case."""
    CASES.append(function)
    return function


def judge():
    """Runs every case and prints a line for each; the exit code is 0 when all held."""
    failed = 0
    for one in CASES:
        name = f"{one.__module__}: {inspect.getdoc(one)}"
        try:
            outcome = one()
            if inspect.isawaitable(outcome):
                asyncio.run(outcome)
            print(f"held    {name}", flush=True)
        except Exception:
            failed += 1
            print(f"FAILED  {name}\n{traceback.format_exc()}", flush=True)
    print(f"{len(CASES) - failed} cases of published clients held, {failed} failed", flush=True)
    return 0 if failed == 0 else 1


def folder():
    """A new folder, which goes with the whole run."""
    return tempfile.mkdtemp(dir=os.environ["HOME"])
