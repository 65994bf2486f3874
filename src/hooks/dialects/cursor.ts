import type { Dialect } from "../dialect.ts";
import type { HookEvent } from "../event.ts";
import { type Fields, textOf } from "../fields.ts";
import { readTool } from "../read-tool.ts";

export const cursor: Dialect = {
  read: (input) => {
    const eventName = textOf(input["hook_event_name"]);
    const event = readEvent(eventName, input);
    return event && { eventName, event, isAttended: () => input["is_background_agent"] === false };
  },
  // The client takes an empty output for a failure.
  write: (_, { context, notice, question }) => ({
    ...(context === undefined ? {} : { additional_context: context }),
    ...(notice === undefined ? {} : { user_message: notice }),
    ...(question === undefined ? {} : { followup_message: question }),
  }),
};

function readEvent(eventName: string, input: Fields): HookEvent | undefined {
  const folders = Array.isArray(input["workspace_roots"]) ? input["workspace_roots"] : [];
  const base = {
    session: textOf(input["session_id"]) || textOf(input["conversation_id"]),
    cwd: textOf(folders[0]) || textOf(input["cwd"]),
  };
  const tool = (hasFailed: boolean, output: unknown) => ({
    ...base,
    ...readTool({ name: textOf(input["tool_name"]), input: input["tool_input"], output, hasFailed }),
  });
  switch (eventName) {
    case "sessionStart":
      return { ...base, kind: "session-start", source: "startup" };
    case "beforeSubmitPrompt":
      return { ...base, kind: "prompt", prompt: textOf(input["prompt"]) };
    case "postToolUse":
      return tool(false, input["tool_output"]);
    case "postToolUseFailure":
      return tool(true, input["error_message"]);
    case "stop":
      return { ...base, kind: "stop", isContinued: Number(input["loop_count"]) > 0, lastMessage: "" };
    case "subagentStart":
      return { ...base, kind: "subagent-start" };
    case "preCompact":
      return { ...base, kind: "compacting" };
    case "sessionEnd":
      return { ...base, kind: "session-end" };
    default:
      return undefined;
  }
}
