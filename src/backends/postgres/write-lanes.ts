import type { Row, Statement } from "./database.ts";
import { failureOf } from "./database-error.ts";
import { eachAlone, type FailedForAll, type Failing, failAll } from "./fail-batch.ts";
import { scopeOf } from "./spaces.ts";
import type { RunTransaction } from "./transactions.ts";
import { shortWaitMs } from "./wait-for-spaces.ts";

/** Statements that write in a space each, and wait for nobody who holds it. */
export interface WriteLanes {
  /** Done and committed, perhaps in one transaction with those of others; its rows. */
  commit(write: LaneWrite): Promise<readonly Row[]>;
}

interface LaneWrite {
  readonly space: string;
  readonly statement: Statement;
  /** How many documents it writes, and their bytes. */
  readonly documents: number;
  readonly bytes: number;
}

interface Waiting extends LaneWrite, Failing {
  /** As they came. */
  readonly number: number;
  resolve(rows: readonly Row[]): void;
}

interface LanesOptions {
  readonly transaction: RunTransaction;
  /** How many transactions are under way at once. */
  readonly lanes: number;
  /** As many where some of them are not answered for a while: those may be on connections that are dead. */
  readonly lanesIfLate?: number;
}

/** So that nobody waits long for the others. */
const [mostDocuments, mostBytes] = [32, 512 * 1024];
const lateMs = 1000;

/**
 * Whoever writes while all lanes are busy goes with others in the next transaction, whatever their spaces: one message,
 * one commit and one wake-up of either end for all, which is most of what a write costs. Each statement still sees its
 * own space alone.
 */
export function createWriteLanes(options: LanesOptions): WriteLanes {
  const { transaction, lanes, lanesIfLate = lanes } = options;
  const waiting: Waiting[] = [];
  let asked = 0;
  let [busy, late] = [0, 0];
  let isSet = false;

  function free(): number {
    return Math.min(lanes + late, lanesIfLate) - busy;
  }

  /** Not at once: those who were just answered together also come again together. */
  function set(): void {
    if (isSet || waiting.length === 0 || free() <= 0) return;
    isSet = true;
    setImmediate(() => {
      isSet = false;
      while (free() > 0 && waiting.length > 0) void send(nextOf(waiting, free()));
    });
  }

  async function send(writes: readonly Waiting[]): Promise<void> {
    const since = asked;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late += 1;
      set();
    }, lateMs);
    busy += 1;
    const failed = await commitAll(writes);
    clearTimeout(timer);
    busy -= 1;
    if (isLate) late -= 1;
    // Who has waited as long is told the same: otherwise the last of many waits many times over. What fails fast may be
    // tried by each.
    const behind = isLate ? waiting.filter(({ number }) => number < since).length : 0;
    if (failed) failAll(waiting.splice(0, behind), failed.error);
    set();
  }

  async function commitAll(writes: readonly Waiting[]): Promise<FailedForAll | undefined> {
    try {
      const rows = await transaction(
        [],
        (one) => one.commit(...writes.flatMap(({ space, statement }) => [scopeOf([space]), statement])),
        writes.length > 1 ? shortWaitMs : undefined,
      );
      writes.forEach(({ resolve }, at) => void resolve(rows[at] ?? []));
      return undefined;
    } catch (error) {
      return doneWithout(writes, error);
    }
  }

  /** Nothing was committed, for the sake of one of them perhaps. */
  async function doneWithout(writes: readonly Waiting[], error: unknown): Promise<FailedForAll | undefined> {
    const failure = failureOf(error);
    if (failure === "own" && writes.length > 1) return eachAlone(writes, commitAll);
    if (failure !== "held") return failAll(writes, error);
    // Somebody holds a document without its space, or a table: who does not need it waits no longer.
    if (writes.length > 1) await Promise.all(writes.map((one) => commitAll([one])));
    else failAll(writes, error);
    return undefined;
  }

  return {
    commit: (write) =>
      new Promise((resolve, fail) => {
        waiting.push({ ...write, number: asked, resolve, fail });
        asked += 1;
        set();
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
