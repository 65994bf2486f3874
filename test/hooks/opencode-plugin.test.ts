import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { openCodePlugin } from "../../src/clients/opencode-plugin.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly synthetic?: boolean;
  readonly callID?: string;
  readonly state?: { status: string; output: string };
}
type Handler = (input: unknown, output?: unknown) => Promise<void>;

/** The plugin as OpenCode loads it, with a command in the place of Recollect that says back what it was told. */
async function load(program: string) {
  const folder = folders.make();
  const [script, told, file] = ["answer.cjs", "told", "plugin.mjs"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(script, `const told = ${JSON.stringify(told)};\n${program}`);
  writeFileSync(file, openCodePlugin([process.execPath, script]));
  chmodSync(file, 0o600);
  const toasts: string[] = [];
  const prompts: unknown[] = [];
  const client = {
    tui: { showToast: async ({ body }: { body: { message: string } }) => toasts.push(body.message) },
    session: {
      promptAsync: async (prompt: unknown) => prompts.push(prompt),
      get: async ({ path: { id } }: { path: { id: string } }) => {
        if (id === "gone") throw new Error("no such session");
        return { data: { id, ...(id === "ses_2" ? { parentID: "ses_1" } : {}) } };
      },
    },
  };
  const { Recollect } = await import(pathToFileURL(file).href);
  const hooks: Record<string, Handler> = await Recollect({ client, directory: folder });
  const fire = (name: string, input: unknown, output?: unknown) => (hooks[name] as Handler)(input, output);
  const event = (type: string, properties: object) => fire("event", { event: { type, properties } });
  const say = async (text: string, sessionID = "ses_1") => {
    const parts: Part[] = [{ type: "text", text }];
    await fire("chat.message", { sessionID }, { message: { id: "msg_1" }, parts });
    return parts.slice(1);
  };
  const events = () =>
    readFileSync(told, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  return { fire, event, say, events, toasts, prompts, folder };
}

/** The first two run side by side. */
function byName(one: { hook_event_name: string }, other: { hook_event_name: string }): number {
  return one.hook_event_name < other.hook_event_name ? -1 : one.hook_event_name > other.hook_event_name ? 1 : 0;
}

const echo = `
const text = require("node:fs").readFileSync(0, "utf8");
require("node:fs").appendFileSync(told, text + "\\n");
const { hook_event_name: name } = JSON.parse(text);
console.log(JSON.stringify({ additional_context: "about " + name, user_message: "seen", followup_message: name === "session.idle" ? "Keep it?" : undefined }));`;

it("USE-4 OpenCode's plugin puts what a session gets before the model, and asks once at its end", async () => {
  const { fire, event, say, events, toasts, prompts, folder } = await load(echo);
  const [part] = await say("hello");
  expect(part).toMatchObject({ type: "text", synthetic: true, text: "about session.created\n\nabout chat.message" });

  const result = { title: "", output: "boom\n", metadata: { exit: 1 } };
  await fire(
    "tool.execute.after",
    { tool: "bash", sessionID: "ses_1", callID: "c1", args: { command: "make" } },
    result,
  );
  await fire("tool.execute.after", { tool: "read", sessionID: "ses_1", callID: "c2", args: {} }, { output: "" });
  // What a script prints is the same: only the model's copy of the result has more.
  expect(result.output).toBe("boom\n");
  const shown = { type: "tool", callID: "c1", state: { status: "completed", output: "boom\n" } };
  const messages = [{ info: { role: "assistant" }, parts: [shown] }];
  await fire("experimental.chat.messages.transform", {}, { messages });
  await fire("experimental.chat.messages.transform", {}, { messages });
  expect(shown.state.output).toBe("boom\n\n\nabout tool.execute.after");

  await fire("experimental.text.complete", { sessionID: "ses_1" }, { text: "All done." });
  await event("session.idle", { sessionID: "ses_1" });
  await event("session.idle", { sessionID: "ses_1" });
  expect(prompts).toMatchObject([{ path: { id: "ses_1" }, body: { parts: [{ type: "text", text: "Keep it?" }] } }]);
  expect(toasts).toHaveLength(5);
  const [start, prompt, ...rest] = events().toSorted(byName);
  expect([start, prompt]).toMatchObject([
    { hook_event_name: "chat.message", prompt: "hello", is_attended: true },
    { hook_event_name: "session.created", session_id: "ses_1", cwd: folder },
  ]);
  expect(rest).toMatchObject([
    { hook_event_name: "session.idle", is_continued: false, last_message: "All done." },
    { hook_event_name: "session.idle", is_continued: true },
    { tool_name: "bash", tool_input: { command: "make" }, tool_output: "boom\n", has_failed: true },
  ]);
});

it("USE-4 OpenCode's plugin gives a subagent its own, under the session that began it", async () => {
  const { say, events } = await load(echo);
  expect(await say("look into it", "ses_2")).toMatchObject([{ text: "about subagent.created" }]);
  expect(events()).toMatchObject([{ hook_event_name: "subagent.created", session_id: "ses_1", agent_id: "ses_2" }]);
});

it("USE-4 OpenCode's plugin gives what a compaction took at once, and with the next prompt for good", async () => {
  const { fire, event, say } = await load(echo);
  await say("hello");
  await event("session.compacted", { sessionID: "ses_1" });
  const goesOn = () => ({ info: { role: "user", sessionID: "ses_1", id: "msg_2" }, parts: [] as Part[] });
  const shown = goesOn();
  await fire("experimental.chat.messages.transform", {}, { messages: [shown] });
  expect(shown.parts).toMatchObject([{ text: "about session.compacted", synthetic: true }]);
  expect(await say("and now?")).toMatchObject([{ text: "about session.compacted\n\nabout chat.message" }]);
  const later = goesOn();
  await fire("experimental.chat.messages.transform", {}, { messages: [later] });
  expect(later.parts).toEqual([]);
});

it.each([
  ["crashes", "process.exit(3)"],
  ["prints no JSON", 'console.log("oops")'],
  ["prints null", 'console.log("null")'],
])("USE-4 OpenCode's plugin says nothing where the hook %s", async (_, program) => {
  const { event, say, prompts } = await load(program);
  expect(await say("hello", "gone")).toEqual([]);
  await event("session.idle", { sessionID: "ses_1" });
  expect(prompts).toEqual([]);
});

it("USE-5 OpenCode's plugin goes on where the hook hangs", { timeout: 20_000 }, async () => {
  const { say } = await load("setTimeout(() => {}, 60_000)");
  const begun = Date.now();
  expect(await say("hello")).toEqual([]);
  expect(Date.now() - begun).toBeLessThan(10_000);
});
