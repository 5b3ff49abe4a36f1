"""Retention by the Python SDK."""

import time

from judging import PATIENCE, case
from sdk import captured, client, events_of, refusal_of

DAY = 86_400


def expired(cortex, scope):
    """The report of a dry run, as soon as what was captured is a second old."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        report = cortex.retention_sweep(scope=scope, older_than_secs=1)
        if report["expired"] > 0:
            return report
    raise AssertionError("nothing grew old")


@case
def states_a_rule():
    """retention_policy_set, _get and _delete keep one rule, in the words of the client"""
    with client() as cortex:
        scope = "org:clients/ws:sdk-retention"
        rule = {"default_retention_days": 365, "per_source_days": {"source:slack": 30}}
        stored = cortex.retention_policy_set(scope, **rule)
        assert stored["scope"] == scope and stored["policy"] == rule, stored
        found = cortex.retention_policy_get(scope)
        assert (found["policy"], found["effective_days"]) == (rule, 365), found
        below = refusal_of(lambda: cortex.retention_policy_get(f"{scope}/user:a"))
        assert below == (404, "NOT_FOUND"), below
        kept = cortex.retention_policy_set(scope, default_retention_days=None)
        assert kept["policy"]["default_retention_days"] is None, kept
        assert scope in [one["scope"] for one in cortex.retention_status()["policies"]]
        assert cortex.retention_policy_delete(scope) == {}
        assert refusal_of(lambda: cortex.retention_policy_delete(scope)) == (404, "NOT_FOUND")


@case
def refuses_a_bad_rule():
    """a rule of no days is refused"""
    with client() as cortex:
        refused = refusal_of(
            lambda: cortex.retention_policy_set("org:clients", default_retention_days=0)
        )
        assert refused == (422, "INVALID_RETENTION_POLICY"), refused


@case
def looks_before_it_sweeps():
    """retention_sweep says what would go, and erases it when told"""
    with client() as cortex:
        scope = "org:clients/ws:sdk-sweep"
        event = captured(cortex, scope, text="An old note of the SDK")
        young = cortex.retention_sweep(scope=scope, older_than_secs=365 * DAY)
        assert (young["dry_run"], young["expired"], young["stopped"]) == (True, 0, "complete"), young
        old = expired(cortex, scope)
        assert (old["dry_run"], old["expired"], old["erased"]) == (True, 1, 0), old
        assert events_of(cortex, scope) == [event]
        swept = cortex.retention_sweep(dry_run=False, scope=scope, older_than_secs=1)
        assert (swept["erased"], swept["errors"]) == (1, []), swept
        assert events_of(cortex, scope) == []


@case
def tells_how_sweeps_stand():
    """retention_status has every key that the client documents"""
    with client() as cortex:
        status = cortex.retention_status()
        keys = (
            "backend enabled scheduler_disabled sweep_interval_secs deployment_default_days max_events_per_tick tick_budget_secs "
            "compact_after_sweep cursor watermark fingerprint_ok running native_profile_blocked policies last"
        )
        assert set(keys.split()) <= set(status), status
