"""The command line, as a process of its own."""

import json
import os
import subprocess
import sys

from judging import case, folder

PROGRAM = os.path.join(os.path.dirname(sys.executable), "cortexdb")
HOME = folder()


def cortexdb(*words, code=0):
    """Runs a command and answers the JSON that it prints."""
    told = subprocess.run(
        [PROGRAM, "--json", *words],
        env={**os.environ, "CORTEXDB_HOME": HOME},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == code, f"{words} ended with {told.returncode}: {told.stdout}{told.stderr}"
    return json.loads(told.stdout) if told.stdout.strip().startswith(("{", "[")) else told.stdout


@case
def verifies():
    """verify writes, recalls and removes its marker, and cleanup finds nothing left"""
    told = cortexdb("verify")
    stages = {stage["id"]: stage["state"] for stage in told["stages"]}
    assert stages.get("first_value") == "pass", told
    cortexdb("cleanup", "--yes")


@case
def forgets():
    """forget --preview counts, forget takes an event by its id and what is about a subject"""
    scope = ("--scope", "user:clients/verify:cli")
    stored = cortexdb("experience", *scope, "The command line forgets this.")
    event = stored["event_id"]
    shown = cortexdb("forget", "--memory-id", event, "--cascade", "redact_events", "--preview", *scope)
    assert shown["estimated_deleted"]["events"] == 1, shown
    why = ("--reason", "by the command line", "--yes")
    receipt = cortexdb("forget", "--memory-id", event, "--cascade", "redact_events", *why, *scope)
    assert receipt["deleted"]["events"] == 1 and receipt["requested"] == 1, receipt
    again = cortexdb("forget", "--memory-id", event, "--cascade", "redact_events", *why, *scope)
    assert again["deleted"]["events"] == 0, again
    assert cortexdb("forget", "--subject", "nobody", *why, *scope)["matched"] == 0
    assert cortexdb("forget", "--query", "nothing", *why, *scope)["matched"] == 0


@case
def is_told_that_there_is_no_code_plane():
    """code matrix and code gc end with 1"""
    cortexdb("code", "matrix", code=1)
    cortexdb("code", "gc", "strata", code=1)
