import type { ClientName, Scope } from "./clients.ts";
import type { Json } from "./json-tree.ts";
import { type Launch, npxLine, serverName } from "./server-entry.ts";

/** One event of a client that is answered. */
interface HookRow {
  readonly event: string;
  /** Only for these tools. */
  readonly matcher?: string;
  /** The client does not wait for it: such a hook only collects evidence. */
  readonly isAsync?: boolean;
  /** In seconds, where the client allows less than for the others. */
  readonly seconds?: number;
}

interface HookTable {
  readonly rows: readonly HookRow[];
  /** A group or handler as the client's file has it. */
  readonly write: (row: HookRow, command: string) => Json;
  /** What the file needs beside the hooks. */
  readonly settings?: { readonly [key: string]: Json };
}

/** A hook ends by itself after four seconds. */
const patience = 10;

/** The form of Claude Code, which Codex took over. */
function claudeGroup({ matcher, isAsync, seconds = patience }: HookRow, command: string): Json {
  const handler = { type: "command", command, timeout: seconds, ...(isAsync ? { async: true } : {}) };
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] };
}

const tables: { readonly [name in ClientName]?: HookTable } = {
  "claude-code": {
    // Without a matcher Cursor, which reads this file too, takes a group for none of its own.
    rows: [
      { event: "SessionStart" },
      { event: "UserPromptSubmit" },
      { event: "PostToolUse", matcher: "Bash|mcp__recollect__.*" },
      { event: "PostToolUse", matcher: "Edit|MultiEdit|Write|NotebookEdit", isAsync: true },
      { event: "PostToolUseFailure", matcher: "Bash" },
      { event: "SubagentStart" },
      { event: "Stop" },
      { event: "SessionEnd" },
    ],
    write: claudeGroup,
  },
  codex: {
    rows: [
      { event: "SessionStart" },
      { event: "UserPromptSubmit" },
      { event: "PostToolUse" },
      { event: "SubagentStart" },
      { event: "Stop" },
      { event: "SessionEnd", seconds: 3 },
    ],
    write: claudeGroup,
  },
  "gemini-cli": {
    rows: [
      { event: "SessionStart" },
      { event: "BeforeAgent" },
      { event: "AfterTool", matcher: "run_shell_command|replace|write_file|mcp_recollect_.*" },
      { event: "AfterAgent" },
      { event: "SessionEnd" },
    ],
    write: ({ matcher }, command) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ name: serverName, type: "command", command, timeout: patience * 1000 }],
    }),
  },
  cursor: {
    rows: [
      { event: "sessionStart" },
      { event: "beforeSubmitPrompt" },
      { event: "postToolUse" },
      { event: "postToolUseFailure" },
      { event: "stop" },
      { event: "preCompact" },
      { event: "sessionEnd" },
    ],
    write: (_, command) => ({ command, timeout: patience }),
    settings: { version: 1 },
  },
};

export interface ClientHooks {
  /** The wanted groups of each event. */
  readonly events: ReadonlyMap<string, readonly Json[]>;
  readonly settings: readonly (readonly [key: string, value: Json])[];
}

export function hooksOf(client: ClientName, command: string): ClientHooks | undefined {
  const table = tables[client];
  if (table === undefined) return undefined;
  const events = Map.groupBy(table.rows, ({ event }) => event);
  return {
    events: new Map([...events].map(([event, rows]) => [event, rows.map((row) => table.write(row, command))])),
    settings: Object.entries(table.settings ?? {}),
  };
}

/** The same text in every release: clients bind their user's trust to it. */
export function hookCommand(client: ClientName, launch: Launch, scope: Scope, platform: NodeJS.Platform): string {
  return `${startOf(launch, scope)
    .map((word) => quoted(word, platform))
    .join(" ")} hook ${client}`;
}

function startOf(launch: Launch, scope: Scope): string[] {
  if (launch.kind === "checkout") return ["node", launch.bin];
  return launch.kind === "global" ? [serverName] : npxLine(launch, scope);
}

function quoted(path: string, platform: NodeJS.Platform): string {
  if (/^[\w./:@+-]+$/.test(path)) return path;
  return platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Whether a group or a handler in a client's file does nothing but start our hook, in any version and by any way. */
export function isOurHook(item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  if ("hooks" in item && Array.isArray(item.hooks)) return item.hooks.length > 0 && item.hooks.every(isOurHook);
  return "command" in item && typeof item.command === "string" && ourCommand.test(item.command);
}

const ourCommand = /(?:^|[\s/\\])recollect(?:\.cjs|\.cmd)?["']? hook [a-z-]+$/;
