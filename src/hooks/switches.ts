import { readFileSync, statSync } from "node:fs";
import { type GuardPolicy, type UserPlace, userSettingsFile } from "../app.ts";

/** What the user wants of hooks: the settings `hooks.*`, and how careful to be with what is kept of a session. */
export interface HookSwitches {
  readonly enabled: boolean;
  readonly sessionStart: boolean;
  readonly prompt: boolean;
  readonly errors: boolean;
  readonly compaction: boolean;
  readonly subagents: boolean;
  readonly ask: "attended" | "always" | "never";
  readonly sessions: boolean;
  readonly notices: boolean;
  readonly guard: GuardPolicy;
}

/** As in the table of settings, which takes longer to load than most hooks take. */
const defaultSwitches: HookSwitches = {
  enabled: true,
  sessionStart: true,
  prompt: true,
  errors: true,
  compaction: true,
  subagents: true,
  ask: "attended",
  sessions: true,
  notices: true,
  guard: "standard",
};

const ofHooks = /hooks|guard/;

/** They are the user's own: a project's file cannot change them, and need not be read. */
export async function readSwitches(cwd: string, user: UserPlace): Promise<HookSwitches> {
  const isInEnvironment = Object.keys(user.env).some((name) => /^RECOLLECT_(?:HOOKS|GUARD)/.test(name));
  if (!isInEnvironment && !mayConcernHooks(userSettingsFile(user))) return defaultSwitches;
  const { readHookSettings } = await import("./hook-settings.ts");
  return readHookSettings(cwd, user);
}

/** What is no plain file, or cannot be read, is left to who reads settings with care. */
function mayConcernHooks(file: string): boolean {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat !== undefined && (!stat.isFile() || ofHooks.test(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error) return error.code !== "ENOTDIR";
    throw error;
  }
}
