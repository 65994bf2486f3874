import type { VerifyFinding } from "../../kernel/finding.ts";
import type { Database, Row } from "./database.ts";
import { toDatabaseError } from "./database-error.ts";

/** Reads one space for whoever looks through all of it. */
export interface SpaceReader {
  readonly root: string;
  /** `$1` is the space. */
  rows(text: string, ...values: readonly unknown[]): Promise<readonly Row[]>;
  damaged(part: VerifyFinding["part"], says: string, more?: Partial<VerifyFinding>): VerifyFinding;
}

/** How a space stands while it is looked at: what is written after its last change now, is left for the next time. */
export interface SeenStand {
  readonly last: bigint;
  /** Up to there, changes may have been dropped since they grew old. */
  readonly released: bigint;
  readonly purges: bigint;
}

/** A part of what is looked at; `seen` is told how much of it. */
export type SpaceCheck = (
  reader: SpaceReader,
  stand: SeenStand,
  seen: (rows: number) => void,
) => Promise<{ readonly findings: readonly VerifyFinding[]; readonly count: number }>;

const fromBackup =
  "Bring the database back from a backup; without one, go on: what else there is was not touched by this.";

export function createSpaceReader(database: Pick<Database, "read">, space: string, root: string): SpaceReader {
  return {
    root,
    rows: async (text, ...values) => {
      try {
        const [rows = []] = await database.read([space], { text, values: [space, ...values] });
        return rows;
      } catch (error) {
        throw toDatabaseError(error, `look through “${root}”`);
      }
    },
    damaged: (part, says, more = {}) => ({ level: "damaged", root, part, says, remedy: fromBackup, ...more }),
  };
}

/** As many at once as are at most so large together; one that is larger comes alone. */
export function* inBatches<One extends { readonly size: number }>(all: readonly One[], mostBytes: number) {
  let [batch, bytes]: [One[], number] = [[], 0];
  for (const one of all) {
    if (batch.length > 0 && bytes + one.size > mostBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(one);
    bytes += one.size;
  }
  if (batch.length > 0) yield batch;
}
