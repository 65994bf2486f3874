import { expect, it } from "vitest";
import { findKnownError } from "../../src/hooks/known-error.ts";
import { tellingLines } from "../../src/hooks/normalise-error.ts";

const message = "TypeError: Cannot read properties of undefined (reading 'lockfileHash')";

/** Whether a record with this text is taken for the one of an output's error. */
async function isKnown(text: string, output: string): Promise<boolean> {
  const hit = { root: "topics", kind: "topic", path: "ci/cache.md", title: "", date: "", lines: { from: 1, to: 1 } };
  const record = { id: "1", name: "ci/cache", title: "", kind: "lesson", date: "2026-03-01", rev: "1", text } as const;
  const memory = { search: async () => [hit], record: async () => record } as never;
  return (await findKnownError(memory, tellingLines(output, 4))) !== undefined;
}

it.each([
  message,
  `The job fails with \`${message}\`, see \`ci.yml\`.`,
  `**Problem:** after an upgrade "${message}" comes up.`,
  `**Problem:** ${message}; \`npm ci\` alone does not help.`,
])("USE-4 an error is on record where its names are the same: %s", async (text) => {
  expect(await isKnown(text, `${message}\n    at restore (src/cache.ts:12:3)`)).toBe(true);
  expect(await isKnown(text, message.replace("lockfileHash", "map"))).toBe(false);
  expect(await isKnown(text, message.replace(" (reading 'lockfileHash')", ""))).toBe(false);
});

it("USE-4 a record without names is about each error of its kind, and a code in brackets is a name", async () => {
  const bare = "Cannot find module after an install: delete the cache of the workspace";
  expect(await isKnown(bare, "Error: Cannot find module after install, workspace cache 'acme'")).toBe(true);
  const coded = "request refused by the registry mirror [E401]";
  expect(await isKnown(coded, "error: request refused by the registry mirror [E401]")).toBe(true);
  expect(await isKnown(coded, "error: request refused by the registry mirror [E503]")).toBe(false);
  expect(
    await isKnown("can't resolve host, couldn't reach mirror", "error: can't resolve host, couldn't reach mirror"),
  ).toBe(true);
});
