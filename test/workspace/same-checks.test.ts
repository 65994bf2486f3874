import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRecollectError } from "../../src/app.ts";
import { asJson, type HttpRequest, type HttpWorld, httpWorld } from "../helpers/http-server.ts";
import { textOf } from "../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;
let at: HttpWorld;
let client: Client;

beforeAll(async () => {
  world = memoryWorld(folders.make());
  const flags = { "--memory-path": world.bank, "--agent-id": "ada" };
  at = await httpWorld(world, { flags });
  client = await at.connect(at.server.secret ?? "");
  await at.workspace.memories.write("known", "one text\n");
});
afterAll(() => at.close());

/** One way to ask for a change; gives the code of the error, or “done”. */
type Surface = () => Promise<string>;

const tool =
  (name: string, input: Record<string, unknown>): Surface =>
  async () => {
    const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
    return result.isError ? (/^[A-Z_]+/.exec(textOf(result))?.[0] ?? textOf(result)) : "done";
  };

const command =
  (...args: string[]): Surface =>
  async () => {
    const own = ["--agent-id", "ada", "--memory-path", world.bank, "--json"];
    const { code, err } = await world.cli([...args, ...own]);
    return code === 0 ? "done" : JSON.parse(err).error.code;
  };

const library =
  (work: () => Promise<unknown>): Surface =>
  async () => {
    try {
      await work();
      return "done";
    } catch (error) {
      return isRecollectError(error) ? error.code : String(error);
    }
  };

const api =
  (request: HttpRequest): Surface =>
  async () => {
    const { status, text } = await at.ask(request, at.server.secret);
    return status < 300 ? "done" : JSON.parse(text).error.code;
  };

const put = (root: string, path: string, content: string) =>
  api({ method: "PUT", path: "/api/document", ...asJson({ root, path, content, ifRev: null }) });

type Case = readonly [says: string, expected: string, surfaces: Readonly<Record<string, () => Surface>>];

interface Said {
  readonly topic?: string;
  readonly subtopic?: string;
  readonly title?: string;
  readonly context?: string;
  readonly problem?: string;
  readonly solution?: string;
  readonly code?: string;
  readonly date?: string;
}

/** An entry of a topic, over every surface that stores one. */
function entry(says: string, expected: string, said: Said): Case {
  const { topic = "t", subtopic = "s", ...fields } = said;
  const whole = { title: "A title", context: "", problem: "", solution: "", ...fields };
  return [
    `an entry with ${says}`,
    expected,
    {
      mcp: () => tool("store_in_memory", { topic, subtopic, ...whole }),
      cli: () => {
        const flags = Object.entries(whole).flatMap(([name, value]) => [`--${name}`, value]);
        return command("topics", "store", topic, subtopic, ...flags);
      },
      library: () => library(() => at.workspace.topics.store({ topic, subtopic, ...whole })),
    },
  ];
}

/** A note, over every surface that writes one; the name must not be there yet. */
function note(says: string, expected: string, [name, content]: readonly [string, string]): Case {
  return [
    `a note with ${says}`,
    expected,
    {
      mcp: () => tool("write_memory", { memory_name: name, content }),
      cli: () => command("memories", "write", name, "--content", content),
      library: () => library(() => at.workspace.memories.write(name, content)),
      appended: () => tool("append_memory", { memory_name: name, content }),
      "appended on the command line": () => command("memories", "append", name, "--content", content),
      api: () => put(".serena/memories", `${name}-of-api.md`, content),
    },
  ];
}

function edit(says: string, expected: string, [needle, mode]: readonly [string, "literal" | "regex"]): Case {
  const [name, repl] = ["known", "x"];
  return [
    `an edit with ${says}`,
    expected,
    {
      mcp: () => tool("edit_memory", { memory_name: name, needle, repl, mode }),
      cli: () => command("memories", "edit", name, needle, repl, "--mode", mode),
      library: () =>
        library(() => at.workspace.memories.edit(name, { needle, replacement: repl, mode, multiple: false })),
    },
  ];
}

