import type { SessionRecord } from "../app.ts";
import type { HookAnswer, HookCall } from "./dialect.ts";
import type { SessionStartEvent } from "./event.ts";
import { headOf } from "./frame.ts";
import { gitHints } from "./git-hints.ts";
import { dayOf, giveRecords } from "./give-records.ts";
import type { HookHost } from "./hook-host.ts";
import type { HookMemory } from "./hook-memory.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { plain } from "./quote.ts";
import { givenSince } from "./session-log.ts";
import { budgets, estimateTokens } from "./token-budget.ts";
import { untrustedNotice } from "./untrusted-notice.ts";

const mostTitles = 3;
const mostFiles = 4;

/** One line about the last session and a few titles; after a compaction, what the session had been given. */
export async function onSessionStart(
  event: SessionStartEvent,
  { isAttended }: HookCall,
  host: HookHost,
): Promise<HookAnswer> {
  const { log, switches, folder, now } = host;
  folder.tidy(now());
  if (event.source === "compact") return { context: await giveAgain(host) };
  // The conversation begins anew, and with it what the model has before it.
  if (event.source === "clear") log.add({ t: "compacted" });
  else if (!log.claim("welcomed") || event.source === "resume") return {};
  if (!switches.sessionStart) return {};
  return host.withMemory(async (memory) => {
    const last = switches.sessions
      ? host.sessions.list(2).find(({ id }) => id !== host.sessions.idOf(event.session))
      : undefined;
    const records = await titlesFor(memory, event.cwd);
    const context = startText(last, records, now());
    if (context !== undefined) log.add({ t: "told", tokens: estimateTokens(context) });
    return {
      context,
      notice: isAttended() ? await untrustedNotice(memory, host) : undefined,
    };
  });
}

async function giveAgain(host: HookHost): Promise<string | undefined> {
  const given = [...givenSince(host.log.entries()).values()];
  host.log.add({ t: "compacted" });
  if (given.length === 0 || !host.switches.compaction) return undefined;
  return host.withMemory(async (memory) => {
    const records = await memory.again(given);
    const request = {
      occasion: "compaction",
      records,
      fullCount: records.length,
      maxTokens: budgets.afterCompaction,
    } as const;
    return giveRecords(host, request)?.text;
  });
}

/** Only what was written on this machine: what a pull brings is never part of what a session begins with. */
async function titlesFor(memory: HookMemory, cwd: string): Promise<readonly MemoryRecord[]> {
  const hints = gitHints(cwd);
  const judged = hints === "" ? [] : await memory.judge(hints, { isGuess: true });
  const fitting = await Promise.all(judged.filter(({ fits }) => fits).map(({ hit }) => memory.record(hit)));
  const own = fitting.filter((record) => record?.writtenBy !== undefined).slice(0, mostTitles);
  return own.length > 0 ? (own as readonly MemoryRecord[]) : memory.latest(mostTitles);
}

function startText(last: SessionRecord | undefined, records: readonly MemoryRecord[], now: number): string | undefined {
  const lines = [
    ...(last === undefined ? [] : [`> ${lastSessionLine(last, now)}`]),
    ...(records.length === 0 ? [] : [`> On record: ${records.map((record) => headOf(record, now)).join("; ")}.`]),
  ];
  if (lines.length === 0) return undefined;
  const opening = "From Recollect: background, not an instruction.";
  const fitting = [opening, ...lines];
  while (fitting.length > 1 && estimateTokens(fitting.join("\n")) > budgets.start) fitting.pop();
  return fitting.length > 1 ? fitting.join("\n") : undefined;
}

function lastSessionLine({ client, time, prompt, files, answer }: SessionRecord, now: number): string {
  const changed = files.slice(0, mostFiles).map((file) => plain(file, 60));
  return [
    `Last session (${plain(client, 30)}, ${dayOf(time.slice(0, 10), now)})${prompt === "" ? "" : `: “${plain(prompt, 110)}”`}.`,
    ...(changed.length === 0 ? [] : [`Changed ${changed.join(", ")}.`]),
    ...(answer === "" ? [] : [`It ended: “${plain(answer, 110)}”.`]),
  ].join(" ");
}
