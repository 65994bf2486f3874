import { setTimeout as delay } from "node:timers/promises";
import { isRecollectError, RecollectError } from "../../core/errors.ts";
import { type Log, noLog } from "../../core/log.ts";
import type { Trail, TrailRecord } from "../../core/trail.ts";
import { createPace } from "../pace.ts";
import type { CatchUp, CatchUpOptions, RootHistory } from "../root-history.ts";
import { quickFaults } from "../verify/quick-faults.ts";
import { acceptLoss, findLoss } from "./accept-loss.ts";
import { copyingSays, isCopying } from "./copying-mark.ts";
import { cutHistory } from "./cut-history.ts";
import { isLarge } from "./is-large.ts";
import { maintainRepository } from "./maintain.ts";
import { mendPacks } from "./mend-packs.ts";
import { isReadable, mendTip } from "./mend-tip.ts";
import { readContents } from "./read-contents.ts";
import { recordRuns } from "./record-runs.ts";
import { type RecordedState, readState } from "./recorded-state.ts";
import { openRepository, type Repository } from "./repository.ts";
import { createGit, type Git } from "./run-git.ts";
import { readSteadyLog } from "./steady-log.ts";
import { toTipNote } from "./tip-note.ts";

export interface GitHistoryOptions {
  readonly trail: Trail;
  /** Where programs are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long what was is kept; for ever without it. */
  readonly keepMs?: number | undefined;
  /** Told of what was damaged and mended. */
  readonly log?: Log;
  /** Records in a process of its own what is too much for this one; undefined where that did not come to its end. */
  readonly recordElsewhere?: ((waitMs: number) => Promise<CatchUp | undefined>) | undefined;
  /** So many documents of a root that history has never seen go with one run. */
  readonly importLimit?: number;
  /** Nobody waits any longer: whatever runs is ended, and leaves what is whole. */
  readonly over?: AbortSignal | undefined;
}

interface Opened {
  readonly repository: Repository;
  readonly git: Git;
}

const pollMs = 25;

