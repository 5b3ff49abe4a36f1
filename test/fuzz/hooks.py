"""What schemathesis cannot know of Strata: values of named formats, and refusals that a schema cannot express.

A refusal is passed over only when a schema-valid request got it, and only for the code and reason that stand here.
"""

import atexit
import collections
import json
import re

import graphql
import schemathesis
from hypothesis import strategies as st

schemathesis.openapi.format(
    "iana-time-zone", st.sampled_from(["UTC", "Europe/Berlin", "america/new_york", "Asia/Kolkata", "Etc/GMT+12"])
)
schemathesis.openapi.format(
    "bcp47", st.sampled_from(["en", "en-us", "pt-BR", "zh-Hant-TW", "de-CH-1996", "x-private", "sl-rozaj-biske"])
)

SAFE = 2**53 - 1
schemathesis.graphql.scalar(
    "SafeInt", st.integers(min_value=-SAFE, max_value=SAFE).map(schemathesis.graphql.nodes.Int)
)
schemathesis.graphql.scalar(
    "JSON",
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(min_value=-SAFE, max_value=SAFE)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.from_regex(r"\A[A-Za-z_]{1,8}\Z"), inner, max_size=3),
        max_leaves=5,
    ).map(lambda value: graphql.parse_value(_literal(value))),
)


