import { hasPurgedValues, userDataFolder } from "../app.ts";
import type { HookAnswer, HookCall } from "./dialect.ts";
import type { ToolEvent } from "./event.ts";
import { evidenceIn } from "./evidence.ts";
import { isPlainName, namesOfFile } from "./file-names.ts";
import { giveRecords, recalledNotice } from "./give-records.ts";
import type { HookHost } from "./hook-host.ts";
import { findKnownError } from "./known-error.ts";
import { tellingLines } from "./normalise-error.ts";
import { mentionOf } from "./question.ts";
import { filesIn, isChanging, isTest, programsOf, showsItsErrors } from "./read-command.ts";
import { budgets } from "./token-budget.ts";

const storing: ReadonlySet<string> = new Set(["store_in_memory", "write_memory", "append_memory", "edit_memory"]);
/** As our tools begin where nothing fits, also within structured content. */
const foundNothing = /^\W*(?:text\W+)?(?:nothing|no (?:notes|lessons|records|results))\b/i;
const finding: ReadonlySet<string> = new Set(["search_memory", "recall_context"]);

/** So many lines of an error tell it from others. */
const mostLines = 4;

/** Collects evidence, and answers a failed command whose error is on record. */
export async function onTool(event: ToolEvent, call: HookCall, host: HookHost): Promise<HookAnswer> {
  switch (event.tool) {
    case "memory":
      return onMemoryTool(event, call, host);
    case "edit":
      return onEdit(event, host);
    case "shell":
      return onCommand(event, call, host);
    default:
      return {};
  }
}

function onMemoryTool({ memoryTool = "", hasFailed, output }: ToolEvent, { isAttended }: HookCall, { log }: HookHost) {
  if (finding.has(memoryTool) && foundNothing.test(output)) log.add({ t: "missed" });
  if (!storing.has(memoryTool) || hasFailed) return {};
  log.add({ t: "stored" });
  const name = /(?:Stored(?: in)?|Memory|stored) `?([\w./›-]+)/.exec(output)?.[1]?.replace(/\.$/, "");
  return {
    notice: isAttended() ? `Recollect: stored ${name ?? "a record"}. Take it back: recollect undo` : undefined,
  };
}

async function onEdit({ session, cwd, files, subagent, hasFailed }: ToolEvent, host: HookHost): Promise<HookAnswer> {
  const { log, sessions, switches } = host;
  if (hasFailed || files.length === 0) return {};
  if (subagent === undefined)
    log.add({ t: "edited", files: files.flatMap((file) => namesOfFile(file, cwd)).map(log.hash) });
  if (switches.sessions) {
    const clean = await cleanNames(
      files.map((file) => namesOfFile(file, cwd)[0] ?? file),
      host,
    );
    if (clean.length > 0) sessions.changed(session, clean);
  }
  return {};
}

async function cleanNames(names: readonly string[], host: HookHost): Promise<readonly string[]> {
  if (names.every(isPlainName) && !hasPurgedValues(userDataFolder(host.user))) return names;
  const { cleanText } = await import("./clean-text.ts");
  return names.map((name) => cleanText(name, host)).filter((name) => name !== "");
}

async function onCommand(event: ToolEvent, call: HookCall, host: HookHost): Promise<HookAnswer> {
  const { log, switches, now } = host;
  const { command, hasFailed, output } = event;
  const isOwn = event.subagent === undefined;
  const lines = hasFailed === false && !showsItsErrors(command) ? [] : tellingLines(output, mostLines);
  const run = {
    programs: programsOf(command).map(log.hash),
    command: log.hash(command.trim()),
    errors: lines.map(log.hash),
    isTest: isTest(command),
  };
  if (hasFailed === false) {
    if (isOwn) log.add({ t: "passed", ...run });
    if (isOwn && isChanging(command)) {
      const files = filesIn(command).flatMap((file) => namesOfFile(file, event.cwd));
      log.add({ t: "tried", files: files.map(log.hash) });
    }
    return isOwn && mayAsk(host, call) ? mention(host) : {};
  }
  if (lines.length === 0) return {};
  // A client that does not tell failure from success gives no evidence, but its error may be on record.
  if (hasFailed && isOwn) log.add({ t: "failed", ...run });
  if (!switches.errors) return {};
  return host.withMemory(async (memory) => {
    const record = await findKnownError(memory, lines);
    const framed =
      record && giveRecords(host, { occasion: "failure", records: [record], fullCount: 1, maxTokens: budgets.failure });
    return framed
      ? { context: framed.text, notice: call.isAttended() ? recalledNotice(framed, now()) : undefined }
      : {};
  });
}

/** Once a session, and only where nothing was stored since. */
function mention({ log }: HookHost): HookAnswer {
  const entries = log.entries();
  if (entries.some(({ t }) => t === "mentioned" || t === "asked")) return {};
  const last = evidenceIn(entries).at(-1);
  const text = last && mentionOf(last);
  return text !== undefined && log.claim("mentioned") ? { context: text } : {};
}

export function mayAsk(
  { switches }: Pick<HookHost, "switches">,
  { isAttended }: Pick<HookCall, "isAttended">,
): boolean {
  return switches.ask === "always" || (switches.ask === "attended" && isAttended());
}
