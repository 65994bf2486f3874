import { setTimeout as delay } from "node:timers/promises";
import type { ExistingPath } from "../../../kernel/document-path.ts";
import { RecollectError } from "../../../kernel/errors.ts";
import type { PurgeForms } from "../../../kernel/purge-forms.ts";
import { linkOf } from "../../../kernel/record-chain.ts";
import type { Trail, TrailPositions } from "../../../kernel/trail.ts";
import { dropAll } from "../drop-objects.ts";
import { type MirrorOptions, openMirror } from "../mirror.ts";
import { readCommits } from "../recorded-state.ts";
import { openRepository } from "../repository.ts";
import { createGit } from "../run-git.ts";
import { toTipNote } from "../tip-note.ts";
import { createRecordCleaner, type RecordCleaner } from "./clean-records.ts";
import { purgeMirror } from "./purge-mirror.ts";
import { type HistoryPlan, planHistory, rewriteHistory } from "./rewrite-history.ts";

export interface PurgeRootOptions {
  readonly trail: Trail;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly forms: PurgeForms;
  readonly stamp: { readonly author: string; readonly time: string; readonly fingerprint: string };
  /** How long to wait for another process that records. */
  readonly waitMs?: number;
  /** Where a second copy of the history is kept. */
  readonly mirror?: MirrorOptions | undefined;
}

export interface PurgedRoot {
  /** Documents that history had it in, under the names that they had, and in how many revisions. */
  readonly revisions: ReadonlyMap<string, number>;
  /** Folders whose records had to be written anew. */
  readonly journals: number;
  /** What could not be cleaned, in words. */
  readonly left: readonly string[];
}

const pollMs = 25;

/**
 * Takes a value out of the journals, kept bytes and history of one root; its documents are clean already. Journals
 * first: whoever is killed before history is rewritten has lost no record, since history has them all, and does it all
 * once more. Nobody records meanwhile.
 */
export async function purgeRoot(options: PurgeRootOptions): Promise<PurgedRoot> {
  const { trail, forms } = options;
  const records = createRecordCleaner(forms);
  const mirror = options.mirror && openMirror(options.mirror, options);
  const place = trail.existingPlace();
  if (place === undefined) {
    const { positions, left } = await rewriteJournals(options, records, undefined);
    const unclean = mirror ? await purgeMirror(mirror, undefined, options) : [];
    const journals = Object.keys(positions).length;
    return { revisions: new Map(), journals, left: [...left.map(toLeft), ...unclean] };
  }
  const alone = await holdAlone(options);
  try {
    const repository = openRepository(place);
    repository.check();
    const git = createGit({ folder: place, env: options.env, isShared: repository.isShared });
    const tip = repository.tip();
    const plan = tip === undefined ? undefined : await planHistory(tip, git, forms, records);
    const before = tip === undefined ? {} : (await readCommits(tip, git)).positions;
    const { positions, left } = await rewriteJournals(options, records, plan, before);
    const journals = Object.keys(positions).length;
    const isRewritten = plan !== undefined && (plan.isConcerned || journals > 0);
    if (isRewritten) {
      const record = { ...options.stamp, positions: withoutNames({ ...before, ...positions }, forms) };
      trail.noteTip(toTipNote(await rewriteHistory(plan, record, { repository, git, forms })));
    }
    await trail.removeEmpty((folder) => forms.cleanPath(folder) !== folder);
    const isClean = await dropAll({ repository, git, forms }, isRewritten);
    const unclean = mirror ? await purgeMirror(mirror, { repository, git }, options) : [];
    return {
      revisions: plan?.revisions ?? new Map(),
      journals,
      left: [
        ...left.map(toLeft),
        ...(isClean ? [] : ["history, where another process is at work: purge it again"]),
        ...unclean,
      ],
    };
  } finally {
    alone.release();
  }
}

/** Folders whose names must go hold no document any more: what is there now has a journal of its own. */
function withoutNames(positions: TrailPositions, forms: PurgeForms): TrailPositions {
  return Object.fromEntries(Object.entries(positions).filter(([folder]) => forms.cleanPath(folder) === folder));
}

function toLeft(folder: string): string {
  return `the journal of ${folder === "" ? "the folder itself" : `“${folder}”`}, which cannot be written`;
}

function rewriteJournals(
  { trail, forms, stamp }: PurgeRootOptions,
  records: RecordCleaner,
  plan: HistoryPlan | undefined,
  positions = {},
) {
  const links = new Set([...(plan?.lines ?? [])].flatMap((line) => linkOf(line) ?? []));
  return trail.rewrite(positions, {
    clean: forms.clean,
    cleanRecord: records.record,
    learn: records.learn,
    isKnown: (line) => links.has(linkOf(line) ?? ""),
    isConcerned: (folder) => plan?.concerned.has(folder) ?? false,
    mark: stamp,
  });
}

async function holdAlone({ trail, waitMs = 60_000 }: PurgeRootOptions): Promise<{ release(): void }> {
  const until = performance.now() + waitMs;
  for (;;) {
    const alone = trail.tryAlone();
    if (alone) return alone;
    if (performance.now() >= until) throw new RecollectError("BUSY", "Another process records history. Try again.");
    await delay(pollMs);
  }
}

/** Documents of a root that hold the value, in their text or their name. */
export function findInDocuments(trail: Trail, forms: PurgeForms): { path: ExistingPath; isInName: boolean }[] {
  return [...trail.survey()].flatMap(({ path }) => {
    const isInName = forms.cleanPath(path) !== path;
    const look = trail.look(path as ExistingPath);
    const isInText = look.kind === "document" && forms.isIn(look.bytes);
    return isInName || isInText ? [{ path: path as ExistingPath, isInName }] : [];
  });
}