function rename(says: string, expected: string, to: string): Case {
  return [
    `a rename to ${says}`,
    expected,
    {
      mcp: () => tool("rename_memory", { old_name: "known", new_name: to }),
      cli: () => command("memories", "rename", "known", to),
      library: () => library(() => at.workspace.memories.rename("known", to)),
    },
  ];
}

function ownFile(says: string, expected: string, [path, content]: readonly [string, string]): Case {
  const agent = () => at.workspace.session({ author: "agent:ada", agentId: "ada" }).agent?.memory;
  return [
    `an agent's own file with ${says}`,
    expected,
    {
      mcp: () => tool("write_memory_file", { relative_file_path: path, content }),
      cli: () => command("agent", "write", path, "--content", content),
      library: () => library(async () => agent()?.writeMemoryFile("ada", path, content)),
      appended: () => tool("append_to_memory_file", { relative_file_path: path, content }),
      "appended on the command line": () => command("agent", "append", path, "--content", content),
      api: () => put("agent_memory", path.replace(".md", "-of-api.md"), content),
    },
  ];
}

function token(says: string, expected: string, name: string): Case {
  const scopes = ["*:read"];
  return [
    `a token with ${says}`,
    expected,
    {
      cli: () => command("token", "create", name),
      api: () => api({ method: "POST", path: "/api/tokens", ...asJson({ name, scopes }) }),
      library: () => library(() => at.tokens.create({ name, scopes })),
    },
  ];
}

const wrong = "INVALID_ARGUMENT";
const cases: readonly Case[] = [
  entry("a title alone", wrong, {}),
  entry("blanks in every field", wrong, { context: " ", problem: "\n", solution: "\t", code: " \n" }),
  entry("nothing but code", "done", { code: "npm test" }),
  entry("nothing but a context", "done", { context: "c" }),
  entry("an empty title", wrong, { title: "", context: "c" }),
  entry("a blank title", wrong, { title: "  ", context: "c" }),
  entry("a title of two lines", wrong, { title: "a\nb", context: "c" }),
  entry("an empty date", wrong, { context: "c", date: "" }),
  entry("a day that there is not", wrong, { context: "c", date: "2026-02-30" }),
  entry("a date with a time", wrong, { context: "c", date: "2026-02-03T10:00" }),
  entry("an empty topic", "INVALID_PATH", { context: "c", topic: "" }),
  entry("a blank subtopic", "INVALID_PATH", { context: "c", subtopic: " " }),
  entry("the topic archive", wrong, { context: "c", topic: "archive" }),
  note("an empty folder in its name", "INVALID_PATH", ["a//b", "text"]),
  note("a name that leads out", "INVALID_PATH", ["../out", "text"]),
  note("a name of a lone blank in a folder", "INVALID_PATH", [" /x", "text"]),
  note("no text", "done", ["empty", ""]),
  note("blank text", "done", ["blank", " \n"]),
  note("a character that no text has", "INVALID_CONTENT", ["half", "a\ud800b"]),
  edit("an empty needle", wrong, ["", "literal"]),
  edit("an empty regex", wrong, ["", "regex"]),
  edit("a needle that is not there", wrong, ["absent", "literal"]),
  edit("a broken regex", wrong, ["(", "regex"]),
  rename("no name", "INVALID_PATH", ""),
  rename("a blank name", "INVALID_PATH", " "),
  rename("a name that leads out", "INVALID_PATH", "../out"),
  ownFile("an empty folder in its name", "INVALID_PATH", ["a//b.md", "text"]),
  ownFile("no text", "done", ["empty.md", ""]),
  ownFile("a character that no text has", "INVALID_CONTENT", ["half.md", "a\ud800b"]),
  token("an empty name", wrong, ""),
  token("a blank name", wrong, " "),
];

describe("CLI-1 MCP-1 every surface checks alike", () => {
  it.each(cases)("%s is %s", async (_, expected, surfaces) => {
    const told: Record<string, string> = {};
    for (const [name, surface] of Object.entries(surfaces)) told[name] = await surface()();
    expect(told).toEqual(Object.fromEntries(Object.keys(surfaces).map((name) => [name, expected])));
  });
});
