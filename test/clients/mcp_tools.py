"""The MCP server, over stdio."""

import os
import re
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from judging import case

SCOPE = "user:clients/verify:mcp"
# The server says every request on its standard error.
SILENT = open(os.devnull, "w", encoding="utf-8")
SERVER = StdioServerParameters(
    command=sys.executable,
    args=["-m", "cortexdb_mcp.server"],
    env={**os.environ, "CORTEXDB_SCOPE": SCOPE, "CORTEXDB_TIMEOUT": "300"},
)


@case
async def forgets():
    """forget_preview, memory_delete and memory_forget of the MCP server say what they took"""
    async with stdio_client(SERVER, SILENT) as streams, ClientSession(*streams) as session:
        await session.initialize()

        async def tool(name, **arguments):
            answer = await session.call_tool(name, arguments)
            text = "".join(part.text for part in answer.content)
            assert not answer.isError, text
            return text

        stored = await tool("memory_store", content="The MCP server forgets this.")
        event = re.search(r"evt_[0-9a-f]+", stored)[0]
        shown = await tool("forget_preview", memory_ids=[event])
        preview = re.search(r"fpvw_[0-9a-f]+", shown)[0]
        assert "Forgotten." in await tool("memory_forget", reason="by the MCP server", from_preview_id=preview)
        assert "event(s)" in await tool("memory_delete", episode_id=event)
        assert "Forgotten." in await tool("memory_forget", reason="by the MCP server", query="nobody")


@case
async def is_told_that_there_is_no_code_plane():
    """the code tools of the MCP server fail, and say by which code"""
    async with stdio_client(SERVER, SILENT) as streams, ClientSession(*streams) as session:
        await session.initialize()
        for name, arguments in (
            ("code_explore", {"query": "how is it built?"}),
            ("code_impact", {"symbol": "main", "repo": "strata"}),
            ("code_inventory", {"kind": "stats", "repo": "strata"}),
        ):
            answer = await session.call_tool(name, arguments)
            text = "".join(part.text for part in answer.content)
            assert answer.isError and "CODE_PLANE_DISABLED" in text, text
