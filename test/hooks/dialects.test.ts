import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialects, readCall } from "../../src/hooks/read-call.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

/** Inputs as the clients were recorded to send them: what is read of each, and what is answered in which form. */
const folders = temporaryFolders();
const claude = { session_id: "5f0e", transcript_path: "/h/.claude/p/5f0e.jsonl", cwd: "/work/app", prompt_id: "p1" };
const codex = {
  session_id: "01f3",
  transcript_path: null,
  cwd: "/work/app",
  model: "gpt-5",
  permission_mode: "default",
  turn_id: "t1",
};
const gemini = { session_id: "a7", transcript_path: "/h/.gemini/a7.json", cwd: "/work/app", timestamp: "2026-11-19" };
const cursor = {
  conversation_id: "c9",
  generation_id: "g1",
  model: "composer",
  cursor_version: "1.0.32",
  workspace_roots: ["/work/app"],
  user_email: "ada@example.org",
  transcript_path: null,
};
const opencode = { session_id: "ses_1", cwd: "/work/app", is_attended: true };
const attended = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ATTENDED: "1" };
const base = { session: "5f0e", cwd: "/work/app" };
const shell = { kind: "tool", tool: "shell", command: "npm test", files: [] };

interface Case {
  readonly named: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly env?: NodeJS.ProcessEnv;
  readonly client?: string;
  readonly event: object;
}

const cases: Readonly<Record<string, Case>> = {
  "Claude Code, after a compaction": {
    named: "claude-code",
    input: { ...claude, hook_event_name: "SessionStart", source: "compact" },
    event: { ...base, kind: "session-start", source: "compact" },
  },
  "Claude Code, a fork": {
    named: "claude-code",
    input: { ...claude, hook_event_name: "SessionStart", source: "fork", context_tokens: 12 },
    event: { ...base, kind: "session-start", source: "startup" },
  },
  "Claude Code, a prompt": {
    named: "claude-code",
    input: { ...claude, hook_event_name: "UserPromptSubmit", prompt: "why?", permission_mode: "default" },
    event: { ...base, kind: "prompt", prompt: "why?" },
  },
  "Claude Code, a failed command": {
    named: "claude-code",
    input: {
      ...claude,
      hook_event_name: "PostToolUseFailure",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      error: "Exit code 1\nboom",
      is_interrupt: false,
    },
    event: { ...base, ...shell, hasFailed: true, output: "Exit code 1\nboom" },
  },
  "Claude Code, a command": {
    named: "claude-code",
    input: {
      ...claude,
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      tool_response: { stdout: "ok", stderr: "", interrupted: false, isImage: false },
    },
    event: { ...base, ...shell, hasFailed: false, output: "ok" },
  },
  "Claude Code, a tool of ours": {
    named: "claude-code",
    input: {
      ...claude,
      hook_event_name: "PostToolUse",
      tool_name: "mcp__recollect__search_memory",
      tool_input: { query: "stale cache" },
      tool_response: [{ type: "text", text: "Nothing in memory fits." }],
    },
    event: {
      ...base,
      kind: "tool",
      tool: "memory",
      memoryTool: "search_memory",
      query: "stale cache",
      hasFailed: false,
    },
  },
  "Claude Code, an edit in a subagent": {
    named: "claude-code",
    input: {
      ...claude,
      agent_id: "a1",
      agent_type: "general",
      hook_event_name: "PostToolUse",
      tool_name: "Write",
      tool_input: { file_path: "/work/app/src/a.ts", content: "x" },
      tool_response: { type: "update" },
    },
    event: { ...base, subagent: "a1", kind: "tool", tool: "edit", files: ["/work/app/src/a.ts"], hasFailed: false },
  },
  "Claude Code, the end of a turn that a hook made go on": {
    named: "claude-code",
    input: { ...claude, hook_event_name: "Stop", stop_hook_active: true, last_assistant_message: "Done." },
    event: { ...base, kind: "stop", isContinued: true, lastMessage: "Done." },
  },
  "Codex, a prompt, by the hooks of a plugin for Claude Code": {
    named: "claude-code",
    client: "codex",
    input: { ...codex, hook_event_name: "UserPromptSubmit", prompt: "why?" },
    event: { session: "01f3", cwd: "/work/app", kind: "prompt", prompt: "why?" },
  },
  "Codex, a command that failed or not": {
    named: "codex",
    input: {
      ...codex,
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      tool_response: "boom",
      tool_use_id: "u1",
    },
    event: { session: "01f3", cwd: "/work/app", ...shell, hasFailed: undefined, output: "boom" },
  },
  "Codex, an end of a turn without words": {
    named: "codex",
    input: { ...codex, hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: null },
    event: { session: "01f3", cwd: "/work/app", kind: "stop", isContinued: false, lastMessage: "" },
  },
  "Gemini CLI, a prompt with its own context before it": {
    named: "gemini-cli",
    input: {
      ...gemini,
      hook_event_name: "BeforeAgent",
      prompt: "<hook_context>From Recollect: x</hook_context>\n\nwhy does CI restore an old cache?",
    },
    event: { session: "a7", cwd: "/work/app", kind: "prompt", prompt: "why does CI restore an old cache?" },
  },
  "Gemini CLI, by another name": {
    named: "claude-code",
    client: "gemini-cli",
    input: { ...gemini, hook_event_name: "SessionEnd", reason: "exit" },
    env: { GEMINI_SESSION_ID: "a7" },
    event: { session: "a7", cwd: "/work/app", kind: "session-end" },
  },
  "Gemini CLI, a failed command": {
    named: "gemini-cli",
    input: {
      ...gemini,
      hook_event_name: "AfterTool",
      tool_name: "run_shell_command",
      tool_input: { command: "npm test" },
      tool_response: { llmContent: "Command: npm test\nOutput: boom\nExit Code: 1", returnDisplay: "boom" },
    },
    event: { session: "a7", cwd: "/work/app", ...shell, hasFailed: true },
  },
  "Gemini CLI, the end of a turn": {
    named: "gemini-cli",
    input: { ...gemini, hook_event_name: "AfterAgent", prompt: "x", prompt_response: "Done.", stop_hook_active: false },
    event: { session: "a7", cwd: "/work/app", kind: "stop", isContinued: false, lastMessage: "Done." },
  },
  "Cursor, a prompt": {
    named: "cursor",
    input: {
      ...cursor,
      hook_event_name: "beforeSubmitPrompt",
      prompt: "why?",
      attachments: [],
      composer_mode: "agent",
    },
    event: { session: "c9", cwd: "/work/app", kind: "prompt", prompt: "why?" },
  },
  "Cursor, a failed command": {
    named: "cursor",
    input: {
      ...cursor,
      hook_event_name: "postToolUseFailure",
      tool_name: "Shell",
      tool_input: { command: "npm test" },
      error_message: "boom",
      failure_type: "error",
      cwd: "/work/app/sub",
    },
    event: { session: "c9", cwd: "/work/app", ...shell, hasFailed: true, output: "boom" },
  },
  "Cursor, the end of a turn that went on": {
    named: "cursor",
    input: { ...cursor, hook_event_name: "stop", status: "completed", loop_count: 1 },
    event: { session: "c9", cwd: "/work/app", kind: "stop", isContinued: true },
  },
  "Cursor, before a compaction": {
    named: "cursor",
    input: { ...cursor, hook_event_name: "preCompact", trigger: "auto", is_first_compaction: true },
    event: { session: "c9", cwd: "/work/app", kind: "compacting" },
  },
  "OpenCode, a failed command": {
    named: "opencode",
    input: {
      ...opencode,
      hook_event_name: "tool.execute.after",
      tool_name: "bash",
      tool_input: { command: "npm test" },
      tool_output: "boom",
      has_failed: true,
    },
    event: { session: "ses_1", cwd: "/work/app", ...shell, hasFailed: true, output: "boom" },
  },
  "OpenCode, after a compaction": {
    named: "opencode",
    input: { ...opencode, hook_event_name: "session.compacted" },
    event: { session: "ses_1", cwd: "/work/app", kind: "session-start", source: "compact" },
  },
};

