import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Address, type HistoryOperation, type MemoryHistory, RecollectError } from "../index.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { HistorySession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";

const input = toolInput({
  path: z.string().describe("note, or topic/subtopic"),
  action: z.enum(["log", "show", "diff", "restore"]).optional(),
  rev: z.string().optional().describe("id, or ~1: one before the newest"),
});
const revision = {
  id: z.string().optional(),
  time: z.string().optional(),
  author: z.string().optional(),
  run: z.string().optional(),
  reason: z.string().optional(),
  rev: z.string().optional(),
};
const output = z.object({
  path: z.string(),
  log: z.array(z.object({ ...revision, kind: z.string() })).optional(),
  text: z.string().optional(),
  restored: z.boolean().optional(),
  ...revision,
});

const logLimit = 20;
const mostChars = 150_000;
const idDigits = 10;

interface Asked {
  readonly history: MemoryHistory;
  readonly at: Address;
  readonly path: string;
  readonly rev: string | undefined;
}

export function registerMemoryHistory(server: McpServer, session: HistorySession, changed: () => void): void {
  server.registerTool(
    "memory_history",
    {
      title: "History of a memory",
      description: "Who changed a note; show or restore an old revision, diff what it changed.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ path: given, action = "log", rev }) =>
      answer(async () => {
        const history = await session.history();
        const at = await history.locate(given, session.roots);
        const asked = { history, at, path: history.nameOf(at), rev };
        const reply = await actions[action](asked);
        if (action === "restore") changed();
        return reply;
      }),
  );
}

const actions: Readonly<Record<"log" | "show" | "diff" | "restore", (asked: Asked) => Promise<CallToolResult>>> = {
  log: async ({ history, at, path }) => {
    const { operations, next } = await history.log({ ...at, limit: logLimit });
    const revisions = operations.map((operation) => {
      const [change] = operation.changes;
      return { ...toData(operation, change?.rev), kind: change?.kind ?? "" };
    });
    const lines = revisions.map(({ id, time, author, kind, run, reason }) =>
      [id, time, author, kind, ...(run === undefined ? [] : [`run ${run}`]), reason ?? ""].join(" ").trim(),
    );
    if (next !== undefined) lines.push(`(The newest ${logLimit}. There are older ones.)`);
    return toReply(lines.join("\n"), { path, log: revisions });
  },
  show: async ({ history, at, path, rev }) => {
    const shown = await history.show(at, rev);
    if (shown.bytes && shown.text === undefined) throw noText(path);
    const data = { path, ...toData(shown.operation, shown.rev) };
    if (shown.text === undefined) return toReply(`${path} was deleted then.`, data);
    const text = cut(shown.text);
    return toReply(text, { ...data, text });
  },
  diff: async ({ history, at, path, rev }) => {
    const found = await history.diff(at, { to: rev });
    if (found.text === undefined) throw noText(path);
    const text = cut(found.text);
    return toReply(text, { path, ...toData(found.to.operation, found.to.rev), text });
  },
  restore: async ({ history, at, path, rev }) => {
    if (rev === undefined) throw new RecollectError("INVALID_ARGUMENT", "Which revision? Give rev, as the log has it.");
    const result = await history.restore(at, rev, history.stamp);
    if (result.kind === "conflict") throw new RecollectError("CONFLICT", `${path} was changed meanwhile. Try again.`);
    const restored = result.kind === "restored";
    const now = result.rev === undefined ? "deleted again" : `restored (rev ${result.rev})`;
    const text = restored ? `${path} ${now}.` : `${path} is so already.`;
    return toReply(text, { path, restored, ...(result.rev === undefined ? {} : { rev: result.rev }) });
  },
};

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
