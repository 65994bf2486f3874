import type { Database, Statement } from "./database.ts";
import { createShownStands, standStatement } from "./shown-stands.ts";

export interface ReplicaReaderOptions {
  readonly primary: Pick<Database, "transaction" | "read">;
  readonly replica: Pick<Database, "read">;
  /** How far the replica may be behind. */
  readonly mostMs: number;
  readonly now?: () => number;
}

export interface ReplicaReader extends Pick<Database, "read"> {
  /** Somebody here wrote to these: until the replica must have it, they are read from the primary. */
  written(spaces: readonly string[]): void;
  close(): void;
}

/** A heartbeat of ours, and when it was sent: a replica that has it has everything from before. */
interface Beat {
  readonly number: bigint;
  readonly sentAt: number;
}

const beatsPerBound = 4;

/**
 * Reads from a replica while it is fresh enough, and from the primary otherwise. How fresh it is, a number in the
 * database tells, which each reader raises on the primary: no two clocks are compared, and a replica that has lost its
 * primary falls behind like any other. Of one space nothing is shown that is older than what was shown before: whoever
 * was told of a change by the primary looks only once.
 */
export function createReplicaReader(options: ReplicaReaderOptions): ReplicaReader {
  const { primary, replica, mostMs, now = Date.now } = options;
  const beats: Beat[] = [];
  const writtenAt = new Map<string, number>();
  const stands = createShownStands();
  let isBeating = false;
  const timer = setInterval(() => void beat(), mostMs / beatsPerBound).unref();

  async function beat(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    const sentAt = now();
    try {
      const number = await primary.transaction([], async (transaction) => {
        const [[row] = []] = await transaction.run({
          text: "UPDATE recollect.heartbeat SET beat = beat + 1 RETURNING beat",
        });
        await transaction.commit();
        return BigInt(String(row?.["beat"] ?? 0));
      });
      beats.push({ number, sentAt });
      while ((beats[0]?.sentAt ?? sentAt) < sentAt - 2 * mostMs) beats.shift();
    } catch {
      // Without a primary nothing is known of the replica, which is not read then.
    } finally {
      isBeating = false;
    }
  }

  function isBound(spaces: readonly string[]): boolean {
    for (const [space, at] of writtenAt) if (at < now() - mostMs) writtenAt.delete(space);
    return spaces.some((space) => writtenAt.has(space));
  }

  const read: Database["read"] = async (spaces, ...statements) => {
    if (isBound(spaces) || !beats.some(isFresh)) return readPrimary(spaces, statements);
    const asked: Statement = { name: "recollect beat", text: "SELECT beat FROM recollect.heartbeat" };
    const stand = standStatement(spaces);
    try {
      const [[row] = [], before = [], ...rows] = await replica.read(spaces, asked, stand, ...statements, stand);
      const after = rows.pop() ?? [];
      const has = BigInt(String(row?.["beat"] ?? 0));
      const isFreshEnough = beats.some((one) => one.number <= has && isFresh(one));
      if (!isBound(spaces) && isFreshEnough && !stands.isBehind({ spaces, rows: before })) {
        stands.shown({ spaces, rows: after });
        return rows;
      }
    } catch {
      // It is there to take work off the primary, and nobody waits for it.
    }
    return readPrimary(spaces, statements);
  };

  async function readPrimary(spaces: readonly string[], statements: readonly Statement[]) {
    const since = stands.moment();
    const rows = [...(await primary.read(spaces, ...statements, standStatement(spaces)))];
    stands.shown({ spaces, rows: rows.pop() ?? [] }, since);
    return rows;
  }

  function isFresh({ sentAt }: Beat): boolean {
    return sentAt >= now() - mostMs;
  }

  void beat();
  return {
    read,
    written: (spaces) => {
      for (const space of spaces) writtenAt.set(space, now());
    },
    close: () => clearInterval(timer),
  };
}
