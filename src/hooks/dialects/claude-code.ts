import type { Dialect } from "../dialect.ts";
import type { EventBase, HookEvent } from "../event.ts";
import { type Fields, textOf } from "../fields.ts";
import { readTool } from "../read-tool.ts";

/** Claude Code tells its model of a finished task in the background as if the user had written that. */
const taskNotification = /^\s*<task-notification>/;
const sources = ["startup", "resume", "clear", "compact"] as const;

export const claudeCode: Dialect = {
  read: (input, env) => {
    const eventName = textOf(input["hook_event_name"]);
    const event = readEvent(eventName, input, baseOf(input));
    return event && { eventName, event, isAttended: () => env["CLAUDE_CODE_SESSION_ATTENDED"] === "1" };
  },
  write: hookSpecific,
};

/** The form of Claude Code, which Codex took over. */
export function hookSpecific(eventName: string, { context, notice, question }: Parameters<Dialect["write"]>[1]) {
  const told = question ?? context;
  if (told === undefined && notice === undefined) return undefined;
  return {
    ...(notice === undefined ? {} : { systemMessage: notice }),
    ...(told === undefined ? {} : { hookSpecificOutput: { hookEventName: eventName, additionalContext: told } }),
  };
}

export function baseOf(input: Fields): EventBase {
  const subagent = textOf(input["agent_id"]);
  return {
    session: textOf(input["session_id"]),
    cwd: textOf(input["cwd"]),
    ...(subagent === "" ? {} : { subagent }),
  };
}

export function readEvent(eventName: string, input: Fields, base: EventBase): HookEvent | undefined {
  const tool = (hasFailed: boolean | undefined, output: unknown) => ({
    ...base,
    ...readTool({ name: textOf(input["tool_name"]), input: input["tool_input"], output, hasFailed }),
  });
  switch (eventName) {
    case "SessionStart":
      return { ...base, kind: "session-start", source: sourceOf(input["source"]) };
    case "UserPromptSubmit": {
      const prompt = textOf(input["prompt"]);
      return taskNotification.test(prompt) ? undefined : { ...base, kind: "prompt", prompt };
    }
    case "PostToolUse":
      return tool(false, input["tool_response"]);
    case "PostToolUseFailure":
      return tool(true, input["error"]);
    case "Stop":
      return {
        ...base,
        kind: "stop",
        isContinued: input["stop_hook_active"] === true,
        lastMessage: textOf(input["last_assistant_message"]),
      };
    case "SubagentStart":
      return { ...base, kind: "subagent-start" };
    case "SessionEnd":
      return { ...base, kind: "session-end" };
    default:
      return undefined;
  }
}

function sourceOf(given: unknown): (typeof sources)[number] {
  return sources.find((source) => source === given) ?? "startup";
}
