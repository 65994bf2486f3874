import { isCorrection } from "./corrections.ts";
import type { HookAnswer, HookCall } from "./dialect.ts";
import type { PromptEvent } from "./event.ts";
import { filesNamedIn } from "./file-names.ts";
import { giveRecords, recalledNotice } from "./give-records.ts";
import type { HookHost } from "./hook-host.ts";
import type { HookMemory } from "./hook-memory.ts";
import type { MemoryRecord } from "./memory-record.ts";
import type { JudgedHit } from "./relevance.ts";
import { budgets } from "./token-budget.ts";
import { untrustedNotice } from "./untrusted-notice.ts";

const mostRecords = 3;

/** What fits a prompt: one record in full and the names of up to two more, or nothing. */
export async function onPrompt(
  event: PromptEvent,
  { client, isAttended }: HookCall,
  host: HookHost,
): Promise<HookAnswer> {
  const { log, switches, sessions, now } = host;
  if (event.subagent !== undefined || event.prompt.trim() === "") return {};
  // The first prompt of a session has nothing to correct.
  if (log.entries().some(({ t }) => t === "prompt") && isCorrection(event.prompt)) log.add({ t: "corrected" });
  log.add({ t: "prompt" });
  if (switches.sessions && !sessions.isBegun(event.session)) {
    const { cleanText } = await import("./clean-text.ts");
    sessions.begun(event.session, client, cleanText(event.prompt, host));
  }
  if (!switches.prompt) return {};
  return host.withMemory(async (memory) => {
    const records = await fittingRecords(await memory.judge(event.prompt, {}), memory);
    const framed = giveRecords(host, { occasion: "prompt", records, fullCount: 1, maxTokens: budgets.prompt });
    const untrusted = isAttended() ? await untrustedNotice(memory, host) : undefined;
    if (!framed) return { notice: untrusted };
    log.add({
      t: "described",
      files: framed.shown
        .slice(0, 1)
        .flatMap(({ text }) => filesNamedIn(text))
        .map(log.hash),
    });
    return { context: framed.text, notice: isAttended() ? recalledNotice(framed, now()) : undefined };
  });
}

/** The best of those that fit and may be put before a model. */
export async function fittingRecords(
  judged: readonly JudgedHit[],
  memory: Pick<HookMemory, "record">,
): Promise<readonly MemoryRecord[]> {
  const records: MemoryRecord[] = [];
  for (const { hit, fits } of judged) {
    if (records.length === mostRecords) break;
    const record = fits ? await memory.record(hit) : undefined;
    if (record && !records.some(({ id }) => id === record.id)) records.push(record);
  }
  return records;
}
