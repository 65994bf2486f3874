import { afterEach, describe, expect, it } from "vitest";
import { createGuard, openWorkspace, revisionOf, type Workspace } from "../../../src/app.ts";
import { createGuardReport, createKnownFindings } from "../../../src/http/api/guard-report.ts";
import { memoryWorld } from "../../helpers/memory-world.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { turnsDuring } from "../../helpers/turns-during.ts";

const folders = temporaryFolders();
const open: Workspace[] = [];
afterEach(async () => {
  for (const workspace of open.splice(0)) await workspace.close();
});

const root = ".serena/memories";
const secret = (at: number) => `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 34)}${at + 10}`;
const documentOf = (content: string) => ({ content, rev: revisionOf(Buffer.from(content)) });

/** A workspace whose scanned texts are counted. */
async function opened(notes: Readonly<Record<string, string>> = {}) {
  const world = memoryWorld(folders.make());
  for (const [path, content] of Object.entries(notes)) world.write(`work/app/${root}/${path}`, content);
  const workspace = await openWorkspace({ cwd: world.project, env: { ...world.env }, home: world.home, log: () => {} });
  open.push(workspace);
  const scanned: string[] = [];
  const { scan } = createGuard({ policy: "standard", allowed: new Set() });
  const guard = {
    scan: (text: string) => {
      scanned.push(text);
      return scan(text);
    },
  };
  return { workspace, allowList: workspace.allowList, scanned, report: createGuardReport(workspace, { guard }) };
}

describe("GUARD-4 what the guard finds in documents that are there already", () => {
  it("WEB-1 others have their turn after each long document, not after a page of them", async () => {
    const long = (at: number) => `${"word of a note\n".repeat(40_000)}${at === 7 ? secret(0) : at}\n`;
    const { report, workspace } = await opened(
      Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`n${at}.md`, long(at)])),
    );
    const whole = async () => {
      for (;;) {
        const { documents, isPartial } = await report.flagged(workspace);
        if (!isPartial) return documents;
      }
    };
    const work = whole();
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(24);
    expect((await work).map(({ path }) => path)).toEqual(["n7.md"]);
  });

  it("WEB-1 a document that is read again and again is scanned once, as long as it is the same", async () => {
    const { report, scanned } = await opened();
    const [one, other] = [documentOf(`key ${secret(0)}\n`), documentOf(`key ${secret(1)}\n`)];
    const atOnce = await Promise.all([report.findings(one), report.findings(one), report.findings(one)]);
    expect(atOnce.map((found) => found.length)).toEqual([1, 1, 1]);
    await report.findings(one);
    expect(scanned).toEqual([one.content]);
    expect(await report.findings(other)).toHaveLength(1);
    expect(scanned).toEqual([one.content, other.content]);
  });

  it("GUARD-4 what is allowed or taken back counts at once, without another scan", async () => {
    const { report, scanned, allowList } = await opened();
    const document = documentOf(`key ${secret(0)}\n`);
    const [{ fingerprint } = { fingerprint: "" }] = await report.findings(document);
    await allowList.allow(fingerprint, "an example");
    expect(await report.findings(document)).toEqual([]);
    await allowList.revoke(fingerprint);
    expect(await report.findings(document)).toMatchObject([{ fingerprint }]);
    expect(scanned).toHaveLength(1);
  });

  it("WEB-1 remembers so much and no more, of what was asked for last", async () => {
    const looked: string[] = [];
    const known = createKnownFindings(6);
    const ask = (name: string) =>
      known(revisionOf(Buffer.from(name)), () => {
        looked.push(name);
        return [];
      });
    for (const name of ["a", "b", "c", "d", "e", "f", "a", "g", "a", "b"]) ask(name);
    expect(looked).toEqual(["a", "b", "c", "d", "e", "f", "g", "b"]);
  });
});
