import type { SessionRecords, UserPlace } from "../app.ts";
import type { HookMemory } from "./hook-memory.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionsFolder } from "./sessions-folder.ts";
import type { HookSwitches } from "./switches.ts";

/** What one event is answered with: the state of its session, and the memory, which is opened when it is needed. */
export interface HookHost {
  readonly user: UserPlace;
  now(): number;
  readonly switches: HookSwitches;
  readonly folder: SessionsFolder;
  readonly log: SessionLog;
  readonly sessions: SessionRecords;
  withMemory<Result>(use: (memory: HookMemory) => Promise<Result>): Promise<Result>;
}
