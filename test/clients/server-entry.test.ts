import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookCommand, isOurHook } from "../../src/clients/client-hooks.ts";
import { type ClientName, clients } from "../../src/clients/clients.ts";
import { detectClients } from "../../src/clients/detect-clients.ts";
import { findLaunch } from "../../src/clients/launch.ts";
import { createServerEntry, type EntryRequest } from "../../src/clients/server-entry.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

function entryFor(name: ClientName, more: Partial<EntryRequest> = {}) {
  const client = clients.find((each) => each.name === name);
  if (client === undefined) throw new Error(name);
  const request = { client, scope: "project", launch: { kind: "npx" }, platform: "linux", project: "/p", flags: {} };
  return createServerEntry({ ...request, ...more } as EntryRequest);
}

function argsOf({ args }: ReturnType<typeof entryFor>): readonly unknown[] {
  return Array.isArray(args) ? args : [];
}

function touch(...path: string[]): string {
  const file = join(...path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  return file;
}

describe("CLI-2 the entry of the server", () => {
  it.each([
    ["claude-code", ".", { type: "stdio", alwaysLoad: true }],
    ["cursor", `\${workspaceFolder}`, { type: "stdio" }],
    ["vscode", `\${workspaceFolder}`, { type: "stdio" }],
    ["codex", "/p", {}],
    ["gemini-cli", ".", {}],
  ] as const)("CLI-2 says to %s what it understands", (name, project, more) => {
    expect(entryFor(name)).toEqual({
      ...more,
      command: "npx",
      args: ["-y", "recollect", "start-mcp-server", "--project", project, "--context", name],
    });
  });

  it("CLI-2 gives OpenCode the whole line in one list", () => {
    expect(entryFor("opencode", { scope: "user" })).toEqual({
      type: "local",
      command: ["npx", "-y", "recollect", "start-mcp-server", "--context", "opencode"],
      enabled: true,
    });
  });

  it.each([
    ["cursor", ["--project", `\${workspaceFolder}`]],
    ["codex", []],
    ["gemini-cli", []],
  ] as const)("CLI-2 names no project in the user's own file of %s, which serves them all", (name, where) => {
    const args = argsOf(entryFor(name, { scope: "user" }));
    expect(args).toEqual(["-y", "recollect", "start-mcp-server", ...where, "--context", name]);
  });

  it("CLI-2 passes the flags on", () => {
    const flags = { projectName: "shop", additionalFolders: "../a,../b:ro", memoryPath: "/bank", agentId: "me" };
    expect(argsOf(entryFor("gemini-cli", { flags })).slice(7)).toEqual([
      "--project-name",
      "shop",
      "--additional-folders",
      "../a,../b:ro",
      "--memory-path",
      "/bank",
      "--agent-id",
      "me",
    ]);
  });

  it("CLI-2 starts a checkout by its absolute path, on every system", () => {
    const launch = { kind: "checkout", bin: "/r/bin/recollect.cjs" } as const;
    expect(entryFor("claude-code", { launch, platform: "win32" })).toMatchObject({
      command: "node",
      args: expect.arrayContaining(["/r/bin/recollect.cjs", "start-mcp-server"]),
    });
  });

  it.each([
    ["claude-code", "cmd", ["/c", "npx", "-y", "recollect"]],
    ["cursor", "cmd", ["/c", "npx", "-y", "recollect"]],
    ["gemini-cli", "cmd", ["/c", "npx", "-y", "recollect"]],
    ["vscode", "npx", ["-y", "recollect"]],
    ["codex", "npx", ["-y", "recollect"]],
  ] as const)("CLI-2 starts npx on Windows as %s needs it", (name, command, args) => {
    const entry = entryFor(name, { platform: "win32" });
    expect([entry["command"], argsOf(entry).slice(0, args.length)]).toEqual([command, args]);
  });

  it("CLI-2 USE-17 has npx look at home, not in the project, for a program that a clone may bring", () => {
    const launch = { kind: "npx", home: "/home/a b" } as const;
    const prefixed = ["--prefix", "/home/a b", "-y", "recollect"];
    expect(argsOf(entryFor("codex", { launch, scope: "user" })).slice(0, 4)).toEqual(prefixed);
    expect(argsOf(entryFor("codex", { launch, scope: "project" })).slice(0, 4)).toEqual(prefixed);
    expect(argsOf(entryFor("codex", { launch, scope: "shared" })).slice(0, 2)).toEqual(["-y", "recollect"]);
    const hook = hookCommand("codex", launch, "user", "linux");
    expect(hook).toBe("npx --prefix '/home/a b' -y recollect hook codex");
    expect(isOurHook({ command: hook })).toBe(true);
    expect(hookCommand("codex", launch, "shared", "linux")).toBe("npx -y recollect hook codex");
  });

  it("CLI-2 starts an installed command by its name, on Windows by its shell", () => {
    const launch = { kind: "global" } as const;
    expect(entryFor("claude-code", { launch })["command"]).toBe("recollect");
    expect(argsOf(entryFor("claude-code", { launch, platform: "win32" })).slice(0, 2)).toEqual(["/c", "recollect"]);
  });
});

describe("CLI-2 how this copy is started", () => {
  const at = (packageFolder: string, searchPath: string[], platform: NodeJS.Platform = "linux") =>
    findLaunch({ cwd: "/", home: "/", platform, searchPath, packageFolder }).kind;

  it("CLI-2 is its checkout where its sources are", () => {
    const folder = folders.make();
    mkdirSync(join(folder, "src"));
    expect(at(folder, [])).toBe("checkout");
  });

  it("CLI-2 is the command on PATH where that is this copy, and npx otherwise", () => {
    const folder = folders.make();
    const copy = join(folder, "lib/node_modules/recollect");
    const bin = touch(copy, "bin/recollect.cjs");
    mkdirSync(join(folder, "bin"));
    symlinkSync(bin, join(folder, "bin/recollect"));
    expect(at(copy, ["", join(folder, "bin")])).toBe("global");
    expect(at(copy, [join(folder, "elsewhere")])).toBe("npx");
    const other = join(folder, "other/node_modules/recollect");
    touch(other, "bin/recollect.cjs");
    expect(at(other, [join(folder, "bin")])).toBe("npx");
  });

  it.each(["_npx/1/node_modules/.bin", "project/node_modules/.bin"])(
    "CLI-2 is npx where the command on PATH is only there for this run: %s",
    (place) => {
      const folder = folders.make();
      const copy = join(folder, "x/node_modules/recollect");
      const bin = touch(copy, "bin/recollect.cjs");
      mkdirSync(join(folder, place), { recursive: true });
      symlinkSync(bin, join(folder, place, "recollect"));
      expect(at(copy, [join(folder, place)])).toBe("npx");
    },
  );

  it("CLI-2 is the command on Windows where the shim stands beside this copy", () => {
    const folder = folders.make();
    const copy = join(folder, "node_modules/recollect");
    touch(copy, "bin/recollect.cjs");
    touch(folder, "recollect.cmd");
    expect(at(copy, [folder], "win32")).toBe("global");
  });
});

describe("CLI-2 the clients that are in evidence", () => {
  const found = (project: string, home: string, searchPath: string[] = []) =>
    detectClients(project, { cwd: project, home, platform: "linux", searchPath, packageFolder: "/" }).map(
      ({ name }) => name,
    );

  it("CLI-2 are found in the project, in the home folder and on PATH", () => {
    const [project, home, commands] = [folders.make(), folders.make(), folders.make()];
    expect(found(project, home, [commands])).toEqual([]);
    mkdirSync(join(project, ".cursor"));
    mkdirSync(join(home, ".codex"));
    chmodSync(touch(commands, "gemini"), 0o755);
    expect(found(project, home, [commands])).toEqual(["codex", "gemini-cli", "cursor"]);
  });
});
