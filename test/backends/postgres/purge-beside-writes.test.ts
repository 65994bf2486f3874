import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { findValue } from "../../../src/backends/postgres/find-value.ts";
import { purgeSpace } from "../../../src/backends/postgres/purge.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { toPurgeForms } from "../../../src/kernel/purge-forms.ts";
import { revisionOf } from "../../../src/kernel/revision.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";
import { slowLook } from "./slow-look.ts";

const stamp = { author: "person:ada" };
const forms = toPurgeForms("hunter2-secret", "removed");
const at = (path: string) => ({ root: "notes", path: path as DocumentPath });
const revOf = (text: string) => revisionOf(Buffer.from(text));

/** Some text of which the revision is such a one. */
function textWhere(text: string, isSuch: (rev: string) => boolean): string {
  for (let number = 0; ; number++) if (isSuch(revOf(`${text} ${number}\n`))) return `${text} ${number}\n`;
}

/** The value stands in the last content of what is looked through at once; what is written meanwhile comes before it. */
async function lastOfPage() {
  const [database, space] = [await sharedDatabase(), randomUUID()];
  const store = openPostgresStore({ database, roots: [{ name: "notes", space }] });
  onTestFinished(() => store.close());
  const put = (documents: readonly (readonly [string, string])[]) => {
    const changes = documents.map(([path, content]) => ({ kind: "put" as const, at: at(path), content }));
    return store.commit(changes.map((change) => change.at).map(store.resolve), () => changes, stamp);
  };
  const texts = Array.from({ length: 199 }, (_, number) => `text ${number}\n`);
  const highest = texts.map(revOf).toSorted().at(-1) ?? "";
  const secret = textWhere("hunter2-secret", (rev) => rev > highest);
  await put([...texts.map((text, number) => [`${number}.md`, text] as const), ["secret.md", secret]]);
  const beside = textWhere("written meanwhile", (rev) => rev < highest);
  const slow = slowLook(database, "recollect.contents", () => put([["beside.md", beside]]));
  return { slow, space, store };
}

describe("HIST-5 PG-2 a value, while somebody writes beside it", () => {
  it("is found", async () => {
    const { slow, space } = await lastOfPage();
    expect(await findValue(slow, space, forms)).toEqual([{ path: "secret.md", isCurrent: true, revisions: 1 }]);
  });

  it("is purged", async () => {
    const { slow, space, store } = await lastOfPage();
    const purged = await purgeSpace({ database: slow, space, forms, stamp });
    expect(purged).toEqual({ revisions: new Map([["secret.md", 1]]), isRewritten: true });
    expect((await store.read(store.resolve(at("secret.md"))))?.content).toMatch(/^‹removed›/);
    expect(await store.read(store.resolve(at("beside.md")))).toBeDefined();
  });
});
