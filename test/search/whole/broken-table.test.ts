import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { SearchPage } from "../../../src/search/search.ts";
import { checkout } from "../../helpers/checkout.ts";
import { someCases } from "../../helpers/some-cases.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { type SearchWorld, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();

/** The package as it is installed, so that its table can be damaged. */
function installedCopy(): string {
  const folder = folders.make();
  for (const name of ["src", "models", "package.json"])
    cpSync(join(checkout, name), join(folder, name), { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
  return folder;
}

function tableFiles(copy: string): string[] {
  const folder = join(copy, "models", "static");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.md$|LICENSE|NOTICE/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const script = (copy: string) => `
import { openWorkspace } from ${JSON.stringify(pathToFileURL(join(copy, "src/workspace/workspace.ts")).href)};
const [project, home] = process.argv.slice(1);
const workspace = await openWorkspace({ project, home, env: {} });
const search = workspace.search;
const pages = [];
for (const query of ["harbour", "where do vessels dock", "harbour"]) pages.push(await search.search({ query, explain: true }));
console.log(JSON.stringify(pages));
await workspace.close();
`;

function askBy(copy: string, { project, home }: SearchWorld): SearchPage[] {
  const args = ["--input-type=module", "--disable-warning=ExperimentalWarning", "-e", script(copy), project, home];
  // Most of what it would do otherwise is to take the types off the sources.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(copy, "compiled") };
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", cwd: copy, env }));
}

const damages: readonly (readonly [name: string, damage: (file: string) => void, extension: string])[] = [
  ["is missing", (file) => rmSync(file), ".bin"],
  ["is cut off", (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)), ".bin"],
  ["is something else", (file) => writeFileSync(file, "not a table\n".repeat(1000)), ".bin"],
  ["lacks half of its words", (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)), ".txt"],
];

describe("the table of meanings", () => {
  let copy: string;
  let whole: SearchPage[];

  beforeAll(() => {
    copy = installedCopy();
    whole = askBy(copy, worldWithNotes());
  });

  function worldWithNotes(): SearchWorld {
    const world = searchWorld(folders.make(), "search: { recency_weight: 0 }\n");
    world.note("a.md", "# Port\n\nShips moor in the harbour by night.\n");
    world.note("b.md", "# Kitchen\n\nThe soup needs salt.\n");
    return world;
  }

  it.each(someCases(damages, 2))(
    "SRCH-2 %s: search works by words, says so, and is as ever once it is mended",
    (_, damage, extension) => {
      const world = worldWithNotes();
      expect(whole[1]?.hits[0]).toMatchObject({ path: "a.md" });
      // The second is found by meaning alone, and may say so.
      expect([whole[0], whole[2]].flatMap((page) => page?.warnings)).toEqual([]);
      const file = tableFiles(copy).find((one) => one.endsWith(extension)) ?? "";
      const before = readFileSync(file);
      damage(file);
      const pages = askBy(copy, world);
      writeFileSync(file, before);
      expect(pages[0]?.hits[0]).toMatchObject({ path: "a.md", explanation: { meaning: 0 } });
      for (const { warnings } of pages) {
        expect(warnings.join("\n")).toMatch(/meanings .*\. Search goes by words alone\. To mend it, install/);
        expect(warnings.join("\n")).not.toContain(copy);
      }
      // Notes that were indexed meanwhile have their meaning too.
      expect(askBy(copy, world)).toEqual(whole);
    },
  );
});
