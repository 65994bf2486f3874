import type { GuardFinding as Finding, Rev } from "../../index.ts";

/** What was found in texts that somebody looks at again and again, by their revisions: the same bytes hold the same. */
export interface KnownFindings {
  /** Looks only where it is not known, and once for all who ask meanwhile. */
  of(rev: Rev, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]>;
}

/** Of texts and findings together: some megabytes at most. */
const usuallyKept = 10_000;

export function createKnownFindings(most = usuallyKept): KnownFindings {
  /** The one that was asked for last comes last. */
  const known = new Map<Rev, readonly Finding[]>();
  const running = new Map<Rev, Promise<readonly Finding[]>>();
  let kept = 0;

  function keep(rev: Rev, findings: readonly Finding[]): void {
    known.set(rev, findings);
    kept += 1 + findings.length;
    for (const [oldest, { length }] of known) {
      if (kept <= most) return;
      known.delete(oldest);
      kept -= 1 + length;
    }
  }

  async function lookOnce(rev: Rev, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
    try {
      const findings = await look();
      keep(rev, findings);
      return findings;
    } finally {
      running.delete(rev);
    }
  }

  return {
    of: async (rev, look) => {
      const found = known.get(rev);
      if (found) {
        known.delete(rev);
        known.set(rev, found);
        return found;
      }
      const work = running.get(rev) ?? lookOnce(rev, look);
      running.set(rev, work);
      return work;
    },
  };
}
