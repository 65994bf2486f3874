import type { Database, Row, Statement } from "./database.ts";
import { isLost } from "./database-error.ts";

/** Statements that write in a space each, and wait for nobody. */
export interface GatheredWrites {
  /** Done and committed, perhaps in one transaction with those of others; its rows. */
  commit(write: GatheredWrite): Promise<readonly Row[]>;
}

interface GatheredWrite {
  readonly space: string;
  readonly statement: Statement;
  /** How many documents it writes, and their bytes. */
  readonly documents: number;
  readonly bytes: number;
}

interface Waiting extends GatheredWrite {
  resolve(rows: readonly Row[]): void;
  reject(error: unknown): void;
}

interface GatheringOptions {
  readonly transaction: Database["transaction"];
  /** The setting by which the database shows the rows of a space, for the rest of the transaction. */
  readonly scopeOf: (spaces: readonly string[]) => Statement;
  /** How many transactions are under way at once. */
  readonly lanes: number;
}

/** So that nobody waits long for the others. */
const [mostDocuments, mostBytes] = [32, 512 * 1024];

/**
 * Whoever writes while all lanes are busy goes with others in the next transaction, whatever their spaces: one message,
 * one commit and one wake-up of either end for all, which is most of what a write costs. Each statement still sees its
 * own space alone.
 */
export function createGatheredWrites({ transaction, scopeOf, lanes }: GatheringOptions): GatheredWrites {
  const waiting: Waiting[] = [];
  let busy = 0;
  let isSet = false;

  /** Not at once: those who were just answered together also come again together. */
  function set(): void {
    if (isSet) return;
    isSet = true;
    setImmediate(() => {
      isSet = false;
      while (busy < lanes && waiting.length > 0) void send(nextOf(waiting, lanes - busy));
    });
  }

  async function send(writes: readonly Waiting[]): Promise<void> {
    busy += 1;
    try {
      await commitTogether(writes);
    } finally {
      busy -= 1;
      if (waiting.length > 0) set();
    }
  }

  async function commitTogether(writes: readonly Waiting[]): Promise<void> {
    try {
      const rows = await transaction([], (one) =>
        one.commit(...writes.flatMap(({ space, statement }) => [scopeOf([space]), statement])),
      );
      writes.forEach(({ resolve }, at) => void resolve(rows[2 * at + 1] ?? []));
    } catch (error) {
      // Nobody knows what became of it, or nobody is there.
      if (isLost(error) || writes.length === 1) for (const { reject } of writes) reject(error);
      // Nothing was committed, for the sake of one of them perhaps.
      else for (const one of writes) await commitTogether([one]);
    }
  }

  return {
    commit: (write) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...write, resolve, reject });
        if (busy < lanes) set();
      }),
  };
}

/** A fair part for one of the lanes that are free, so that they go beside each other; at least one, whatever its size. */
function nextOf(waiting: Waiting[], free: number): readonly Waiting[] {
  const most = Math.ceil(waiting.length / free);
  let [documents, bytes, count] = [0, 0, 0];
  for (const write of waiting.slice(0, most)) {
    documents += write.documents;
    bytes += write.bytes;
    if (count > 0 && (documents > mostDocuments || bytes > mostBytes)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}
