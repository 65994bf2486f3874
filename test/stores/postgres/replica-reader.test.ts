import { describe, expect, it, onTestFinished } from "vitest";
import type { Database, Row, Statement, Transaction } from "../../../src/stores/postgres/database.ts";
import { createReplicaReader } from "../../../src/stores/postgres/replica-reader.ts";

const mostMs = 1000;
const question: Statement = { text: "who answers?" };

/** A primary whose heartbeat goes up, and a replica that has it up to some beat: what is looked at is who is asked. */
function world() {
  const state = { now: 0, beat: 0n, replicaHas: 0n, isReplicaUp: true, isPrimaryUp: true };
  const answerOf = (name: string, statement: Statement): readonly Row[] =>
    statement.text.includes("heartbeat") ? [{ beat: String(state.replicaHas) }] : [{ name }];
  const primary: Pick<Database, "transaction" | "read"> = {
    transaction: async (_spaces, work) => {
      if (!state.isPrimaryUp) throw Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
      state.beat += 1n;
      const transaction: Transaction = { run: async () => [[{ beat: String(state.beat) }]], commit: async () => [] };
      return work(transaction);
    },
    read: async (_spaces, ...statements) => statements.map((one) => answerOf("primary", one)),
  };
  const replica: Pick<Database, "read"> = {
    read: async (_spaces, ...statements) => {
      if (!state.isReplicaUp) throw Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
      return statements.map((one) => answerOf("replica", one));
    },
  };
  const reader = createReplicaReader({ primary, replica, mostMs, now: () => state.now });
  onTestFinished(() => reader.close());
  const asked = async (space = "a") => (await reader.read([space], question))[0]?.[0]?.["name"];
  /** The first beat is on its way when a reader begins. */
  const begun = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    state.replicaHas = state.beat;
  };
  return { state, reader, asked, begun };
}

describe("PG-2 reading from a replica", () => {
  it("asks the replica while it has what was written lately enough", async () => {
    const { asked, begun } = world();
    await begun();
    expect(await asked()).toBe("replica");
  });

  it("asks the primary while the replica is behind", async () => {
    const { asked, begun, state } = world();
    await begun();
    state.replicaHas = 0n;
    expect(await asked()).toBe("primary");
  });

  it("asks the primary where the last beat is too old, as when the primary was gone for a while", async () => {
    const { asked, begun, state } = world();
    await begun();
    state.isPrimaryUp = false;
    state.now = mostMs + 1;
    expect(await asked()).toBe("primary");
  });

  it("asks the primary where the replica does not answer", async () => {
    const { asked, begun, state } = world();
    await begun();
    state.isReplicaUp = false;
    expect(await asked()).toBe("primary");
  });

  it("asks the primary for what this server wrote itself, until the replica must have it; and for nothing else", async () => {
    const { asked, begun, reader, state } = world();
    await begun();
    reader.written(["a"]);
    expect([await asked("a"), await asked("b")]).toEqual(["primary", "replica"]);
    state.now = mostMs - 1;
    expect(await asked("a")).toBe("primary");
  });
});
