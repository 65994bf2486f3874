import { appendLine, readLines, repositoryOf } from "../app.ts";
import type { HookAnswer, HookCall } from "./dialect.ts";
import type { StopEvent } from "./event.ts";
import { evidenceIn } from "./evidence.ts";
import { fieldsOf } from "./fields.ts";
import type { HookHost } from "./hook-host.ts";
import { mayAsk } from "./on-tool.ts";
import { questionOf } from "./question.ts";
import type { SessionEntry } from "./session-log.ts";

const weekMs = 7 * 24 * 60 * 60 * 1000;
const mostDeclines = 2;

interface Outcome {
  readonly t: "declined" | "recorded";
  readonly at: number;
}

/** At the end of a turn: asks once a session whether what happened in it is worth keeping. */
export async function onStop(event: StopEvent, call: HookCall, host: HookHost): Promise<HookAnswer> {
  const { log, switches, sessions } = host;
  if (event.subagent !== undefined) return {};
  if (switches.sessions && event.lastMessage !== "") {
    const { cleanText } = await import("./clean-text.ts");
    sessions.answered(event.session, cleanText(event.lastMessage, host));
  }
  const entries = log.entries();
  const file = host.folder.file("project", repositoryOf(event.cwd, host.user.home) ?? event.cwd);
  if (entries.some(({ t }) => t === "asked")) {
    noteOutcome(entries, host, file);
    return {};
  }
  if (event.isContinued || !mayAsk(host, call)) return {};
  const evidence = evidenceIn(entries);
  const last = evidence.at(-1);
  const needed = isWeary(file, host.now()) ? 2 : 1;
  if (last === undefined || evidence.length < needed || !log.claim("asked")) return {};
  return { question: questionOf(last) };
}

/** What became of the question, once: whether something was stored after it. */
function noteOutcome(entries: readonly SessionEntry[], { log, now }: HookHost, file: string): void {
  if (entries.some(({ t }) => t === "answered")) return;
  const asked = entries.findIndex(({ t }) => t === "asked");
  const isStored = entries.slice(asked).some(({ t }) => t === "stored");
  log.add({ t: "answered" });
  appendLine(file, { t: isStored ? "recorded" : "declined", at: now() } satisfies Outcome);
}

/** After two declines in a row, a week in which one sign is not enough. */
function isWeary(file: string, now: number): boolean {
  const last = readLines(file, isOutcome)
    .filter(({ at }) => at > now - weekMs)
    .slice(-mostDeclines);
  return last.length === mostDeclines && last.every(({ t }) => t === "declined");
}

function isOutcome(value: unknown): value is Outcome {
  const { t, at } = fieldsOf(value);
  return (t === "declined" || t === "recorded") && typeof at === "number";
}
