import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "./backends/files/scratch.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const biome = join(root, "node_modules/@biomejs/biome/bin/biome");

/** Lints files that exist only for this check, as if they stood at these places in the tree. */
function lint(files: Readonly<Record<string, string>>): { status: number | null; text: string } {
  const folder = scratchFolder();
  const configuration = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ ...configuration, $schema: undefined, vcs: undefined }));
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, "lint", "src"], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
}

/** A gate is trusted only once it was seen to fail. */
describe("the gates", () => {
  it.each([
    ["src/kernel/x.ts", 'import { openSync } from "node:fs";\nexport const x = openSync;\n'],
    ["src/kernel/x.ts", 'import { noLog } from "../backends/files/journal.ts";\nexport const x = noLog;\n'],
    ["src/text/x.ts", 'import { openSync } from "node:fs";\nexport const x = openSync;\n'],
    ["src/text/x.ts", 'import { a } from "../kernel/errors.ts";\nexport const x = a;\n'],
    ["src/notes/agents/x.ts", 'import { a } from "../../backends/files/store.ts";\nexport const x = a;\n'],
    ["src/backends/files/x.ts", 'import { a } from "../../workspace/stderr-log.ts";\nexport const x = a;\n'],
    ["src/workspace/x.ts", 'import { a } from "../cli/main.ts";\nexport const x = a;\n'],
    ["src/history/x.ts", 'import { a } from "../settings/settings.ts";\nexport const x = a;\n'],
    ["src/settings/x.ts", 'import { a } from "../roots/mount-roots.ts";\nexport const x = a;\n'],
    ["src/roots/x.ts", 'import { a } from "../search/service/open-search.ts";\nexport const x = a;\n'],
    ["src/credentials/x.ts", 'import { a } from "../care/purge/purge-files.ts";\nexport const x = a;\n'],
    ["src/search/service/x.ts", 'import { a } from "../../workspace/session.ts";\nexport const x = a;\n'],
    ["src/care/verify/x.ts", 'import { a } from "../../workspace/session.ts";\nexport const x = a;\n'],
    ["src/processes/x.ts", 'import { a } from "../workspace/session.ts";\nexport const x = a;\n'],
    ["src/notes/topics/x.ts", 'import { a } from "../../search/unit.ts";\nexport const x = a;\n'],
    ["src/clients/x.ts", 'import { a } from "../workspace/session.ts";\nexport const x = a;\n'],
    ["src/hooks/x.ts", 'import { a } from "../kernel/errors.ts";\nexport const x = a;\n'],
    ["src/mcp/x.ts", 'import { a } from "../kernel/errors.ts";\nexport const x = a;\n'],
    ["src/http/dashboard/x.ts", 'import { openSync } from "node:fs";\nexport const x = openSync;\n'],
    ["src/http/dashboard/screens/x.ts", 'import { a } from "../../app.ts";\nexport const x = a;\n'],
    ["src/cli/x.ts", 'import { a } from "../backends/files/store.ts";\nexport const x = a;\n'],
  ])("refuse an import of %s across the folder boundaries", (path, source) => {
    const { status, text } = lint({ [path]: source });
    expect(text).toContain("noRestrictedImports");
    expect(status).not.toBe(0);
  });

  it.each([
    ["src/index.ts", "src/cli/x.ts", "../index.ts"],
    ["src/kernel/in-time.ts", "src/http/x.ts", "../kernel/in-time.ts"],
    ["src/text/a.ts", "src/kernel/x.ts", "../text/a.ts"],
    ["src/text/a.ts", "src/notes/topics/x.ts", "../../text/a.ts"],
    ["src/text/a.ts", "src/http/dashboard/x.ts", "../../text/a.ts"],
    ["src/text/a.ts", "src/http/dashboard/markdown/x.ts", "../../../text/a.ts"],
  ])("accept an import of %s by %s, which goes the right way", (imported, path, specifier) => {
    const source = `import { a } from "${specifier}";\n\nexport const x = a;\n`;
    expect(lint({ [imported]: "export const a = 1;\n", [path]: source })).toMatchObject({ status: 0 });
  });

  it("refuse a cycle of imports", () => {
    const { status, text } = lint({
      "src/a.ts": 'import { b } from "./b.ts";\n\nexport const a = () => b;\n',
      "src/b.ts": 'import { a } from "./a.ts";\n\nexport const b = () => a;\n',
    });
    expect(text).toContain("noImportCycles");
    expect(status).not.toBe(0);
  });

  it("refuse a requirement that no test cites, and a citation of one that is not listed", () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "scripts"));
    mkdirSync(join(folder, "test"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    cpSync(join(root, "scripts/requirements.js"), join(folder, "scripts/requirements.js"));
    writeFileSync(join(folder, "scripts/requirements.json"), '{ "KER-1": "cited", "KER-2": "uncited" }');
    const unlisted = ["AGT", "9"].join("-");
    writeFileSync(join(folder, "test/a.test.ts"), `it("KER-1 and ${unlisted} hold", () => {});\n`);
    const { status, stdout } = spawnSync(process.execPath, [join(folder, "scripts/requirements.js"), "--check"], {
      encoding: "utf8",
    });
    expect(stdout).toContain("Uncited: KER-2");
    expect(stdout).toContain(`not listed as built: ${unlisted}`);
    expect(status).toBe(1);
  });

  it("refuse a short file with one importer, unless that importer lists such files", () => {
    const folder = scratchFolder();
    const files = {
      "package.json": '{ "type": "module" }',
      "src/cli/commands.ts": 'import { a } from "./a.ts";\nimport { b } from "./b.ts";\nexport const all = [a, b];\n',
      "src/cli/a.ts": 'import { c } from "./c.ts";\nimport { d } from "./d.ts";\nexport const a = [c, d];\n',
      "src/cli/b.ts": 'import { d } from "./d.ts";\nexport const b = () => [d, import("./e.ts")];\n',
      "src/cli/c.ts": "export const c = 1;\n",
      "src/cli/d.ts": "export const d = 1;\n",
      "src/cli/e.ts": `export const e = 1;\n${"\n".repeat(39)}`,
    };
    for (const [path, source] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), source);
    }
    mkdirSync(join(folder, "scripts"));
    cpSync(join(root, "scripts/small-files.js"), join(folder, "scripts/small-files.js"));
    const { status, stdout } = spawnSync(process.execPath, [join(folder, "scripts/small-files.js")], {
      encoding: "utf8",
    });
    expect(stdout.split("\n")[0]).toBe("src/cli/c.ts has 1 lines and one importer: src/cli/a.ts");
    expect(stdout.split("\n")).toHaveLength(3);
    expect(status).toBe(1);
  });
});