/** The history of a root as a git repository in the root's own `.recollect` (docs/FORMAT.md). */
export function openGitHistory(options: GitHistoryOptions): RootHistory {
  const { trail, env, now, keepMs, log = noLog, recordElsewhere, importLimit, over } = options;
  let state: RecordedState | undefined;
  let running: Promise<CatchUp> | undefined;
  let maintaining: Promise<boolean> | undefined;
  let trimming: Promise<number> | undefined;
  let hasReleased = false;
  let hasSaid = false;
  const pace = createPace(over);

  function openAt(folder: string): Opened {
    const repository = openRepository(folder);
    return { repository, git: createGit({ folder, env, isShared: repository.isShared, over }) };
  }

  function sayDamaged(): void {
    if (hasSaid) return;
    hasSaid = true;
    const message = `The history of “${trail.root}” is damaged, and not all of it can be read; see: recollect verify`;
    log("warning", "history", { message });
  }

  /** Once: the next run has passed it over. */
  function sayLost([first, ...others]: readonly TrailRecord[]): void {
    if (!first) return;
    const more = others.length === 0 ? "" : ` The same goes for ${others.length} more.`;
    const message = `What ${first.author} wrote to “${first.path}” in “${trail.root}” at ${first.time} is not in history: the write was cut off, or the file was changed or removed before it was recorded.${more}`;
    log("warning", "history", { message });
  }

  /** Undefined where nothing was recorded yet. */
  function openToRead(): (Opened & { readonly tip: string }) | undefined {
    const folder = trail.existingPlace();
    const opened = folder === undefined ? undefined : openAt(folder);
    opened?.repository.check();
    const tip = opened?.repository.tip();
    return opened && tip !== undefined ? { ...opened, tip } : undefined;
  }

  async function catchUp(asked: CatchUpOptions): Promise<CatchUp> {
    const refusal = trail.refusal();
    if (refusal !== undefined) return { kind: "none", reason: refusal };
    if (isCopying(trail.existingPlace())) return { kind: "none", reason: copyingSays };
    try {
      if (trail.existingPlace() === undefined && (await isEmpty(trail))) return { kind: "recorded", operations: 0 };
      return await recordAsked(asked);
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === undefined) throw error;
      return { kind: "none", reason };
    }
  }

  async function recordAsked({ waitMs = 0, leavesMuch = false }: CatchUpOptions): Promise<CatchUp> {
    const until = performance.now() + waitMs;
    if (!(leavesMuch || recordElsewhere) || !(await isLarge(trail, pace))) return recordAlone(until);
    if (leavesMuch) return { kind: "none", reason: "There are too many documents to record them now." };
    // A hundred thousand documents are not kept in mind by a process that is there to answer.
    state = undefined;
    return (await recordElsewhere?.(waitMs)) ?? recordAlone(until);
  }

  async function recordAlone(until: number): Promise<CatchUp> {
    for (;;) {
      const alone = trail.tryAlone();
      if (alone) {
        try {
          // It may have begun, and have been cut off, while somebody else was at it.
          if (isCopying(trail.existingPlace())) return { kind: "none", reason: copyingSays };
          return { kind: "recorded", operations: await record() };
        } finally {
          alone.release();
        }
      }
      if (performance.now() >= until) return { kind: "busy" };
      await delay(pollMs);
    }
  }

  async function record(): Promise<number> {
    const opened = openAt(trail.place());
    const { repository, git } = opened;
    repository.ensure();
    repository.sweep();
    await mendPacks(repository, git, log);
    const context = { ...opened, trail, now, log };
    await mendTip(context);
    const tip = repository.tip();
    try {
      return await recordSince(opened);
    } catch (error) {
      // Where the end of history cannot be read, nothing can ever go on from it.
      if (!isDamage(error) || tip === undefined || (await isReadable(tip, git))) throw error;
      await mendTip(context, { isSuspect: true });
      state = undefined;
      return recordSince(opened);
    }
  }

  async function recordSince({ repository, git }: Opened): Promise<number> {
    const tip = repository.tip();
    const known = state?.tip === tip ? state : undefined;
    // Half of a run that fails would be in it.
    state = undefined;
    const current = known ?? (await readState(repository.folder, tip, { git, pace }));
    // Before there is any: a history without a note of it has lost it.
    const noted = trail.notedTip();
    const isUnknown = tip !== undefined && noted === toTipNote(undefined);
    if (noted === undefined || isUnknown) trail.noteTip(toTipNote(tip));
    const lost: TrailRecord[] = [];
    const onLost = (record: TrailRecord) => void lost.push(record);
    const context = { trail, repository, git, now, pace, importLimit, onLost };
    const recorded = await recordRuns(current, context, { releasesAll: !hasReleased });
    sayLost(lost);
    hasReleased = true;
    state = recorded.state;
    return recorded.operations;
  }

  /** Whoever cannot have the lock leaves it to the next time. */
  async function trim(): Promise<number> {
    const opened = keepMs === undefined || trail.refusal() !== undefined ? undefined : openToRead();
    const alone = opened && trail.tryAlone();
    if (!opened || !alone || keepMs === undefined) return 0;
    try {
      if (isCopying(opened.repository.folder)) return 0;
      const { repository, git } = opened;
      const context = { trail, repository, git, now, log };
      // What nothing names may be all that is left of what was lost, or was set back.
      await mendTip(context);
      const tip = repository.tip();
      if (tip === undefined || (await findLoss(tip, git))) return 0;
      return await cutHistory(keepMs, context);
    } finally {
      alone.release();
    }
  }

  return {
    root: trail.root,
    catchUp: async (asked = {}) => {
      // What was written after a run began may not be in it.
      await running?.catch(() => {});
      running ??= catchUp(asked).finally(() => {
        running = undefined;
      });
      return running;
    },
    log: (request) => readSteadyLog(request, openToRead, sayDamaged),
    contents: async (moments) => {
      const opened = openToRead();
      const found = opened ? await readContents(moments, opened.git) : moments.map(() => undefined);
      for (const [index, { path, rev }] of moments.entries()) {
        if (rev !== undefined && found[index] === undefined) throw unreadable(path);
      }
      return found;
    },
    maintain: async () => {
      maintaining ??= (async () => {
        const opened = openToRead();
        return opened ? maintainRepository(opened.repository, opened.git) : false;
      })().finally(() => {
        maintaining = undefined;
      });
      return maintaining;
    },
    trim: async () => {
      trimming ??= trim().finally(() => {
        trimming = undefined;
      });
      return trimming;
    },
    acceptLoss: async (author) => {
      const opened = openToRead();
      const alone = opened && trail.tryAlone();
      if (opened && !alone) throw new RecollectError("BUSY", "Another process records history. Try again.");
      try {
        return opened ? await acceptLoss(author, { ...opened, trail, now }) : false;
      } finally {
        alone?.release();
      }
    },
    status: async () => {
      const refusal = trail.refusal();
      const folder = trail.existingPlace();
      const opened = folder === undefined ? undefined : openAt(folder);
      const faults = refusal === undefined ? await quickFaults(trail, opened) : [];
      const leftOut = refusal === undefined ? trail.tooLarge() : [];
      return { refusal, bytes: opened?.repository.size() ?? 0, faults, leftOut };
    },
    close: async () => {
      await Promise.allSettled([running, maintaining, trimming]);
    },
  };
}

async function isEmpty(trail: Trail): Promise<boolean> {
  for (const _ of trail.survey()) return false;
  return (await trail.records({})).records.length === 0;
}

/** Where the log told of a revision that cannot be found: acting on nothing would take documents away. */
function unreadable(path: string): RecollectError {
  const says = `A revision of “${path}” cannot be read: history was rewritten just now, or is damaged.`;
  return new RecollectError("STORAGE_FAILED", `${says} Try again, or see: recollect verify`, { data: { path } });
}

/** What git could not do, and not for want of space or of git itself. */
function isDamage(error: unknown): boolean {
  return isRecollectError(error) && error.code === "STORAGE_FAILED" && error.data["missing"] !== "git";
}

/** Why no history can be kept, where that is no failure. */
function refusalOf(error: unknown): string | undefined {
  if (!isRecollectError(error)) return undefined;
  const isRefusal =
    ["READ_ONLY", "PERMISSION_DENIED", "NOT_FOUND"].includes(error.code) || error.data["missing"] === "git";
  return isRefusal ? error.message : undefined;
}
