"""The base of all connectors, with a source of the test's own."""

import os
from dataclasses import replace

import httpx
from cortexdb_connectors.base import (
    Actor,
    Attachment,
    CortexConnector,
    EntityRef,
    Episode,
    EpisodeType,
    Source,
    Visibility,
    VisibilityLevel,
)

from judging import ACTOR, KEY, URL, case, folder

HEADERS = {"Authorization": f"Bearer {KEY}", "X-Cortex-Actor": ACTOR}


class Files(CortexConnector):
    """A source of files that are handed to it."""

    async def fetch_events(self, since=None):
        return []

    def normalize(self, raw):
        return None

    def map_permissions(self, raw):
        return Visibility(level=VisibilityLevel.ORGANIZATION)


def connector(scope):
    return Files(URL, KEY, scope).bind(
        actor=ACTOR,
        scope_template=scope,
        source_instance_id="https://files.example",
        event_ledger_path=os.path.join(folder(), "ledger.sqlite"),
    )


def file(name, data):
    return Episode(
        id=name,
        actor=Actor(id="user:712020_ab-cd", name="Ada"),
        source=Source(system="files"),
        episode_type=EpisodeType.DOCUMENT,
        content=f"[file {name}]",
        entities=[EntityRef("file", name, name)],
        idempotency_key=f"files:{name}",
        source_record_id=name,
        blob=Attachment(filename=name, mime_type='Image/PNG; B="a"; a=1', size_bytes=len(data), data=data),
    )


def read(path):
    return httpx.get(f"{URL}{path}", headers=HEADERS, timeout=60)


def blob_of(event):
    """The id of the blob that an event refers to."""
    answer = read(f"/v1/events/{event}")
    assert answer.status_code == 200, answer.text
    content = answer.json()["content"]
    assert content["kind"] == "blob_ref", content
    return content["blob_id"]


def is_there(path):
    status = read(path).status_code
    assert status in (200, 404), status
    return status == 200


@case
async def imports_a_file_and_deletes_it():
    """a file is uploaded under its key, captured, and deleted with it: events first, then the blob"""
    source = connector("user:clients/verify:files")
    picture = file("picture.png", b"\x89PNG of the connectors")
    (event,) = await source.ingest_episode_events(picture)
    blob = blob_of(event)
    answer = read(f"/v1/blobs/{blob}")
    assert (answer.content, answer.headers["content-type"]) == (picture.blob.data, "image/png; a=1; b=a")
    assert await source.ingest_episode_events(picture) == [event]
    await source.forget_episode(picture, reason="deleted at the source")
    assert not is_there(f"/v1/events/{event}") and not is_there(f"/v1/blobs/{blob}")
    await source.forget_episode(picture)


@case
async def replaces_a_version():
    """a changed file takes the place of its former version, whose event and blob go"""
    source = connector("user:clients/verify:versions")
    first = file("draft.png", b"the first draft")
    second = replace(first, blob=replace(first.blob, data=b"the second draft"))
    (old,) = await source.ingest_episode_events(first)
    old_blob = blob_of(old)
    (new,) = await source.ingest_episode_events(second)
    assert not is_there(f"/v1/events/{old}") and not is_there(f"/v1/blobs/{old_blob}")
    assert read(f"/v1/blobs/{blob_of(new)}").content == b"the second draft"


@case
async def goes_on_with_an_upload():
    """an upload whose answer was lost is sent again; a retired key and other bytes are refused"""
    source = connector("user:clients/verify:uploads")
    operation = await source._lifecycle_operation("user:clients/verify:uploads")
    send = lambda data: source._upload_blob_idempotent(data, "image/png", "token-1", operation)
    blob = await send(b"sent twice")
    assert await send(b"sent twice") == blob
    assert await refused(send(b"something else")), "other bytes were taken"
    assert await source._retire_blob_upload("token-1", blob, operation) == blob
    assert await source._retire_blob_upload("token-1", blob, operation) == blob
    assert await refused(send(b"sent twice")), "a retired key was taken"
    assert await source._retire_blob_upload("token-never-used", None, operation) is None


async def refused(call):
    """Whether the client refuses, or is refused."""
    try:
        await call
    except (RuntimeError, httpx.HTTPStatusError):
        return True
    return False


@case
async def forgets_texts_in_two_phases():
    """texts are forgotten in two phases, each with the receipt that the client asks for, and by entity"""
    source = connector("user:clients/verify:texts")
    tickets = [replace(file(f"T-{n}", b""), blob=None, content=f"Ticket T-{n} is open") for n in (1, 2)]
    one, other = [(await source.ingest_episode_events(ticket))[0] for ticket in tickets]
    await source.forget_events([one], source.scope, reason="closed")
    assert not is_there(f"/v1/events/{one}") and is_there(f"/v1/events/{other}")
    await source.forget_entity("T-2", source.scope)
    assert not is_there(f"/v1/events/{other}")


@case
async def deletes_blobs_of_before():
    """a blob without a key is deleted by its id, and is gone when it is deleted again"""
    source = connector("user:clients/verify:plain")
    blob = await source.upload_blob(b"without a key", "image/png")
    assert await source.delete_blob(blob) and await source.delete_blob(blob)
    assert not is_there(f"/v1/blobs/{blob}")
