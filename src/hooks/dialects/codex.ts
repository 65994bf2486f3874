import type { Dialect } from "../dialect.ts";
import { textOf } from "../fields.ts";
import { isCodexAttended } from "./attended.ts";
import { baseOf, hookSpecific, readEvent } from "./claude-code.ts";

/** Codex took over the events of Claude Code, without saying whether a command failed. */
export const codex: Dialect = {
  read: (input) => {
    const eventName = textOf(input["hook_event_name"]);
    const event = readEvent(eventName, input, baseOf(input));
    if (event === undefined) return undefined;
    return {
      eventName,
      event: event.kind === "tool" ? { ...event, hasFailed: undefined } : event,
      isAttended: () => isCodexAttended(input),
    };
  },
  write: (eventName, answer) =>
    // Its Stop knows no additional context: a reason to go on is the only way to ask.
    answer.question === undefined
      ? hookSpecific(eventName, answer)
      : {
          ...(answer.notice === undefined ? {} : { systemMessage: answer.notice }),
          decision: "block",
          reason: answer.question,
        },
};