describe("USE-4 events of clients", () => {
  it.each(Object.entries(cases))("USE-4 %s", (_, { named, input, env = {}, client = named, event }) => {
    const ofClaude = client === "claude-code" ? attended : {};
    const call = readCall(input, named, { ...ofClaude, ...env });
    expect([call?.client, call?.eventName]).toEqual([client, input["hook_event_name"]]);
    expect(call?.event).toMatchObject(event);
  });

  it.each([
    ["Claude Code before a compaction", "claude-code", { ...claude, hook_event_name: "PreCompact", trigger: "auto" }],
    ["Claude Code after a compaction", "claude-code", { ...claude, hook_event_name: "PostCompact", trigger: "auto" }],
    ["Gemini CLI before each request", "gemini-cli", { ...gemini, hook_event_name: "PreCompress", trigger: "auto" }],
    ["a client without a session", "claude-code", { cwd: "/work/app", hook_event_name: "Stop" }],
    ["a client in a folder that is none", "claude-code", { ...claude, cwd: "app", hook_event_name: "Stop" }],
    // Cursor runs them beside its own.
    ["Claude Code's hooks in Cursor", "claude-code", { ...cursor, hook_event_name: "beforeSubmitPrompt", prompt: "x" }],
  ])("USE-4 of %s nothing is answered", (_, named, input) => {
    expect(readCall(input, named, {})).toBeUndefined();
  });

  const answer = { context: "records", notice: "seen" };
  it.each([
    [
      "claude-code",
      "UserPromptSubmit",
      answer,
      {
        systemMessage: "seen",
        hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "records" },
      },
    ],
    // Not as an error: a decision to block would be shown as one.
    [
      "claude-code",
      "Stop",
      { question: "keep?" },
      { hookSpecificOutput: { hookEventName: "Stop", additionalContext: "keep?" } },
    ],
    [
      "codex",
      "UserPromptSubmit",
      answer,
      {
        systemMessage: "seen",
        hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "records" },
      },
    ],
    // Codex refuses hookSpecificOutput there.
    ["codex", "Stop", { question: "keep?" }, { decision: "block", reason: "keep?" }],
    [
      "gemini-cli",
      "BeforeAgent",
      answer,
      { systemMessage: "seen", hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "records" } },
    ],
    ["gemini-cli", "AfterAgent", { question: "keep?" }, { decision: "deny", reason: "keep?" }],
    ["gemini-cli", "AfterTool", {}, {}],
    ["cursor", "beforeSubmitPrompt", answer, { additional_context: "records", user_message: "seen" }],
    ["cursor", "stop", { question: "keep?" }, { followup_message: "keep?" }],
    ["cursor", "postToolUse", {}, {}],
    ["opencode", "chat.message", answer, { additional_context: "records", user_message: "seen" }],
    ["claude-code", "PostToolUse", {}, undefined],
    ["codex", "SessionEnd", {}, undefined],
  ] as const)("USE-15 %s takes the answer to %s in this form", (client, eventName, given, printed) => {
    expect(dialects[client].write(eventName, given)).toEqual(printed);
  });
});

