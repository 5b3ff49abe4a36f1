"""The Python SDK and its LangChain adapter."""

import asyncio

import requests
from cortexdb import AsyncCortex, Cortex, V1APIError
from cortexdb.integrations.langchain import CortexDBChatMessageHistory
from langchain_core.messages import HumanMessage

from judging import ACTOR, KEY, PATIENCE, URL, case

LAYERS = {"events", "episodes", "facts", "beliefs", "understanding"}


def client():
    return Cortex(URL, actor=ACTOR, bearer=KEY, timeout=PATIENCE)


def captured(cortex, scope, **content):
    """Captures and waits until it is derived; answers the id."""
    return cortex.experience(scope, wait="consolidated", **content)["event_id"]


def likes(subject, what):
    return {
        "triple": {
            "subject": {"kind": "concept", "id": f"ent_{subject}", "name": subject},
            "predicate": "likes",
            "object": {"kind": "literal", "datatype": "string", "value": what},
        }
    }


def events_of(cortex, scope):
    return [event["id"] for event in cortex.events(scope)["items"]]


def refusal_of(call):
    """The code with which a call is refused."""
    try:
        call()
    except V1APIError as error:
        return (error.status, error.error_code)
    raise AssertionError("it was not refused")


@case
def forgets_ids():
    """forget with memory_ids takes exactly these events, and says how many were asked for"""
    with client() as cortex:
        scope = "user:clients/verify:sdk-ids"
        gone, stays = (captured(cortex, scope, text=f"Note {n} of the SDK") for n in (1, 2))
        receipt = cortex.forget(
            scope, memory_ids=[gone, "evt_of_nobody"], cascade="redact_events", reason="by the SDK"
        )
        assert (receipt["requested"], receipt["matched"]) == (2, 1), receipt
        assert set(receipt["deleted"]) == LAYERS and receipt["deleted"]["events"] == 1, receipt
        assert receipt["audit_id"].startswith("audit_"), receipt
        assert events_of(cortex, scope) == [stays]


@case
def forgets_by_subject_and_predicate():
    """forget with about_subject and predicate takes what was derived, and leaves the events"""
    with client() as cortex:
        scope = "user:clients/verify:sdk-subject"
        captured(cortex, scope, **likes("Mira", "marzipan"))
        captured(cortex, scope, **likes("Nora", "nougat"))
        receipt = cortex.forget(scope, about_subject="ent_Mira", predicate="likes", reason="by the SDK")
        assert receipt["deleted"]["facts"] == 1, receipt
        left = [fact["subject"] for fact in cortex.facts(scope)["items"]]
        assert len(left) == 1 and "Nora" in str(left), left
        assert len(events_of(cortex, scope)) == 2


@case
def forgets_what_a_preview_showed():
    """forget_preview deletes nothing, and from_preview_id executes it, once"""
    with client() as cortex:
        scope = "user:clients/verify:sdk-preview"
        captured(cortex, scope, **likes("Olga", "olives"))
        preview = cortex.forget_preview(scope, about_entity="ent_Olga", cascade="redact_events")
        assert preview["preview_id"].startswith("fpvw_") and preview["scope"] == scope, preview
        assert preview["estimated_deleted"]["events"] == 1, preview
        assert len(events_of(cortex, scope)) == 1
        again = {"from_preview_id": preview["preview_id"], "reason": "by the SDK"}
        assert cortex.forget(scope, **again)["deleted"] == preview["estimated_deleted"]
        assert events_of(cortex, scope) == []
        assert refusal_of(lambda: cortex.forget(scope, **again)) == (422, "UNKNOWN_PREVIEW_ID")


@case
def forgets_everything_when_told():
    """forget without a selector is refused, and with confirm_all takes the whole scope"""
    with client() as cortex:
        scope = "user:clients/verify:sdk-all"
        captured(cortex, scope, text="All of this goes.")
        assert refusal_of(lambda: cortex.forget(scope)) == (422, "EMPTY_SELECTOR_WITHOUT_CONFIRMATION")
        receipt = cortex.forget(scope, confirm_all=True, cascade="redact_events", reason="by the SDK")
        assert receipt["deleted"]["events"] == 1, receipt
        # The scope takes new writes at once.
        assert events_of(cortex, scope) == [] and captured(cortex, scope, text="All of this is new.")


def over(erasure):
    """The record of an erasure that was small enough to be over before its answer."""
    record = requests.get(
        f"{URL}/v1/erasures/{erasure['erasure_id']}",
        headers={"Authorization": f"Bearer {KEY}", "X-Cortex-Actor": ACTOR},
        timeout=PATIENCE,
    ).json()
    assert record["status"] == "completed", record
    return record


