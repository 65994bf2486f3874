import { describe, expect, it, onTestFinished } from "vitest";
import { type BackendPart, backendParts } from "../../src/kernel/backend.ts";
import { type CreateBackendFixture, liesOf, writtenIn } from "./backend-fixture.ts";
import { describeCareContract } from "./care-contract.ts";
import { describeFeedContract } from "./feed-contract.ts";
import { describeHistoryContract } from "./history-contract.ts";
import { describeRecordsContract } from "./records-contract.ts";
import { describeStoreContract } from "./store-contract.ts";
import type { CreateStoreFixture } from "./store-fixture.ts";
import { describeStoreModel } from "./store-model.ts";

/** What every backend promises, part by part; the parts that it does not list are skipped. */
export function describeBackendContract(
  name: string,
  createFixture: CreateBackendFixture,
  parts: readonly BackendPart[] = backendParts,
): void {
  const documents: CreateStoreFixture = async (roots) => {
    const fixture = await createFixture(roots);
    const reader = await fixture.open();
    return {
      open: async () => (await fixture.open()).documents,
      written: (root) => writtenIn(reader, root),
      dispose: fixture.dispose,
    };
  };
  const contracts: Readonly<Record<BackendPart, () => void>> = {
    documents: () => {
      describeStoreContract(name, documents);
      describeStoreModel(name, documents);
    },
    feed: () => describeFeedContract(name, createFixture),
    history: () =>
      describeHistoryContract(name, async () => {
        const fixture = await createFixture(["notes"]);
        onTestFinished(fixture.dispose);
        const backend = await fixture.open();
        const history = await backend.history?.("notes", { now: Date.now });
        if (!history) throw new Error("It lists a history, and has none.");
        onTestFinished(history.close);
        return { store: backend.documents, history };
      }),
    records: () => describeRecordsContract(name, createFixture),
    care: () => describeCareContract(name, createFixture),
  };

  describe(`${name} says what it has`, () => {
    it("a backend lists the parts that it has, and no other", async () => {
      const fixture = await createFixture(["notes"]);
      onTestFinished(fixture.dispose);
      const backend = await fixture.open();
      expect(new Set(backend.parts)).toEqual(new Set(parts));
      expect(liesOf(backend)).toEqual([]);
    });
  });
  for (const part of backendParts) describe.skipIf(!parts.includes(part))(part, contracts[part]);
}