def _literal(value):
    """A JSON value as a GraphQL literal, which has no quotes around the names of fields."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_literal(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return json.dumps(value)


# Inputs of which exactly one field is given (@oneOf), which the tool does not ask the schema about.
ONE_OF = [{"message", "text", "json", "blobRef", "triple"}, {"entity", "literal"}]


class _OneOf(graphql.Visitor):
    def leave_object_value(self, node, *_):
        names = {field.name.value for field in node.fields}
        given = [field for field in node.fields if not isinstance(field.value, graphql.NullValueNode)]
        if given and any(names <= known for known in ONE_OF):
            return graphql.ObjectValueNode(fields=(given[0],))
        return None


@schemathesis.hook
def map_body(context, body):
    return graphql.visit(body, _OneOf()) if isinstance(body, graphql.DocumentNode) else body


DATES = "the year 0 and the length of months are within the formats of JSON schema"

# Refusals of requests that the schema allows: code, what the reason has to match, why a schema cannot say it.
REVIEWED = [
    ("UNREGISTERED_SCOPE_TYPE", r"", "the allowed segment types are a setting of the deployment"),
    ("SETTLEMENT_UNAVAILABLE", r"", "`wait=settled` is in the contract and not on this server: 503 by contract"),
    ("AMBIGUOUS_IDEMPOTENCY_KEY", r"", "depends on what is stored"),
    ("INVALID_QUERY", r"^(malformed|offset too large|is not a cursor of this listing)$", "what an opaque cursor holds, or that it skips too far"),
    ("INVALID_QUERY", r"^lies in the future$", "depends on what is stored"),
    ("INVALID_BODY", r"^unknown id$", "depends on what is stored"),
    ("INVALID_QUERY", r"idempotency_key or event_id", "one of two parameters: OpenAPI has no such rule"),
    ("INVALID_BODY", r"^is longer than \d+ bytes", "bounds in bytes of UTF-8; a schema counts characters"),
    ("INVALID_ENVELOPE", r"^is longer than \d+ bytes", "the same"),
    ("INVALID_BODY", r"^holds a (NUL character|lone surrogate)$", "no string anywhere in a body may hold it"),
    ("INVALID_BODY", r"^is nested deeper than", "depth of free JSON"),
    ("INVALID_BODY", r"which no IEEE double holds$", "a schema has no such bound for free JSON"),
    ("INVALID_BODY", r"^is not 1 to 256 visible characters", "the tool reads \\p{C} as control characters alone"),
    ("INVALID_QUERY", r"^is not 1 to 256 visible characters", "the same"),
    ("INVALID_BODY", r"^lies before (from|valid_from)$", "compares two fields"),
    ("INVALID_BODY", r"^lies before it was observed", "compares two fields"),
    ("INVALID_BODY", r"^is not for a negative statement", "depends on another field"),
    ("INVALID_BODY", r"rests on what is concluded", "depends on what is stored"),
    ("INVALID_ENVELOPE", r"^lies before from$", "the same"),
    ("INVALID_BODY", r"^differs from (context.observed_at|the envelope's modality)$", "compares two fields"),
    ("INVALID_BODY", r"^(is no date|is neither an RFC 3339|is not an RFC 3339|lies outside the years)", DATES),
    ("INVALID_ENVELOPE", r"^is no date", DATES),
    ("INVALID_QUERY", r"^(is not an RFC 3339|lies outside the years)", DATES),
    ("INVALID_BODY", r"^is not (a string|true or false|a number|an integer|a date|an RFC 3339)", "names in `datatype`"),
    ("INVALID_BODY", r"^replace needs an idempotency_key$", "depends on another field"),
    ("INVALID_QUERY", r"^names both axes", "one parameter or two others: OpenAPI has no such rule"),
    ("INVALID_QUERY", r"^is neither an RFC 3339", DATES),
    ("INVALID_QUERY", r"^is not a stretch a\.\.b of instants", "a text of two instants"),
    ("INVALID_QUERY", r"^is not <from>\.\.<to>", "a text of two instants"),
    ("INVALID_QUERY", r"it cannot be blank$", "a scope is more than a pattern"),
    ("INVALID_QUERY", r"^is not the name of a capability$", "an open list of names"),
    ("INVALID_BODY", r"^is the entity itself$", "compares two fields"),
    ("INVALID_BODY", r"^is not two ISO-8601 durations", "a text of two durations"),
    ("INVALID_BODY", r"^ends where it begins or before$", "compares two durations"),
    ("INVALID_BODY", r"^is neither one of now, today", DATES),
    ("INVALID_BODY", r"^is one phrase more than", "depends on what is stored"),
    ("INVALID_BODY", r"^cannot stand beside members$", "one of two fields"),
    ("INVALID_BODY", r"^is another name of caps", "one of two fields"),
    ("INVALID_BODY", r"^is not for (pick|split|new_information|dismiss)$", "depends on another field"),
    ("INVALID_BODY", r"takes scope.manage from everybody", "what policies come to together"),
    ("INVALID_BODY", r"^is needed for (pick|split|new_information)$", "depends on another field"),
    ("INVALID_BODY", r"^is not the name of a capability, a family", "an open list of names"),
    ("INVALID_BODY", r"^is a member named before$", "compares items"),
    ("INVALID_RETENTION_POLICY", r"^is neither source:", "an open list of names"),
    ("EMPTY_SELECTOR_WITHOUT_CONFIRMATION", r"", "one of two fields"),
    ("AMBIGUOUS_SELECTOR_CONFIRM_ALL", r"", "one of two fields"),
    ("UNKNOWN_PREVIEW_ID", r"", "depends on what is stored"),
    ("INVALID_BODY", r"^does not go with from_preview_id", "one of two fields"),
    ("INVALID_BODY", r"^is another name of audit_note", "one of two fields"),
    ("NO_TARGETS", r"^name a scope, or say how much", "one of two fields"),
    ("NO_TARGETS", r"^event_ids are some events of a scope", "one of two fields"),
    ("INVALID_QUERY", r"is not <type>:<name>", "a scope is more than a pattern"),
    ("ANSWER_UNAVAILABLE", r"", "no model is configured: 503 by contract"),
    ("NO_ELIGIBLE_EVENTS", r"", "depends on what is stored"),
    ("EVAL_OVERRIDE_DISABLED", r"", "a field of the contract that this server takes from nobody"),
    ("UNPARSEABLE_TEMPORAL", r"is not a time phrase that is understood", "phrases in words"),
    ("CODE_PLANE_DISABLED", r"", "the code plane is in the contract and not in this release: 503 by contract"),
    ("NOT_CONFIGURED", r"mints no tokens", "a setting of the deployment: 503 by contract"),
]

passed_over = collections.Counter()


@atexit.register
def _tell():
    for (code, reason), count in sorted(passed_over.items()):
        print(f"reviewed and passed over: {count} x {code}: {reason}")


def _refusals(response):
    """Code and reason of a refusal; of a bulk that is refused for its items, those of the items."""
    try:
        body = json.loads(response.content)
    except ValueError:
        return [("INVALID_QUERY", response.text)] if response.status_code == 400 else []
    if not isinstance(body, dict) or "error_code" not in body:
        return []
    details = body.get("details") or {}
    refused = [{**item, "message": item["error"]} for item in details.get("items", [])] or [body]
    return [(one["error_code"], (one.get("details") or {}).get("reason") or one["message"]) for one in refused]


def _reviewed(code, reason):
    return next(((known, why) for known, pattern, why in REVIEWED if known == code and re.search(pattern, reason)), None)


def _is_stream(response):
    types = response.headers.get("content-type", [""])
    return response.status_code == 200 and types[0].startswith("text/event-stream")


# Codes that say that the service failed, or that the tool and the service disagree about the document.
GRAPHQL_FAULTS = {"INTERNAL", "INTERNAL_SERVER_ERROR", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"}


ONE_OF_FAULT = re.compile(r"^OneOf Input Object|^Field \"(Content|Term)Input\.\w+\" must be non-null")


def _graphql_codes(response):
    try:
        errors = json.loads(response.content)["errors"]
        return {"ONE_OF" if ONE_OF_FAULT.search(error["message"]) else error["extensions"]["code"] for error in errors}
    except (ValueError, KeyError, TypeError):
        return {None}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    kind = type(failure).__name__
    # Types of GraphQL say little of what a text has to look like; every refusal by code is looked at only for its code.
    if kind in ("GraphQLClientError", "GraphQLServerError"):
        codes = _graphql_codes(response)
        if None in codes or codes & GRAPHQL_FAULTS:
            return True
        passed_over.update((code, "GraphQL: grammar and state that its types cannot say") for code in codes)
        return False
    # A bulk that is well formed is answered 207 when items are not: that is their refusal.
    if kind == "AcceptedNegativeData" and response.status_code == 207:
        passed_over["207", "items of a bulk are refused one by one"] += 1
        return False
    # The document describes a stream as one text; the tool takes that for the shape of each event.
    if kind == "JsonSchemaError" and _is_stream(response):
        return False
    if kind not in ("RejectedPositiveData", "ServerError"):
        return True
    known = [_reviewed(code, reason) for code, reason in _refusals(response)]
    if not known or None in known:
        return True
    passed_over.update(set(known))
    return False
