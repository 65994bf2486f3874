import { type Assertion, NeverCame } from "./assertion.ts";
import { type ClientRow, clientRows } from "./client-rows.ts";
import { type ClientWorld, openWorld, type Tools } from "./client-world.ts";

interface Seen {
  /** Undefined where the assertion holds, otherwise what was seen. */
  readonly says: string | undefined;
  /** What could not be tried says nothing about a broken build. */
  readonly wasTried: boolean;
}

export async function tryAssertion(assertion: Assertion, row: ClientRow, tools: Tools): Promise<Seen> {
  const worlds: ClientWorld[] = [];
  const open = async () => {
    const world = await openWorld(tools);
    worlds.push(world);
    return world;
  };
  try {
    return { says: await assertion.check({ row, other: otherThan(row), open }), wasTried: true };
  } catch (error) {
    if (error instanceof NeverCame) return { says: error.message, wasTried: true };
    return { says: `it could not be tried: ${error instanceof Error ? error.message : error}`, wasTried: false };
  } finally {
    for (const world of worlds) await world.close();
  }
}

/** The client in which another session goes on. */
export function otherThan(row: ClientRow): ClientRow {
  return clientRows[(clientRows.indexOf(row) + 1) % clientRows.length] ?? row;
}
