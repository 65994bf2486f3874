import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clients } from "../../src/clients/clients.ts";
import { applyFilePlan, type FilePlan } from "../../src/clients/file-plan.ts";
import { planSetup } from "../../src/clients/plan.ts";
import { planRemoval } from "../../src/clients/plan-removal.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const skills = [{ name: "remember", text: "# Remember\n" }];
const claude = clients.slice(0, 1);
const cursor = clients.filter(({ name }) => name === "cursor");
/** Where what is to be taken back is remembered: apart from the project. */
const homes = new Map<string, string>();

function request(project: string) {
  const home = homes.get(project) ?? folders.make();
  homes.set(project, home);
  const launch = { kind: "npx" } as const;
  return {
    project,
    home,
    launch,
    platform: "linux",
    searchPath: [],
    flags: {},
    skills,
  } as const;
}
const setup = (project: string, chosen = clients): FilePlan[] =>
  planSetup({ ...request(project), clients: chosen, scope: "shared" });
const removal = (project: string) =>
  planRemoval({ ...request(project), clients, scopes: ["shared"], looksIn: ["shared"], leavesProject: false });
const apply = (plans: readonly FilePlan[]) => plans.map(applyFilePlan);
const first = (plans: readonly FilePlan[]) => plans.filter(({ shown }) => shown === ".mcp.json");

