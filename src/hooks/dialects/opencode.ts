import type { Dialect } from "../dialect.ts";
import type { HookEvent } from "../event.ts";
import { type Fields, textOf } from "../fields.ts";
import { readTool } from "../read-tool.ts";
import { baseOf } from "./claude-code.ts";

/** OpenCode runs plugins of JavaScript; ours gives its events this form and puts the answer in place. */
export const opencode: Dialect = {
  read: (input) => {
    const eventName = textOf(input["hook_event_name"]);
    const event = readEvent(eventName, input);
    return event && { eventName, event, isAttended: () => input["is_attended"] === true };
  },
  write: (_, { context, notice, question }) => ({
    ...(context === undefined ? {} : { additional_context: context }),
    ...(notice === undefined ? {} : { user_message: notice }),
    ...(question === undefined ? {} : { followup_message: question }),
  }),
};

function readEvent(eventName: string, input: Fields): HookEvent | undefined {
  const base = baseOf(input);
  switch (eventName) {
    case "session.created":
      return { ...base, kind: "session-start", source: "startup" };
    case "session.compacted":
      return { ...base, kind: "session-start", source: "compact" };
    case "chat.message":
      return { ...base, kind: "prompt", prompt: textOf(input["prompt"]) };
    case "tool.execute.after": {
      const failed = input["has_failed"];
      const tool = readTool({
        name: textOf(input["tool_name"]),
        input: input["tool_input"],
        output: input["tool_output"],
        hasFailed: typeof failed === "boolean" ? failed : undefined,
      });
      return { ...base, ...tool };
    }
    case "subagent.created":
      return { ...base, kind: "subagent-start" };
    case "session.idle": {
      const lastMessage = textOf(input["last_message"]);
      return { ...base, kind: "stop", isContinued: input["is_continued"] === true, lastMessage };
    }
    default:
      return undefined;
  }
}
