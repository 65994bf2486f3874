import type { SyncContext } from "./sync.ts";
import { syncFailure } from "./sync-failure.ts";

/** Values that were purged here, so that a sync neither brings them back nor sends them (HIST-5). */
export interface PurgedCheck {
  /** Another one whenever the values are others: what was looked through before is looked through again then. */
  readonly key: string;
  /** What a text holds of them, in words that do not tell it; undefined where it holds none. */
  find(bytes: Uint8Array): string | undefined;
}

const atOnce = 200;

/** What any file, name or message of these revisions holds of purged values; undefined where it is nothing. */
export async function findPurged(
  { git, repository }: Pick<SyncContext, "git" | "repository">,
  values: Pick<PurgedCheck, "find">,
  revisions: readonly string[],
): Promise<string | undefined> {
  const printed = await git.run(["rev-list", "--objects", "--no-object-names", ...revisions, "--"]);
  const ids = printed
    .toString("utf8")
    .split("\n")
    .filter((id) => id !== "");
  for (let at = 0; at < ids.length; at += atOnce) {
    for (const bytes of await repository.objectsOf(ids.slice(at, at + atOnce))) {
      const found = values.find(bytes);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Stops where any revision that the remote brings holds a purged value. */
export async function assertUnpurged(
  context: SyncContext,
  theirs: string,
  checked: { readonly key: string; readonly tip: string } | undefined,
): Promise<{ readonly key: string; readonly tip: string } | undefined> {
  const values = context.purged?.();
  if (!values) return undefined;
  const known = checked?.key === values.key ? [`^${checked.tip}`] : [];
  if (checked?.tip === theirs && known.length > 0) return checked;
  const names = Buffer.from([...(await context.repository.treeOf(theirs)).keys()].join("\n"));
  const found = values.find(names) ?? (await findPurged(context, values, [theirs, ...known]));
  if (found !== undefined) throw syncFailure("purged", { data: { found } });
  return { key: values.key, tip: theirs };
}