describe("CLI-2 the files of the clients", () => {
  it("CLI-2 are made, are left alone the second time, and go again", () => {
    const project = folders.make();
    expect(new Set(apply(setup(project)))).toEqual(new Set([undefined]));
    expect(readdirSync(project)).toEqual(
      expect.arrayContaining([".claude", ".codex", ".cursor", ".gemini", ".mcp.json", ".opencode", ".vscode", ".zed"]),
    );
    const once = snapshotOf(project);
    expect(new Set(setup(project).map(({ status }) => status))).toEqual(new Set(["unchanged"]));
    apply(setup(project));
    expect(snapshotOf(project)).toEqual(once);
    apply(removal(project));
    expect(readdirSync(project)).toEqual([]);
  });

  it("CLI-2 stay where something else is in them, and so do their folders", () => {
    const project = folders.make();
    mkdirSync(join(project, ".vscode"));
    writeFileSync(join(project, ".vscode/settings.json"), "{}");
    mkdirSync(join(project, ".gemini"));
    writeFileSync(join(project, ".gemini/settings.json"), '{ "theme": "dark" }');
    const before = snapshotOf(project);
    apply(setup(project));
    apply(removal(project));
    expect(snapshotOf(project)).toEqual(before);
  });

  it("CLI-2 keep their mode, and leave no temporary file", () => {
    const project = folders.make();
    const file = join(project, ".mcp.json");
    writeFileSync(file, "{}");
    chmodSync(file, 0o640);
    apply(first(setup(project, claude)));
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(project)).toEqual([".mcp.json"]);
  });

  it("CLI-2 are not written where they changed after they were shown", () => {
    const project = folders.make();
    const plans = first(setup(project, claude));
    writeFileSync(join(project, ".mcp.json"), '{ "mine": 1 }');
    expect(apply(plans)).toEqual([expect.stringContaining("changed meanwhile")]);
    expect(readFileSync(join(project, ".mcp.json"), "utf8")).toBe('{ "mine": 1 }');
  });

  it("CLI-2 are followed through a link inside of the project, and the link stays", () => {
    const project = folders.make();
    mkdirSync(join(project, "config"));
    writeFileSync(join(project, "config/mcp.json"), "{}");
    symlinkSync("config/mcp.json", join(project, ".mcp.json"));
    expect(apply(first(setup(project, claude)))).toEqual([undefined]);
    expect(lstatSync(join(project, ".mcp.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(project, "config/mcp.json"), "utf8")).toContain("recollect");
  });

  it.each([
    [
      "a link out of the project",
      (project: string, outside: string) => {
        writeFileSync(join(outside, "x"), "{}");
        symlinkSync(join(outside, "x"), join(project, ".mcp.json"));
      },
      "leads elsewhere",
    ],
    [
      "a dangling link",
      (project: string, outside: string) => symlinkSync(join(outside, "new"), join(project, ".mcp.json")),
      "leads elsewhere",
    ],
    ["a folder", (project: string) => mkdirSync(join(project, ".mcp.json")), "it is no file"],
    ["a pipe", (project: string) => execFileSync("mkfifo", [join(project, ".mcp.json")]), "it is no file"],
    [
      "a huge file",
      (project: string) => writeFileSync(join(project, ".mcp.json"), " ".repeat(1024 * 1024 + 1)),
      "larger than 1 MiB",
    ],
    [
      "bytes that are no UTF-8",
      (project: string) => writeFileSync(join(project, ".mcp.json"), Buffer.from([0xff, 0xfe, 0x7b])),
      "not UTF-8",
    ],
    ["broken JSON", (project: string) => writeFileSync(join(project, ".mcp.json"), '{ "a": '), "not valid JSON"],
  ] as const)("CLI-2 are left alone where there is %s, and the others go on", (_, prepare, reason) => {
    const [project, outside] = [folders.make(), folders.make()];
    prepare(project, outside);
    const before = snapshotOf(outside);
    const plans = [...first(setup(project, claude)), ...setup(project, cursor)];
    expect(plans.map(({ status }) => status)).toEqual(["refused", "new", "new"]);
    expect(plans[0]?.reason).toContain(reason);
    apply(plans);
    expect(snapshotOf(outside)).toEqual(before);
    expect(readFileSync(join(project, ".cursor/mcp.json"), "utf8")).toContain("recollect");
  });

  it("CLI-2 are left alone behind a folder that is a link out of the project", () => {
    const [project, outside] = [folders.make(), folders.make()];
    symlinkSync(outside, join(project, ".cursor"));
    expect(setup(project, cursor)).toMatchObject([{ status: "refused" }, { status: "refused" }]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("CLI-2 are not followed where they became a link after they were shown", () => {
    const [project, outside] = [folders.make(), folders.make()];
    writeFileSync(join(project, ".mcp.json"), "{}");
    writeFileSync(join(outside, "x"), "{}");
    const plans = first(setup(project, claude));
    unlinkSync(join(project, ".mcp.json"));
    symlinkSync(join(outside, "x"), join(project, ".mcp.json"));
    expect(apply(plans)).toEqual([expect.stringContaining("leads elsewhere")]);
    expect(readFileSync(join(outside, "x"), "utf8")).toBe("{}");
  });

  it("CLI-2 that are broken but never heard of us are no matter of a removal", () => {
    const project = folders.make();
    writeFileSync(join(project, ".mcp.json"), "{ broken");
    expect(removal(project)).toEqual([]);
    writeFileSync(join(project, ".mcp.json"), '{ broken "recollect"');
    expect(removal(project)).toMatchObject([{ status: "refused" }]);
  });

  it("CLI-2 show only what changes", () => {
    const project = folders.make();
    const lines = Array.from({ length: 50 }, (_, index) => `  "k${index}": ${index},`);
    writeFileSync(join(project, ".mcp.json"), `{\n${lines.join("\n")}\n  "last": 1\n}\n`);
    expect(first(setup(project, claude))[0]?.diff).toEqual([
      "@@ -50,4 +50,12 @@",
      '   "k48": 48,',
      '   "k49": 49,',
      '-  "last": 1',
      '+  "last": 1,',
      '+  "mcpServers": {',
      '+    "recollect": {',
      '+      "type": "stdio",',
      '+      "command": "npx",',
      '+      "args": ["-y", "recollect", "start-mcp-server", "--project", ".", "--context", "claude-code"],',
      '+      "alwaysLoad": true',
      "+    }",
      "+  }",
      " }",
    ]);
  });
});
