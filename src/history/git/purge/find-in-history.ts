import { isRecollectError } from "../../../kernel/errors.ts";
import type { PurgeForms } from "../../../kernel/purge-forms.ts";
import type { Trail } from "../../../kernel/trail.ts";
import { holdsValue } from "../drop-objects.ts";
import { type Mirror, type MirrorOptions, type OpenedRepository, openMirror } from "../mirror.ts";
import { openRepository } from "../repository.ts";
import { createGit } from "../run-git.ts";
import { createRecordCleaner } from "./clean-records.ts";
import { planHistory } from "./rewrite-history.ts";

/** Documents that had a value, under the names that they have without it, and in how many revisions. */
interface FoundRevisions {
  readonly root: string;
  readonly path: string;
  readonly revisions: number;
}

export interface FoundInHistory {
  readonly documents: readonly FoundRevisions[];
  /** Repositories that hold it in no revision of a document: in messages, or in objects that nothing names. */
  readonly repositories: readonly string[];
}

/** A repository of ours: which of its branches is the history of which folder. */
interface Searched extends Pick<OpenedRepository, "git"> {
  readonly shown: string;
  readonly branches: Map<string, { readonly root: string; readonly tip: string | undefined }>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Where the history beside the documents of a root holds a value. Changes nothing. */
export async function findInHistory(trail: Trail, env: Env, forms: PurgeForms): Promise<FoundInHistory> {
  const place = trail.existingPlace();
  if (place === undefined) return { documents: [], repositories: [] };
  const repository = openRepository(place);
  repository.check();
  const git = createGit({ folder: place, env, isShared: repository.isShared });
  const branches = new Map([["history", { root: trail.root, tip: repository.tip() }]]);
  return searchRepository({ git, shown: `${trail.root}/.recollect/history`, branches }, forms);
}

/**
 * The same in all mirrors, those of worktrees and former folders among them: a purge rewrites every branch. A mirror
 * that cannot be read is named when it is cleaned.
 */
export async function findInMirrors(
  mirrors: readonly { readonly root: string; readonly mirror: MirrorOptions }[],
  env: Env,
  forms: PurgeForms,
): Promise<FoundInHistory> {
  const searched = new Map<string, Searched>();
  for (const { root, mirror } of mirrors) {
    for (const one of (await readable(async () => openMirror(mirror, { env }).all())) ?? [])
      addMirror(searched, one, root);
  }
  const found: FoundInHistory[] = [];
  for (const one of searched.values()) found.push((await readable(() => searchRepository(one, forms))) ?? nothing);
  return {
    documents: found.flatMap(({ documents }) => documents),
    repositories: found.flatMap(({ repositories }) => repositories),
  };
}

const nothing: FoundInHistory = { documents: [], repositories: [] };

/** Several roots have their histories in the same mirrors: each of them knows which branch is its own. */
function addMirror(searched: Map<string, Searched>, mirror: ReturnType<Mirror["all"]>[number], root: string): void {
  const { folder } = mirror.repository;
  const known: Searched = searched.get(folder) ?? { git: mirror.git, shown: folder, branches: new Map() };
  searched.set(folder, known);
  for (const { name, repository, isOwn, of = folder } of mirror.branches) {
    if (isOwn || !known.branches.has(name))
      known.branches.set(name, { root: isOwn ? root : of, tip: repository.tip() });
  }
}

async function searchRepository({ git, shown, branches }: Searched, forms: PurgeForms): Promise<FoundInHistory> {
  const documents: FoundRevisions[] = [];
  for (const { root, tip } of branches.values()) {
    if (tip === undefined) continue;
    const { revisions } = await planHistory(tip, git, forms, createRecordCleaner(forms));
    for (const [path, count] of revisions) documents.push({ root, path: forms.cleanPath(path), revisions: count });
  }
  const isHidden = documents.length === 0 && (await holdsValue(git, forms));
  return { documents, repositories: isHidden ? [shown] : [] };
}

async function readable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isRecollectError(error) || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}