describe("USE-15 which tools are ours", () => {
  it.each([
    ["mcp__recollect__write_memory", "write_memory"],
    ["mcp__plugin_recollect_recollect__store_in_memory", "store_in_memory"],
    ["mcp_recollect_recall_context", "recall_context"],
    ["recollect_search_memory", "search_memory"],
    ["MCP:store_in_memory", "store_in_memory"],
    ["MCP:write_memory", undefined],
    ["mcp__serena__write_memory", undefined],
    ["mcp_serena_write_memory", undefined],
    ["serena_edit_memory", undefined],
    ["write_memory", undefined],
  ])("USE-15 %s is read as %s", (tool_name, ours) => {
    const call = readCall(
      { ...codex, hook_event_name: "PostToolUse", tool_name, tool_response: "Stored x." },
      "codex",
      {},
    );
    expect(call?.event).toMatchObject(ours ? { tool: "memory", memoryTool: ours } : { tool: "other" });
  });
});

describe("USE-7 whether a person sits at a session", () => {
  const isAttended = (named: string, input: object, env: NodeJS.ProcessEnv = {}) =>
    readCall({ ...input }, named, env)?.isAttended();

  it("USE-7 Claude Code says it in the environment", () => {
    const stop = { ...claude, hook_event_name: "Stop" };
    expect(isAttended("claude-code", stop, attended)).toBe(true);
    expect(isAttended("claude-code", stop, { ...attended, CLAUDE_CODE_SESSION_ATTENDED: "0" })).toBe(false);
    expect(isAttended("claude-code", stop, { CLAUDECODE: "1" })).toBe(false);
  });

  it("USE-7 Codex names the program at the beginning of its transcript", () => {
    const transcript = (originator: string, source = "cli") => {
      const file = join(folders.make(), "rollout.jsonl");
      const payload = { id: "1", cwd: "/work/app", originator, cli_version: "0.145.0", source };
      writeFileSync(file, `${JSON.stringify({ type: "session_meta", payload })}\n`);
      return { ...codex, hook_event_name: "Stop", transcript_path: file };
    };
    for (const originator of ["codex_cli_rs", "codex-tui", "codex_vscode", "Codex Desktop"])
      expect(isAttended("codex", transcript(originator))).toBe(true);
    for (const originator of ["codex_exec", "codex_sdk_ts", "codex_mcp_server", "another"])
      expect(isAttended("codex", transcript(originator))).toBe(false);
    expect(isAttended("codex", transcript("codex_cli_rs", "exec"))).toBe(false);
    expect(isAttended("codex", { ...transcript("codex_cli_rs"), permission_mode: "bypassPermissions" })).toBe(false);
    expect(isAttended("codex", { ...codex, hook_event_name: "Stop" })).toBe(false);
  });

  it("USE-7 in Gemini CLI and OpenCode, what is not known is nobody", () => {
    expect(isAttended("gemini-cli", { ...gemini, hook_event_name: "AfterAgent", prompt: "x" })).toBe(false);
    expect(isAttended("opencode", { ...opencode, is_attended: undefined, hook_event_name: "session.idle" })).toBe(
      false,
    );
    expect(isAttended("opencode", { ...opencode, hook_event_name: "session.idle" })).toBe(true);
    expect(isAttended("cursor", { ...cursor, hook_event_name: "sessionStart" })).toBe(false);
  });
});
