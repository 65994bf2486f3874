import { execFile } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { documentsOf } from "../../helpers/folder-snapshot.ts";
import { scratch } from "./open-memories.ts";

const worker = fileURLToPath(new URL("./denied-rename-worker.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
/** Where the tests run as root, whom nothing is denied, the renaming is done by somebody else. */
const user = isRoot ? 4005 : undefined;

function filled(files: Readonly<Record<string, string>>): string {
  const base = scratch();
  if (user !== undefined) chownSync(base, user, user);
  for (const folder of ["primary", "own", "team"]) mkdirSync(join(base, folder));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), content);
  }
  if (user !== undefined) for (const folder of ["primary", "own"]) chownSync(join(base, folder), user, user);
  return base;
}

function deny(folder: string): void {
  chmodSync(folder, 0o555);
  onTestFinished(() => chmodSync(folder, 0o755));
}

async function rename(base: string, ...renamings: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [worker, base, `${user ?? ""}`, ...renamings]);
  return JSON.parse(stdout);
}

it("MEM-11 references in folders that the system denies are reported, and keep nobody from renaming", async () => {
  const base = filled({
    "primary/old.md": "text",
    "primary/index.md": "mem:old",
    "own/a.md": "mem:old",
    "team/b.md": "mem:old",
    "team/topic/c.md": "mem:old",
    "team/d.md": "nothing",
  });
  for (const folder of ["team", "team/topic"]) deny(join(base, folder));
  expect(await rename(base, "old>new")).toMatchObject([
    {
      to: "new",
      rewritten: ["a", "index"],
      notRewritten: [
        { name: "b", folder: "team" },
        { name: "topic/c", folder: "team" },
      ],
    },
  ]);
  const text = (path: string) => readFileSync(join(base, path), "utf8");
  expect(["primary/new.md", "primary/index.md", "own/a.md"].map(text)).toEqual(["text", "mem:new", "mem:new"]);
  expect(["team/b.md", "team/topic/c.md"].map(text)).toEqual(["mem:old", "mem:old"]);
});

it.runIf(isRoot)(
  "MEM-11 a reference in a file that only its owner may replace keeps nobody from renaming",
  async () => {
    const base = filled({ "primary/old.md": "text", "team/b.md": "mem:old" });
    // As in /tmp: everybody may make files, and replace only their own.
    chmodSync(join(base, "team"), 0o1777);
    expect(await rename(base, "old>new")).toMatchObject([
      { to: "new", rewritten: [], notRewritten: [{ name: "b", folder: "team" }] },
    ]);
    expect(readFileSync(join(base, "team/b.md"), "utf8")).toBe("mem:old");
  },
);

it("MEM-11 a memory that the system denies is not renamed, and the error names its folder", async () => {
  const base = filled({ "team/old.md": "text", "primary/index.md": "mem:old", "primary/x.md": "x" });
  deny(join(base, "team"));
  const before = documentsOf(base);
  const [within, into] = await rename(base, "old>new", "x>TEAM_x");
  expect(within).toMatchObject({ code: "PERMISSION_DENIED", data: { name: "old", folder: "team" } });
  expect(within?.["message"]).toContain("“old” cannot be renamed in “team”");
  expect(into).toMatchObject({ code: "PERMISSION_DENIED", message: expect.stringContaining("to “team”") });
  expect(documentsOf(base)).toEqual(before);
});