@case
def erases_what_a_preview_showed():
    """erasure_preview and erase, with ids, and with the preview of a forget"""
    with client() as cortex:
        scope = "user:clients/verify:sdk-erase"
        one, other = (captured(cortex, scope, text=f"Erase note {n}") for n in (1, 2))
        preview = cortex.erasure_preview(scope, memory_ids=[one], audit_note="by the SDK")
        assert preview["preview_id"].startswith("ervw_"), preview
        assert preview["estimated_affected"]["events"] == 1, preview
        assert preview["refcount_breakdown"]["events_to_delete"] == 1, preview
        erasure = cortex.erase(scope, from_preview_id=preview["preview_id"], audit_note="by the SDK")
        assert {"erasure_id", "status", "manifest_url", "lifecycle_stream"} <= set(erasure), erasure
        assert over(erasure)["counts"]["events"] == 1
        assert events_of(cortex, scope) == [other]
        shown = cortex.forget_preview(scope, confirm_all=True, cascade="redact_events")
        over(cortex.erase(scope, from_preview_id=shown["preview_id"]))
        assert events_of(cortex, scope) == []


@case
def erases_once_under_a_key():
    """erase under an idempotency key is one erasure; unknown previews and empty selectors are refused"""
    with client() as cortex:
        scope = "user:clients/verify:sdk-key"
        captured(cortex, scope, text="Erased once")
        keyed = {"confirm_all": True, "audit_note": "by the SDK", "idempotency_key": "sdk-1"}
        first = cortex.erase(scope, **keyed)
        assert cortex.erase(scope, **keyed)["erasure_id"] == first["erasure_id"]
        over(first)
        unknown = refusal_of(lambda: cortex.erase(scope, from_preview_id="ervw_" + "0" * 32))
        assert unknown == (422, "UNKNOWN_PREVIEW_ID"), unknown
        empty = refusal_of(lambda: cortex.erase(scope))
        assert empty == (422, "EMPTY_SELECTOR_WITHOUT_CONFIRMATION"), empty


@case
def erasing_takes_the_file():
    """erase takes the file of its event, so that delete_blob finds it gone"""
    with client() as cortex:
        scope = "user:clients/verify:sdk-file"
        uploaded = cortex.upload_blob(b"\x00\x01 a file of the SDK", content_type="application/x-thing")
        blob = uploaded["blob_id"]
        captured(cortex, scope, blob_id=blob, transcript="A file of the SDK")
        over(cortex.erase(scope, confirm_all=True))
        assert refusal_of(lambda: cortex.delete_blob(blob)) == (404, "NOT_FOUND")
        assert cortex.delete_blob(blob, missing_ok=True)["already_deleted"] is True


@case
def is_told_that_there_is_no_code_plane():
    """every call of the code plane is refused by the code that says that it is off"""
    with client() as cortex:
        code = cortex.code
        for call in (
            code.matrix,
            code.repos,
            lambda: code.register_repo("strata", "/repos/strata"),
            lambda: code.repo_status("strata"),
            lambda: code.remove_repo("strata"),
            lambda: code.impact("strata", "main"),
            lambda: code.context("strata", "how is it built?"),
            lambda: code.gc("strata"),
        ):
            assert refusal_of(call) == (503, "CODE_PLANE_DISABLED")


@case
async def forgets_asynchronously():
    """the asynchronous client forgets as the other does"""
    async with AsyncCortex(URL, actor=ACTOR, bearer=KEY, timeout=PATIENCE) as cortex:
        scope = "user:clients/verify:sdk-async"
        stored = await cortex.experience(scope, text="Soon forgotten", wait="indexed")
        preview, receipt = await asyncio.gather(
            cortex.forget_preview(scope, memory_ids=["evt_of_nobody"]),
            cortex.forget(scope, memory_ids=[stored["event_id"]], cascade="redact_events", reason="async"),
        )
        assert preview["estimated_deleted"]["events"] == 0, preview
        assert receipt["deleted"]["events"] == 1, receipt


@case
def clears_a_history():
    """the history of LangChain remembers its messages, and clear() takes them"""
    with client() as cortex:
        history = CortexDBChatMessageHistory(cortex, scope="user:clients/verify:langchain")
        history.recall_query = "Which colour has the lighthouse?"
        history.add_messages([HumanMessage(content="The lighthouse is vermilion.")])
        assert "vermilion" in history.messages[0].content, history.messages
        history.clear()
        assert not any("vermilion" in str(message.content) for message in history.messages)
        assert events_of(cortex, history.scope) == []
