import type { Finding } from "../guard/finding.ts";
import type { Guard, GuardPolicy } from "../guard/guard.ts";
import type { ContentGuard, GuardedChange } from "../kernel/content-guard.ts";
import { RecollectError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { RefusedValues } from "../kernel/refused-values.ts";

export interface ContentGuardOptions {
  readonly policy: GuardPolicy;
  /** Fingerprints of what somebody allowed. */
  readonly allowed: () => ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** Another one whenever that may be another set. */
  readonly allowedStamp?: () => Promise<string>;
  readonly log: Log;
  /** What was purged, and must not come back whatever the policy is. */
  readonly purged?: Pick<RefusedValues, "refresh" | "find"> | undefined;
}

/**
 * The guard in the kernel's write path: what it finds is refused, or with `warn` logged and let pass. Loaded with
 * the first write: its rules take as long to load as everything else.
 */
export function createContentGuard(options: ContentGuardOptions): () => Promise<ContentGuard> {
  let loaded: Promise<ContentGuard> | undefined;
  let stamp: string | undefined;
  return async () => {
    const [now] = await Promise.all([options.allowedStamp?.(), options.purged?.refresh()]);
    if (now !== stamp) loaded = undefined;
    stamp = now;
    loaded ??= loadGuard(options);
    try {
      return await loaded;
    } catch (error) {
      // A damaged record of the allow-list: once it is mended, the next write finds out.
      loaded = undefined;
      throw error;
    }
  };
}

async function loadGuard({ policy, allowed, log, purged }: ContentGuardOptions): Promise<ContentGuard> {
  const [{ createGuard }, { refusalOf }, { invisibleRule }] = await Promise.all([
    import("../guard/guard.ts"),
    import("../guard/refusal.ts"),
    import("../guard/invisible.ts"),
  ]);
  const guard = createGuard({ policy, allowed: await allowed() });
  let lastLogged = "";
  return (changes) => {
    if (purged) for (const change of changes) assertNotPurged(change, purged);
    const added = addedBy(changes, guard, invisibleRule);
    if (added.length === 0) return;
    if (policy !== "warn") throw refusalOf(added.map(({ finding }) => finding));
    const records = added.map(({ change, finding }) => toRecord(change, finding, guard));
    // The kernel may have to ask twice about one operation.
    const logged = JSON.stringify(records);
    if (logged !== lastLogged) for (const record of records) log("warning", "guard", record);
    lastLogged = logged;
  };
}

/** A value that was purged once is known for good, in whatever process. */
function assertNotPurged(
  { at, nameBefore, before, after }: GuardedChange,
  { find }: Pick<RefusedValues, "find">,
): void {
  const adds = (now: string, former: string) => now !== former && find(Buffer.from(now)) && !find(Buffer.from(former));
  if (!adds(after, before) && !adds(at.path, nameBefore ?? "")) return;
  const fingerprint = (find(Buffer.from(after)) ?? find(Buffer.from(at.path)))?.fingerprint;
  throw new RecollectError(
    "SENSITIVE_CONTENT",
    `The text or its name holds a value that was purged (${fingerprint}). Write it without that value, or take that back: recollect purge --take-back ${fingerprint}`,
    { data: { purged: fingerprint } },
  );
}

interface Added {
  readonly change: GuardedChange;
  readonly finding: Finding;
}

/** What an operation adds: each finding that stood in one of its documents before excuses one, wherever it is now. */
function addedBy(changes: readonly GuardedChange[], guard: Guard, invisibleRule: string): Added[] {
  const named = changes.flatMap((change) => {
    const findings = guard.scanName(change.at.path, change.nameBefore);
    return findings.map((finding) => ({ change, finding }));
  });
  const changed = changes.filter(({ before, after }) => before !== after);
  const found = changed.flatMap((change) => guard.scan(change.after).map((finding) => ({ change, finding })));
  if (found.length === 0) return named;
  const identify = identityIn(invisibleRule);
  const old = new Map<string, number>();
  for (const { before } of changed) {
    for (const identity of guard.scan(before).map(identify(before))) old.set(identity, (old.get(identity) ?? 0) + 1);
  }
  const isNew = ({ change, finding }: Added) => {
    const identity = identify(change.after)(finding);
    const left = old.get(identity) ?? 0;
    if (left > 0) old.set(identity, left - 1);
    return left === 0;
  };
  return [...named, ...found.filter(isNew)];
}

/**
 * What makes two findings one. The fingerprint of an invisible character covers the lines around it, which are others
 * once an entry is moved into the archive; its own line is the same.
 */
function identityIn(invisibleRule: string): (text: string) => (finding: Finding) => string {
  return (text) => {
    let lines: string[] | undefined;
    return ({ rule, line, column, fingerprint, andAllAfter }) => {
      if (rule !== invisibleRule || andAllAfter) return fingerprint;
      lines ??= text.split("\n");
      return `${column} ${lines[line - 1] ?? ""}`;
    };
  };
}

/** A name may be what was found, or hold what was allowed by hand; then it is not logged. */
function toRecord({ at }: GuardedChange, { rule, line, column, where }: Finding, guard: Guard) {
  const path = guard.scan(at.path).length === 0 ? { path: at.path } : {};
  return { root: at.root, ...path, rule, line, column, where };
}
