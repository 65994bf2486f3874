import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { ApprovalPlace } from "../../../src/clients/approval/approval.ts";
import { approvalsOf } from "../../../src/clients/approval/approvals-of.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let place: ApprovalPlace & { home: string; folder: string };

beforeEach(() => {
  const base = folders.make();
  place = { home: join(base, "home"), folder: join(base, "home/work/app"), env: {}, server: "user", hooks: "user" };
  mkdirSync(join(place.folder, ".git"), { recursive: true });
});

function write(file: string, content: string | object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

const atHome = (file: string, content: string | object) => write(join(place.home, file), content);
const here = (file: string, content: string | object) => write(join(place.folder, file), content);
const levels = (client: Parameters<typeof approvalsOf>[0], more: Partial<ApprovalPlace> = {}) =>
  approvalsOf(client, { ...place, ...more }).map(({ level, says }) => `${level}: ${says}`);
const trusts = (more: object = {}) => ({ projects: { [place.folder]: { hasTrustDialogAccepted: true, ...more } } });

describe("USE-9 USE-17 what Claude Code was told by its user", () => {
  const asksTrust = "note: does not trust this folder yet; it asks when it starts here, and runs hooks only then";
  const asksServer = "note: asks whether it may use the server of this project";

  it("USE-17 asks for trust until the folder, or one around it, is trusted", () => {
    expect(levels("claude-code")).toEqual([asksTrust]);
    atHome(".claude.json", { projects: { [place.folder]: { hasTrustDialogAccepted: false } } });
    expect(levels("claude-code")).toEqual([asksTrust]);
    atHome(".claude.json", { projects: { [dirname(place.folder)]: { hasTrustDialogAccepted: true } } });
    expect(levels("claude-code")).toEqual([]);
  });

  it("USE-17 takes the trust of the main worktree for the others, as Claude Code and Codex do", () => {
    const linked = join(place.home, "work/linked");
    const git = join(place.folder, ".git/worktrees/linked");
    write(join(linked, ".git"), `gitdir: ${git}\n`);
    write(join(git, "commondir"), "../..\n");
    write(join(git, "gitdir"), `${join(linked, ".git")}\n`);
    atHome(".claude.json", trusts());
    atHome(".codex/config.toml", `[projects."${place.folder}"]\ntrust_level = "trusted"\n`);
    expect(levels("claude-code", { folder: linked })).toEqual([]);
    expect(levels("codex", { folder: linked, server: "project", hooks: undefined })).toEqual([]);
  });

  it("USE-17 reads the files where CLAUDE_CONFIG_DIR moves them", () => {
    atHome("elsewhere/.claude.json", trusts());
    expect(levels("claude-code", { env: { CLAUDE_CONFIG_DIR: join(place.home, "elsewhere") } })).toEqual([]);
  });

  it("USE-17 knows whether the server of a project was approved, in each place that it reads", () => {
    atHome(".claude.json", trusts());
    const server = { server: "project" } as const;
    expect(levels("claude-code", server)).toEqual([asksServer]);
    here(".claude/settings.local.json", { enabledMcpjsonServers: ["other"] });
    expect(levels("claude-code", server)).toEqual([asksServer]);
    here(".claude/settings.local.json", { enabledMcpjsonServers: ["recollect"] });
    expect(levels("claude-code", server)).toEqual([]);
    atHome(".claude.json", trusts({ disabledMcpjsonServers: ["recollect"] }));
    expect(levels("claude-code", server)).toEqual(["problem: was told not to use the server of this project"]);
    here(".claude/settings.local.json", {});
    atHome(".claude.json", trusts());
    atHome(".claude/settings.json", '{ // all of them\n "enableAllProjectMcpServers": true, }');
    expect(levels("claude-code", server)).toEqual([]);
  });

  it("USE-9 finds what its settings and its menus keep out", () => {
    atHome(".claude.json", trusts({ disabledMcpServers: ["recollect"] }));
    atHome(".claude/settings.json", { disableAllHooks: true });
    here(".claude/settings.json", { permissions: { deny: ["Bash", "mcp__recollect"] } });
    here(".claude/settings.local.json", {
      permissions: { deny: ["mcp__recollect__write_memory", "mcp__recollector"] },
    });
    expect(levels("claude-code")).toEqual([
      "problem: the server is switched off for this project",
      "problem: runs no hooks, since ~/.claude/settings.json sets disableAllHooks",
      "problem: may not call mcp__recollect: ~/work/app/.claude/settings.json denies it",
      "note: may not call mcp__recollect__write_memory: ~/work/app/.claude/settings.local.json denies it",
    ]);
  });

  it("USE-9 says which file cannot be read, and reads a history of ten megabytes", () => {
    atHome(".claude.json", { history: "x".repeat(10 * 1024 * 1024), ...trusts() });
    atHome(".claude/settings.json", "{ broken");
    mkdirSync(join(place.folder, ".claude/settings.json"), { recursive: true });
    expect(levels("claude-code")).toEqual([
      "note: ~/.claude/settings.json cannot be read (it is not valid JSON), so what it allows is not known",
      "note: ~/work/app/.claude/settings.json cannot be read (it is no file), so what it allows is not known",
    ]);
    atHome(".claude.json", `${"[".repeat(100_000)}`);
    expect(levels("claude-code")[0]).toMatch(/^note: ~\/\.claude\.json cannot be read/);
  });
});

describe("USE-9 USE-17 what Codex was told by its user", () => {
  const hook = { type: "command", command: "recollect hook codex", timeout: 10 };
  /** As `hooks/list` of Codex 0.169.0 gives them for the hooks below. */
  const start = "sha256:5cf7b8d7c083cea75a92d3c0b3082bca17a5e5393b449b6c1bfc0e0546898684";
  const end = "sha256:acb93b1f6826a80112c4fe5c851990f3debebc233d3270359bdccf91b0484606";
  const prompt = "sha256:7ac700d2a0f4b50ebe0ad9b29f86905bea10d9ef84d48d285c6566c5817953b4";
  const state = (event: string, more: string) =>
    `[hooks.state."${join(place.home, ".codex/hooks.json")}:${event}:0:0"]\n${more}\n`;

  beforeEach(() => {
    atHome(".codex/hooks.json", {
      hooks: {
        SessionStart: [{ matcher: "startup|resume|compact", hooks: [hook] }],
        UserPromptSubmit: [{ matcher: "x", hooks: [{ ...hook, statusMessage: "Recollect" }] }],
        SessionEnd: [{ hooks: [{ type: "command", command: "recollect hook codex" }] }],
        Stop: [{ hooks: [{ type: "command", command: "say done" }] }],
      },
    });
  });

  it("USE-17 knows which of our hooks the user trusted, by the hashes that Codex itself makes", () => {
    const review = "it leaves them out without a word until you trust them";
    expect(levels("codex")).toEqual([`note: does not run the hooks of Recollect: ${review}`]);
    const trusted = (hash: string) => `trusted_hash = "${hash}"`;
    const started = state("session_start", trusted(start)) + state("session_end", trusted(end));
    atHome(".codex/config.toml", started);
    expect(levels("codex")).toEqual([`note: does not run 1 of the 3 hooks of Recollect: ${review}`]);
    atHome(".codex/config.toml", started + state("user_prompt_submit", trusted(prompt)));
    expect(levels("codex")).toEqual([]);
    atHome(".codex/config.toml", started + state("user_prompt_submit", trusted(start)));
    expect(levels("codex")).toEqual([
      "note: no longer runs 1 of the 3 hooks of Recollect: they changed since you trusted them",
    ]);
    atHome(".codex/config.toml", started + state("user_prompt_submit", `enabled = false\n${trusted(prompt)}`));
    expect(levels("codex")).toEqual(["problem: has 1 of our hooks switched off"]);
    atHome(".codex/config.toml", "[features]\nhooks = false\n");
    expect(levels("codex")).toEqual(["problem: runs no hooks, since ~/.codex/config.toml switches them off"]);
  });

  it("USE-17 knows whether the project is trusted, where a project's file matters", () => {
    const server = { server: "project", hooks: undefined } as const;
    const trust = (folder: string, level: string) =>
      atHome(".codex/config.toml", `[projects."${folder}"]\ntrust_level = "${level}"\n`);
    expect(levels("codex", server)).toEqual([expect.stringContaining("note: does not trust this project yet")]);
    // A folder around the repository does not count, as tried with Codex.
    trust(dirname(place.folder), "trusted");
    expect(levels("codex", server)).toHaveLength(1);
    trust(place.folder, "untrusted");
    expect(levels("codex", server)).toEqual([expect.stringContaining("problem: was told not to trust this project")]);
    trust(place.folder, "trusted");
    expect(levels("codex", server)).toEqual([]);
    expect(levels("codex", { hooks: undefined })).toEqual([]);
  });

  it("USE-9 finds a server that is switched off, and a file that is no TOML", () => {
    atHome(".codex/config.toml", '[mcp_servers.recollect]\ncommand = "x"\nenabled = false\n');
    expect(levels("codex", { hooks: undefined })).toEqual([
      "problem: the server is switched off in ~/.codex/config.toml",
    ]);
    atHome(".codex/config.toml", "[broken\n");
    expect(levels("codex")).toEqual([expect.stringMatching(/^note: ~\/\.codex\/config\.toml cannot be read/)]);
  });
});

describe("USE-9 USE-17 what Gemini CLI was told by its user", () => {
  it("USE-17 follows the longest rule on a folder, as Gemini CLI does", () => {
    const rules = (given: object) => atHome(".gemini/trustedFolders.json", given);
    expect(levels("gemini-cli")).toEqual([expect.stringContaining("note: does not trust this folder yet")]);
    rules({ [place.home]: "TRUST_FOLDER" });
    expect(levels("gemini-cli")).toEqual([]);
    rules({ [place.home]: "TRUST_FOLDER", [dirname(place.folder)]: "DO_NOT_TRUST" });
    expect(levels("gemini-cli")).toEqual([expect.stringContaining("problem: was told not to trust this folder")]);
    rules({ [join(dirname(place.folder), "sibling")]: "TRUST_PARENT" });
    expect(levels("gemini-cli")).toEqual([]);
    rules({});
    atHome(".gemini/settings.json", { security: { folderTrust: { enabled: false } } });
    expect(levels("gemini-cli")).toEqual([]);
  });

  it("USE-9 finds what its settings keep out", () => {
    atHome(".gemini/trustedFolders.json", { [place.folder]: "TRUST_FOLDER" });
    atHome(".gemini/settings.json", { mcp: { excluded: ["Recollect"] }, hooksConfig: { enabled: false } });
    here(".gemini/settings.json", { mcp: { allowed: ["other"] }, hooksConfig: { disabled: ["recollect"] } });
    atHome(".gemini/mcp-server-enablement.json", { recollect: { enabled: false } });
    expect(levels("gemini-cli")).toEqual([
      "problem: may not use the server: ~/.gemini/settings.json excludes it",
      "problem: may use only the servers that ~/work/app/.gemini/settings.json allows, and this is none of them",
      "problem: the server is switched off",
      "problem: runs no hooks, since ~/.gemini/settings.json switches them off",
      "problem: does not run the hook “recollect”, since ~/work/app/.gemini/settings.json disables it",
    ]);
  });
});

it("USE-9 says what OpenCode needs before its first start, and what is switched off", () => {
  const online = expect.stringContaining("note: its first start needs the network");
  expect(levels("opencode")).toEqual([online]);
  expect(levels("opencode", { hooks: undefined })).toEqual([]);
  mkdirSync(join(place.home, ".config/opencode/node_modules/@opencode-ai/plugin"), { recursive: true });
  here("opencode.jsonc", '{ "mcp": { "recollect": { "enabled": false } } } // not here');
  expect(levels("opencode")).toEqual(["problem: the server is switched off in ~/work/app/opencode.jsonc"]);
  const moved = { XDG_CONFIG_HOME: join(place.home, "elsewhere") };
  expect(levels("opencode", { env: moved })).toContainEqual(online);
});

it.each(["cursor", "vscode"] as const)("USE-17 says that the answers given to %s cannot be read", (client) => {
  expect(approvalsOf(client, place)).toMatchObject([
    { level: "note", says: expect.stringContaining("cannot be read") },
  ]);
  expect(levels(client, { server: undefined })).toEqual([]);
});
