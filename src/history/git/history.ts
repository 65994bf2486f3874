import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { type Log, noLog } from "../../kernel/log.ts";
import type { CatchUp, CatchUpOptions, RootHistory } from "../../kernel/root-history.ts";
import type { Trail, TrailRecord } from "../../kernel/trail.ts";
import { createPace } from "../pace.ts";
import { acceptLoss, findLoss } from "./accept-loss.ts";
import { bringBack } from "./bring-back.ts";
import { copyingSays, isCopying } from "./copying-mark.ts";
import { cutHistory } from "./cut-history.ts";
import { isLarge } from "./is-large.ts";
import { joinLost } from "./join-history.ts";
import { readLost } from "./lost-note.ts";
import { maintainRepository } from "./maintain.ts";
import { mendPacks, remakeDerived } from "./mend-packs.ts";
import { isReadable, type MendContext, mendTip } from "./mend-tip.ts";
import { type MirrorOptions, type OpenedRepository, openMirror } from "./mirror.ts";
import { quickFaults } from "./quick-faults.ts";
import { readContents } from "./read-contents.ts";
import { recordRuns } from "./record-runs.ts";
import { type RecordedState, readState } from "./recorded-state.ts";
import { openRepository } from "./repository.ts";
import { createGit } from "./run-git.ts";
import { readSteadyLog } from "./steady-log.ts";
import { parseTipNote, toTipNote } from "./tip-note.ts";
import { findVanished } from "./vanished.ts";

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
  /** Starts a process that records after this one has ended. */
  readonly recordLater?: (() => Promise<void>) | undefined;
  /** Where a second copy is kept (ONE-3); none without it. */
  readonly mirror?: MirrorOptions | undefined;
  /** So many documents of a root that history has never seen go with one run. */
  readonly importLimit?: number;
  /** Nobody waits any longer: whatever runs is ended, and leaves what is whole. */
  readonly over?: AbortSignal | undefined;
}

const pollMs = 25;

