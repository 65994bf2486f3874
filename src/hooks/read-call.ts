import { isAbsolute } from "node:path";
import { type Dialect, type HookCall, type HookClient, hookClients } from "./dialect.ts";
import { claudeCode } from "./dialects/claude-code.ts";
import { codex } from "./dialects/codex.ts";
import { cursor } from "./dialects/cursor.ts";
import { geminiCli } from "./dialects/gemini-cli.ts";
import { opencode } from "./dialects/opencode.ts";
import { type Fields, textOf } from "./fields.ts";

export const dialects: Readonly<Record<HookClient, Dialect>> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  cursor,
  opencode,
};

/** Undefined for an event that is not answered, or of a client that says too little of it. */
export function readCall(input: Fields, named: string | undefined, env: NodeJS.ProcessEnv): HookCall | undefined {
  const client = clientOf(input, named, env);
  const call = client && dialects[client].read(input, env);
  if (!call || call.event.session === "" || !isAbsolute(call.event.cwd)) return undefined;
  return { client, ...call };
}

/**
 * The client by what it sent, before the word in the command: Cursor runs the hooks of Claude Code's files, too, and
 * Codex those of a plugin that both share. Cursor has hooks of its own, which answer the same event: the others do not.
 */
function clientOf(input: Fields, named: string | undefined, env: NodeJS.ProcessEnv): HookClient | undefined {
  const event = textOf(input["hook_event_name"]);
  const given = hookClients.find((client) => client === named);
  if (given === "opencode") return given;
  if (isCursor(input, env)) return given === "cursor" ? given : undefined;
  // A client that another one started has the other's environment, too.
  const isOfGemini = env["GEMINI_SESSION_ID"] !== undefined && env["GEMINI_SESSION_ID"] === input["session_id"];
  if (/^(?:Before|After)(?:Agent|Tool)$/.test(event) || isOfGemini) return "gemini-cli";
  if (env["CLAUDECODE"] === "1" && "prompt_id" in input) return "claude-code";
  if ("turn_id" in input || given === "codex") return "codex";
  return given ?? "claude-code";
}

function isCursor(input: Fields, env: NodeJS.ProcessEnv): boolean {
  const event = textOf(input["hook_event_name"]);
  return "cursor_version" in input || (env["CURSOR_VERSION"] !== undefined && /^[a-z]/.test(event));
}
