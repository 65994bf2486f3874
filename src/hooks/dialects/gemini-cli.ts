import type { Dialect } from "../dialect.ts";
import type { HookEvent } from "../event.ts";
import { type Fields, fieldsOf, textOf, wordsOf } from "../fields.ts";
import { readTool } from "../read-tool.ts";
import { isGeminiAttended } from "./attended.ts";

/** Outside of a terminal, Gemini CLI puts what a hook said at the start before the prompt that the next hook sees. */
const ownContext = /<hook_context>[\s\S]*?<\/hook_context>/g;

export const geminiCli: Dialect = {
  read: (input, env) => {
    const eventName = textOf(input["hook_event_name"]);
    const event = readEvent(eventName, input);
    return event && { eventName, event, isAttended: () => isGeminiAttended(input, env) };
  },
  write: (eventName, { context, notice, question }) => {
    // The client takes an empty output for a failure.
    const shown = notice === undefined ? {} : { systemMessage: notice };
    if (question !== undefined) return { ...shown, decision: "deny", reason: question };
    if (context === undefined) return shown;
    return { ...shown, hookSpecificOutput: { hookEventName: eventName, additionalContext: context } };
  },
};

function readEvent(eventName: string, input: Fields): HookEvent | undefined {
  const base = { session: textOf(input["session_id"]), cwd: textOf(input["cwd"]) };
  switch (eventName) {
    case "SessionStart": {
      const source = textOf(input["source"]);
      return { ...base, kind: "session-start", source: source === "resume" || source === "clear" ? source : "startup" };
    }
    case "BeforeAgent":
      return { ...base, kind: "prompt", prompt: textOf(input["prompt"]).replaceAll(ownContext, "").trim() };
    case "AfterTool": {
      const output = wordsOf(fieldsOf(input["tool_response"])["llmContent"]);
      const code = /(?:^|\n)Exit Code: (\d+)/.exec(output)?.[1];
      const tool = readTool({
        name: textOf(input["tool_name"]),
        input: input["tool_input"],
        output,
        hasFailed: code !== undefined && code !== "0",
      });
      return { ...base, ...tool };
    }
    case "AfterAgent":
      return {
        ...base,
        kind: "stop",
        isContinued: input["stop_hook_active"] === true,
        lastMessage: textOf(input["prompt_response"]),
      };
    case "SessionEnd":
      return { ...base, kind: "session-end" };
    default:
      return undefined;
  }
}
