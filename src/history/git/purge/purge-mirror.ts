import { existsSync } from "node:fs";
import { isRecollectError } from "../../../kernel/errors.ts";
import type { PurgeForms } from "../../../kernel/purge-forms.ts";
import { dropAll, holdsValue } from "../drop-objects.ts";
import type { Mirror, OpenedRepository } from "../mirror.ts";
import { readCommits } from "../recorded-state.ts";
import { createRecordCleaner } from "./clean-records.ts";
import { planHistory, rewriteHistory } from "./rewrite-history.ts";

interface PurgeMirrorOptions {
  readonly forms: PurgeForms;
  readonly stamp: { readonly author: string; readonly time: string; readonly fingerprint: string };
}

/**
 * Takes a value out of the mirrors beside a folder's own, those of worktrees and former folders among them: their
 * branches are rewritten, since nobody else may ever come to do it. The folder's own branch follows its history, which
 * is clean by now; without a history beside the documents it is rewritten like the others. What could not be cleaned.
 */
export async function purgeMirror(
  mirror: Mirror,
  history: OpenedRepository | undefined,
  options: PurgeMirrorOptions,
): Promise<string[]> {
  const unclean = ["the second copy of history, which cannot be written: purge it again"];
  try {
    const { forms } = options;
    const holding: ReturnType<Mirror["all"]>[number][] = [];
    for (const one of mirror.all()) if (await holdsValue(one.git, forms)) holding.push(one);
    if (history && holding.length > 0) await mirror.forget();
    let isClean = true;
    for (const { git, repository, branches } of holding) {
      if (!existsSync(repository.folder)) continue;
      for (const branch of branches) await rewriteBranch({ repository: branch.repository, git }, options);
      isClean = (await dropAll({ repository, git, forms }, true)) && isClean;
    }
    if (history) await mirror.follow(history);
    return isClean ? [] : unclean;
  } catch (error) {
    if (isRecollectError(error) || (error instanceof Error && "code" in error)) return unclean;
    throw error;
  }
}

async function rewriteBranch({ repository, git }: OpenedRepository, { forms, stamp }: PurgeMirrorOptions) {
  const tip = repository.tip();
  const plan = tip === undefined ? undefined : await planHistory(tip, git, forms, createRecordCleaner(forms));
  if (tip === undefined || !plan?.isConcerned) return;
  const { positions } = await readCommits(tip, git);
  const clean = Object.fromEntries(Object.entries(positions).filter(([folder]) => forms.cleanPath(folder) === folder));
  await rewriteHistory(plan, { ...stamp, positions: clean }, { repository, git, forms });
}
