import { expect, it } from "vitest";
import { type Backend, backendParts } from "../../src/kernel/backend.ts";
import { describeBackendContract } from "./backend-contract.ts";
import { type CreateBackendFixture, liesOf } from "./backend-fixture.ts";
import { createMemory, openMemoryBackend } from "./memory-backend.ts";

const memoryFixture: CreateBackendFixture = async (names) => {
  const memory = createMemory();
  const roots = names.map((name) => ({ name, place: name }));
  return {
    open: async () => openMemoryBackend(memory, roots),
    recordsPlace: "records",
    dispose: async () => {},
  };
};

describeBackendContract("a third backend, in memory,", memoryFixture, ["documents", "feed", "history"]);

it("the contract of backends catches one that lists parts it has not, or has parts it does not list", () => {
  const honest = openMemoryBackend(createMemory(), []);
  const { history: _, ...without } = honest;
  const lies: readonly Backend[] = [
    { ...honest, parts: new Set(backendParts) },
    { ...honest, parts: new Set(["documents", "feed"]) },
    without,
  ];
  expect(lies.map(liesOf)).toEqual([["records", "care"], ["history"], ["history"]]);
});