/** The history of a root as a git repository in the root's own `.recollect` (docs/FORMAT.md). */
export function openGitHistory(options: GitHistoryOptions): RootHistory {
  const { trail, env, now, keepMs, log = noLog, recordElsewhere, recordLater, importLimit, over } = options;
  let state: RecordedState | undefined;
  let running: Promise<CatchUp> | undefined;
  let maintaining: Promise<boolean> | undefined;
  let trimming: Promise<number> | undefined;
  let hasReleased = false;
  let hasSaid = false;
  let hasRepaired = false;
  const mirror = options.mirror && openMirror(options.mirror, { env, over });
  const mirrored = options.mirror && mirror && { mirror, folder: options.mirror.folder, env };
  const pace = createPace(over);

  function openAt(folder: string): OpenedRepository {
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

  /** Undefined where nothing was recorded yet. Where nothing is beside the documents, the mirror is read. */
  function openToRead(): (OpenedRepository & { readonly tip: string }) | undefined {
    const folder = trail.existingPlace();
    if (folder === undefined && trail.refusal() === undefined) return mirror?.open();
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
      if (trail.existingPlace() === undefined && !canBringBack() && (await isEmpty(trail))) {
        return { kind: "recorded", operations: 0 };
      }
      return await recordAsked(asked);
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === undefined) throw error;
      return { kind: "none", reason };
    }
  }

  /** A folder that is gone is not made again by who only reads: it reads the mirror itself. */
  function canBringBack(): boolean {
    return options.mirror !== undefined && existsSync(options.mirror.folder) && mirror?.tip() !== undefined;
  }

  async function recordAsked({ waitMs = 0, leavesMuch = false }: CatchUpOptions): Promise<CatchUp> {
    const until = performance.now() + waitMs;
    if (!(leavesMuch || recordElsewhere) || !(await isLarge(trail, pace))) return recordAlone(until);
    if (leavesMuch) {
      await recordLater?.();
      return { kind: "none", reason: "There are too many documents to record them now." };
    }
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
    const context = { ...opened, trail, now, log, pull: mirror && (() => mirror.pull(opened)) };
    if (mirror) await bringBack(mirror, context);
    await mendTip(context);
    const lost = readLost(repository.folder);
    if (lost) await joinLost(lost, context);
    const { since, operations } = await recordOrMend(context);
    await mirror?.follow(opened, since);
    return operations;
  }

  /** What it goes on from, where that is sure. */
  async function recordOrMend(
    context: MendContext,
  ): Promise<{ readonly since?: string | undefined; operations: number }> {
    const tip = context.repository.tip();
    try {
      return { since: tip, operations: await recordSince(context) };
    } catch (error) {
      // Where the end of history cannot be read, nothing can ever go on from it.
      if (!isDamage(error) || tip === undefined || (await isReadable(tip, context.git))) throw error;
      await mendTip(context, { isSuspect: true });
      state = undefined;
      return { operations: await recordSince(context) };
    }
  }

  async function recordSince({ repository, git }: OpenedRepository): Promise<number> {
    const tip = repository.tip();
    const known = state?.tip === tip ? state : undefined;
    // Half of a run that fails would be in it.
    state = undefined;
    const current = known ?? (await readState(repository.folder, tip, { git, pace }));
    // Before there is any: a history without a note of it has lost it. One that says nothing is as good as none.
    const noted = parseTipNote(trail.notedTip() ?? "");
    if (!noted || (tip !== undefined && noted.tip === undefined)) trail.noteTip(toTipNote(tip));
    const lost: TrailRecord[] = [];
    const onLost = (record: TrailRecord) => void lost.push(record);
    const context = { trail, repository, git, now, pace, importLimit, onLost };
    const recorded = await recordRuns(current, context, { releasesAll: !hasReleased });
    sayLost(lost);
    hasReleased = true;
    state = recorded.state;
    return recorded.operations;
  }

  /** What could not be read is read once more after everything that can be repaired was. */
  async function orRepaired<Answer>(read: () => Promise<Answer>, isDamaged = () => false): Promise<Answer> {
    try {
      const answer = await read();
      return isDamaged() && (await repair()) ? await read() : answer;
    } catch (error) {
      if (!isDamage(error) || !(await repair())) throw error;
      return read();
    }
  }

  /** Once. False where another process is at work, or nothing can be done. */
  async function repair(): Promise<boolean> {
    if (hasRepaired || trail.refusal() !== undefined) return false;
    hasRepaired = true;
    const place = trail.existingPlace();
    if (place === undefined && mirror) {
      await mirror.repair();
      return true;
    }
    const alone = place === undefined ? undefined : trail.tryAlone();
    if (place === undefined || !alone) return false;
    try {
      const opened = openAt(place);
      opened.repository.check();
      await remakeDerived(opened.repository, opened.git);
      await mirror?.pull(opened);
      return true;
    } finally {
      alone.release();
    }
  }

  /** Whether something was lost that nobody has said to know of. */
  async function hasLoss({ tip, git, repository }: OpenedRepository & { readonly tip: string }): Promise<boolean> {
    if (await findLoss(tip, git)) return true;
    const beside = trail.existingPlace() === undefined ? undefined : { repository, git };
    return (await findVanished(trail, beside, mirrored)) !== undefined;
  }

  /** Whoever cannot have the lock leaves it to the next time. */
  async function trim(): Promise<number> {
    const isAsked = keepMs !== undefined && trail.refusal() === undefined && trail.existingPlace() !== undefined;
    const opened = isAsked ? openToRead() : undefined;
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
      const dropped = await cutHistory(keepMs, context);
      if (dropped > 0) await mirror?.follow(opened);
      return dropped;
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
    log: async (request) => {
      let isDamaged = false;
      const read = () => {
        isDamaged = false;
        return readSteadyLog(request, openToRead, () => {
          isDamaged = true;
        });
      };
      const page = await orRepaired(read, () => isDamaged);
      if (isDamaged) sayDamaged();
      return page;
    },
    contents: (moments) =>
      orRepaired(async () => {
        const opened = openToRead();
        const found = opened ? await readContents(moments, opened.git) : moments.map(() => undefined);
        for (const [index, { path, rev }] of moments.entries()) {
          if (rev !== undefined && found[index] === undefined) throw unreadable(path);
        }
        return found;
      }),
    maintain: async () => {
      maintaining ??= (async () => {
        // What was written is recorded by then: nothing failed.
        if (over?.aborted) return false;
        const opened = trail.existingPlace() === undefined ? undefined : openToRead();
        const isDone = opened ? await maintainRepository(opened.repository, opened.git) : false;
        await mirror?.maintain();
        return isDone;
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
      if (!opened || !(await hasLoss(opened))) return false;
      const isBeside = trail.existingPlace() !== undefined;
      const alone = isBeside ? trail.tryAlone() : undefined;
      if (isBeside && !alone) throw new RecollectError("BUSY", "Another process records history. Try again.");
      try {
        await acceptLoss(author, { ...opened, noteTip: isBeside ? trail.noteTip : () => {}, now });
        if (isBeside) await mirror?.follow(opened);
        return true;
      } finally {
        alone?.release();
      }
    },
    status: async () => {
      const refusal = trail.refusal();
      const folder = trail.existingPlace();
      const opened = folder === undefined ? undefined : openAt(folder);
      const faults = refusal === undefined ? await quickFaults(trail, opened, mirrored) : [];
      const leftOut = refusal === undefined ? trail.tooLarge() : [];
      const remark = refusal === undefined ? mirror?.remark(opened?.repository.tip()) : undefined;
      const remarks = remark === undefined ? [] : [remark];
      return { refusal, bytes: opened?.repository.size() ?? 0, faults, leftOut, remarks };
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
