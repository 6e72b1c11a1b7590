"""Lists and calls the tools of the examples with the Python SDK, over stdio."""

import asyncio
import os
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def check(claim, actual, expected):
    if actual != expected:
        sys.exit(f"failed: {claim}: {actual!r} instead of {expected!r}")
    print(f"ok: {claim}")


async def hello(session):
    listed = await session.list_tools()
    check("hello lists its tools", [tool.name for tool in listed.tools], ["add", "greet"])
    result = await session.call_tool("add", {"a": 2, "b": 3})
    check("add gives text", result.content[0].text, "5")
    check("add gives structured content", result.structuredContent, {"result": 5})
    result = await session.call_tool("add", {"a": "two"})
    check("a wrong argument is an error that the model reads", result.isError, True)


async def notes(session):
    added = await session.call_tool("add_note", {"text": "Buy milk"})
    check("add_note gives the note", added.structuredContent, {"id": 1, "text": "Buy milk"})
    await session.call_tool("add_note", {"text": "Call mum"})
    found = await session.call_tool("search_notes", {"query": "MILK"})
    check("search_notes finds it", found.structuredContent["result"][0]["id"], 1)
    await session.call_tool("delete_note", {"id": 1})
    left = await session.call_tool("list_notes", {})
    check("delete_note deletes it", [note["id"] for note in left.structuredContent["result"]], [2])
    again = await session.call_tool("delete_note", {"id": 1})
    check("a second delete is an error", (again.isError, again.content[0].text), (True, "there is no note 1"))


async def talk(program, conversation, env):
    parameters = StdioServerParameters(command=program, env={**os.environ, **env})
    async with stdio_client(parameters) as (read, write):
        async with ClientSession(read, write) as session:
            answer = await session.initialize()
            check("the server is named", answer.serverInfo.name, os.path.basename(program))
            await conversation(session)


async def main(folder):
    await talk(os.path.join(folder, "hello"), hello, {})
    with tempfile.TemporaryDirectory() as place:
        await talk(os.path.join(folder, "notes"), notes, {"NOTES_DB": os.path.join(place, "notes.db")})


asyncio.run(main(sys.argv[1]))
