import type { HookAnswer, HookCall } from "./dialect.ts";
import { giveRecords } from "./give-records.ts";
import type { HookHost } from "./hook-host.ts";
import { onStop } from "./on-stop.ts";
import { onTool } from "./on-tool.ts";
import { givenSince } from "./session-log.ts";
import { budgets } from "./token-budget.ts";

/** What a client is told of an event, by the same rules for all clients (USE-4). */
export async function answerHook(call: HookCall, host: HookHost): Promise<HookAnswer> {
  if (!host.switches.enabled) return {};
  const answer = await answerTo(call.event, call.client === "cursor" ? rememberAttended(call, host) : call, host);
  return host.switches.notices ? answer : { ...answer, notice: undefined };
}

/** Cursor says only at the start of a session whether a person sits at it. */
function rememberAttended(call: HookCall, { log }: HookHost): HookCall {
  if (call.event.kind === "session-start") log.add({ t: "begun", isAttended: call.isAttended() });
  const isAttended = () => log.entries().findLast((entry) => entry.t === "begun")?.isAttended === true;
  return { ...call, isAttended };
}

/** Most events are tools: what only the others need is loaded with them. */
async function answerTo(event: HookCall["event"], call: HookCall, host: HookHost): Promise<HookAnswer> {
  switch (event.kind) {
    case "session-start":
      return (await import("./on-session-start.ts")).onSessionStart(event, call, host);
    case "prompt":
      return (await import("./on-prompt.ts")).onPrompt(event, call, host);
    case "tool":
      return onTool(event, call, host);
    case "stop":
      return onStop(event, call, host);
    case "subagent-start":
      return onSubagentStart(host);
    case "compacting":
      host.log.add({ t: "compacted" });
      return {};
    case "session-end":
      host.folder.tidy(host.now());
      return {};
  }
}

/** A subagent begins without what its session was given. */
async function onSubagentStart(host: HookHost): Promise<HookAnswer> {
  const given = [...givenSince(host.log.entries()).values()];
  if (!host.switches.subagents || given.length === 0) return {};
  return host.withMemory(async (memory) => {
    const records = await memory.again(given.toReversed());
    const request = { occasion: "subagent", records, fullCount: 1, maxTokens: budgets.subagent } as const;
    // It has a budget and a conversation of its own.
    const log = { ...host.log, entries: () => [], claimRecords: (all: readonly never[]) => all };
    return { context: giveRecords({ ...host, log }, request)?.text };
  });
}
