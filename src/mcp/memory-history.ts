import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Address, type HistoryOperation, type MemoryHistory, RecollectError } from "../app.ts";
import { answer, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { HistorySession } from "./tool-options.ts";

const input = toolInput({
  path: z.string().describe("As printed"),
  action: z.enum(["log", "show", "diff", "restore"]).optional().describe("Default log"),
  rev: z.string().optional().describe("Id from the log; ~1 is one before the newest"),
});

const logLimit = 20;
const mostChars = 150_000;
const idDigits = 10;

interface Asked {
  readonly history: MemoryHistory;
  readonly at: Address;
  /** The title of the lesson that is meant; undefined for the whole document. */
  readonly entry: string | undefined;
  readonly path: string;
  readonly rev: string | undefined;
}

export function registerMemoryHistory(server: McpServer, session: HistorySession, changed: () => void): void {
  server.registerTool(
    "memory_history",
    {
      title: "History of a memory",
      description: "Use when you need an earlier version of a note or lesson, or its author.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ path: given, action = "log", rev }) =>
      answer(async () => {
        const { history } = session;
        const { at, entry } = await history.locate(given, session.roots);
        const name = session.nameOf(at);
        const asked = { history, at, entry, path: entry === undefined ? name : `${name} › ${entry}`, rev };
        const reply = await actions[action](asked);
        if (action === "restore") changed();
        return reply;
      }),
  );
}

const actions: Readonly<Record<"log" | "show" | "diff" | "restore", (asked: Asked) => Promise<CallToolResult>>> = {
  log: async ({ history, at, entry, path }) => {
    const { revisions, next } = entry === undefined ? await logOf(history, at) : await logOfLesson(history, at, entry);
    const lines = revisions.map(({ id, time, author, kind, run, reason }) =>
      [id, time, author, kind, ...(run === undefined ? [] : [`run ${run}`]), reason ?? ""].join(" ").trim(),
    );
    if (next !== undefined) lines.push(`(The newest ${logLimit}. There are older ones.)`);
    return toReply(lines.join("\n"), { path, log: revisions });
  },
  show: async ({ history, at, entry, path, rev }) => {
    const shown = await history.show({ at, entry }, rev);
    if (shown.bytes && shown.text === undefined) throw noText(path);
    const data = { path, ...toData(shown.operation, shown.rev) };
    if (shown.text === undefined) return toReply(`${path} was deleted then.`, data);
    const text = cut(shown.text);
    return toReply(text, data);
  },
  diff: async ({ history, at, entry, path, rev }) => {
    const found = await history.diff({ at, entry }, { to: rev });
    if (found.text === undefined) throw noText(path);
    const text = cut(found.text);
    return toReply(text, { path, ...toData(found.to.operation, found.to.rev) });
  },
  restore: async ({ history, at, entry, path, rev }) => {
    if (rev === undefined) throw new RecollectError("INVALID_ARGUMENT", "Which revision? Give rev, as the log has it.");
    const result = await history.restore({ at, entry }, rev);
    if (result.kind === "conflict") throw new RecollectError("CONFLICT", `${path} was changed meanwhile. Try again.`);
    const restored = result.kind === "restored";
    const now = result.rev === undefined ? "deleted again" : `restored (rev ${result.rev})`;
    const text = restored ? `${path} ${now}.` : `${path} is so already.`;
    return toReply(text, { path, restored, ...(result.rev === undefined ? {} : { rev: result.rev }) });
  },
};

async function logOf(history: MemoryHistory, at: Address) {
  const { operations, next } = await history.log({ ...at, limit: logLimit });
  const revisions = operations.map((operation) => {
    const [change] = operation.changes;
    return { ...toData(operation, change?.rev), kind: change?.kind ?? "" };
  });
  return { revisions, next };
}

async function logOfLesson(history: MemoryHistory, at: Address, entry: string) {
  const found = await history.lessonLog({ at, entry }, logLimit + 1);
  const revisions = found.slice(0, logLimit).map(({ operation, rev, was }) => ({
    ...toData(operation, rev),
    kind: rev === undefined ? "remove" : was === undefined ? "add" : "change",
  }));
  return { revisions, next: found.length > logLimit ? "more" : undefined };
}

function toData({ id, time, author, run, reason }: HistoryOperation, rev: string | undefined) {
  return {
    id: id.slice(0, idDigits),
    time,
    author,
    ...(run === undefined ? {} : { run }),
    ...(reason === undefined ? {} : { reason }),
    ...(rev === undefined ? {} : { rev }),
  };
}

function cut(text: string): string {
  if (text.length <= mostChars) return text;
  return `${text.slice(0, mostChars).toWellFormed()}\n(Cut after ${mostChars} of ${text.length} characters.)`;
}

function noText(path: string): RecollectError {
  return new RecollectError("NOT_UTF8", `${path} was not UTF-8 text then. Restore it on the command line.`);
}
