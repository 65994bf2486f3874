import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answerHook } from "../../src/hooks/answer-hook.ts";
import type { HookEvent } from "../../src/hooks/event.ts";
import { filesNamedIn } from "../../src/hooks/file-names.ts";
import type { HookHost } from "../../src/hooks/hook-host.ts";
import type { HookMemory } from "../../src/hooks/hook-memory.ts";
import { openSessionLog } from "../../src/hooks/session-log.ts";
import { openSessionsFolder } from "../../src/hooks/sessions-folder.ts";

/** A session as a script: ordinary work, or work from which the next session should know something. */
export interface ScriptedSession {
  readonly id: string;
  readonly label: "ordinary" | "planted";
  readonly flavour: string;
  readonly events: readonly ScriptedEvent[];
}

type ScriptedEvent =
  | { readonly kind: "recalled"; readonly name: string; readonly text: string }
  | (Partial<Extract<HookEvent, { kind: "tool" }>> & { readonly kind: Exclude<HookEvent["kind"], never> });

export interface Asked {
  readonly session: ScriptedSession;
  /** The questions at the ends of its turns, as they were put. */
  readonly questions: readonly string[];
}

export function readSessions(file: string): readonly ScriptedSession[] {
  const { sessions } = JSON.parse(readFileSync(file, "utf8")) as { readonly sessions: readonly ScriptedSession[] };
  return sessions;
}

/** Plays each session in a project of its own, with a person at it and an empty memory. */
export async function playAll(folder: string, sessions: readonly ScriptedSession[]): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const session of sessions) asked.push({ session, questions: await play(join(folder, session.id), session) });
  return asked;
}

async function play(folder: string, { id, events }: ScriptedSession): Promise<readonly string[]> {
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const host = openQuietHost(folder, id);
  const questions: string[] = [];
  for (const event of events) {
    if (event.kind === "recalled") {
      host.log.add({ t: "described", files: filesNamedIn(event.text).map(host.log.hash) });
      continue;
    }
    const whole = { command: "", files: [], output: "", hasFailed: undefined, ...event, session: id, cwd } as HookEvent;
    const call = { client: "claude-code", eventName: "", event: whole, isAttended: () => true } as const;
    const { question } = await answerHook(call, host);
    if (question === undefined) continue;
    questions.push(question);
    // The client goes on with it, and the model declines.
    const declined = { kind: "stop", session: id, cwd, isContinued: true, lastMessage: "Nothing to record." } as const;
    const again = await answerHook({ ...call, event: declined }, host);
    if (again.question !== undefined) questions.push(again.question);
  }
  return questions;
}

/** A memory that holds nothing, and no records of sessions: only what is asked is measured. */
function openQuietHost(folder: string, session: string): HookHost {
  const user = { home: folder, env: { HOME: folder }, platform: process.platform };
  const sessionsFolder = openSessionsFolder(user);
  const nothing = { isTrusted: true, judge: async () => [], search: async () => [], again: async () => [] };
  return {
    user,
    now: Date.now,
    folder: sessionsFolder,
    log: openSessionLog(sessionsFolder, session),
    sessions: { begun: () => undefined, changed: () => undefined, answered: () => undefined } as never,
    switches: {
      enabled: true,
      sessionStart: false,
      prompt: false,
      errors: false,
      compaction: true,
      subagents: false,
      ask: "attended",
      sessions: false,
      notices: true,
      guard: "standard",
    },
    withMemory: (use) => use(nothing as unknown as HookMemory),
  };
}
