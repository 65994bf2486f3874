import type { GuardPolicy } from "../../guard/guard.ts";
import type { RefusedValues } from "../../kernel/refused-values.ts";
import type { InspectOptions } from "./describe-document.ts";

export interface ShownTextsOptions {
  readonly policy: GuardPolicy;
  /** Fingerprints of what somebody allowed. */
  readonly allowed: () => Promise<ReadonlySet<string>>;
  /** Another one whenever that may be another set. */
  readonly allowedStamp: () => Promise<string>;
  readonly purged: Pick<RefusedValues, "refresh" | "known" | "forms">;
}

/** By what it is judged now which texts may be shown, whoever changed that; the same object as long as it is the same. */
export function createShownTexts(options: ShownTextsOptions): () => Promise<InspectOptions> {
  const { policy, allowed, allowedStamp, purged } = options;
  let known: { readonly stamp: string; readonly settings: InspectOptions } | undefined;

  async function stampNow(): Promise<string> {
    const [stamp] = await Promise.all([allowedStamp(), purged.refresh()]);
    return JSON.stringify([stamp, ...purged.known().map(({ fingerprint }) => fingerprint)]);
  }

  return async () => {
    // Before what it stands for is read: a change in between is noticed the next time.
    const stamp = await stampNow();
    if (known?.stamp === stamp) return known.settings;
    const [set, forms] = await Promise.all([allowed(), purged.forms()]);
    const read = { policy, allowed: set, purged: forms };
    const settings = known && isSame(known.settings, read) ? known.settings : read;
    known = { stamp, settings };
    return settings;
  };
}

function isSame(one: InspectOptions, other: InspectOptions): boolean {
  return keyOf(one) === keyOf(other);
}

/** Tells all that are not the same from each other. */
export function keyOf({ policy, allowed, purged }: InspectOptions): string {
  const values = new Set(purged.map(({ fingerprint }) => fingerprint));
  return JSON.stringify([policy, [...allowed].sort(), [...values].sort()]);
}
