import type { SyncContext } from "./sync.ts";
import { syncFailure } from "./sync-failure.ts";

/** Values that were purged here, so that a sync does not bring them back (HIST-5). */
export interface PurgedCheck {
  /** Another one whenever the values are others: what was looked through before is looked through again then. */
  readonly key: string;
  /** What a text holds of them, in words that do not tell it; undefined where it holds none. */
  find(bytes: Uint8Array): string | undefined;
}

const atOnce = 200;

/** Stops where any file of any revision that the remote brings holds a purged value. */
export async function assertUnpurged(
  { git, repository, purged }: SyncContext,
  theirs: string,
  checked: { readonly key: string; readonly tip: string } | undefined,
): Promise<{ readonly key: string; readonly tip: string } | undefined> {
  const values = purged?.();
  if (!values) return undefined;
  const known = checked?.key === values.key ? [`^${checked.tip}`] : [];
  if (checked?.tip === theirs && known.length > 0) return checked;
  const args = ["rev-list", "--objects", "--no-object-names", "--filter=object:type=blob", "--filter-provided-objects"];
  const ids = (await git.run([...args, theirs, ...known]))
    .toString("utf8")
    .split("\n")
    .filter((id) => id !== "");
  const names = Buffer.from([...(await repository.treeOf(theirs)).keys()].join("\n"));
  const named = values.find(names);
  if (named !== undefined) throw syncFailure("purged", { data: { found: named } });
  for (let at = 0; at < ids.length; at += atOnce) {
    for (const bytes of (await repository.contentsOf(ids.slice(at, at + atOnce))).values()) {
      const found = values.find(bytes);
      if (found !== undefined) throw syncFailure("purged", { data: { found } });
    }
  }
  return { key: values.key, tip: theirs };
}
