import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type SettingKey, settingKeys, settingOf } from "../../src/settings/settings.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { type SettingsHome, settingsHome, yamlOf } from "./settings-home.ts";

const folders = temporaryFolders();
let at: SettingsHome;

beforeEach(() => {
  at = settingsHome(folders.make());
  mkdirSync(join(at.project, "inside"));
  mkdirSync(join(at.project, "../app-evil"));
  mkdirSync(join(at.project, ".git/hooks"), { recursive: true });
  symlinkSync(at.home, join(at.project, "link"));
  symlinkSync(join(at.home, "not-yet"), join(at.project, "dangling"));
  symlinkSync("loop", join(at.project, "loop"));
  symlinkSync("inside", join(at.project, "link-inside"));
  symlinkSync("../dangling", join(at.project, "inside/chain"));
});

const outsideFolders = [
  "..",
  "../app-evil",
  "../other",
  "inside/../../other",
  "/etc",
  "/",
  "~",
  "~/notes",
  "link",
  "link/notes",
  "link/not/there",
  "dangling",
  "dangling/deeper",
  "inside/chain",
  "loop",
  "loop/x",
  ".git",
  ".git/hooks",
];
/** A space of the database is never a part of the project. */
const outsidePlaces = [...outsideFolders, "postgres:app/memories", "postgres:other"];
const insideFolders = [".", "inside", "inside/new/deep", "./inside/../other", "link-inside", "..app"];

/** What a clone's recollect.yaml may try, for every key that is not safe; a new key needs its own line. */
const hostile: Readonly<Partial<Record<SettingKey, { bad: readonly unknown[]; good: readonly unknown[] }>>> = {
  project_name: { bad: ["other", "App", "app-evil"], good: ["app"] },
  "database.url": { bad: ["postgres://evil.example.org/memory", "postgres://127.0.0.1/memory"], good: [] },
  "database.space": { bad: ["other"], good: [] },
  "database.connections": { bad: [1000], good: [] },
  "database.statement_seconds": { bad: [3600], good: [] },
  "memories.folder": { bad: outsidePlaces, good: insideFolders },
  "memories.additional_folders": {
    bad: outsidePlaces.flatMap((place) => [[place], [`${place}:ro`]]),
    good: [insideFolders, []],
  },
  "memories.global_folder": { bad: ["inside", "/etc", "~/.serena/memories/global"], good: [] },
  "memories.global_writable": { bad: [true, false], good: [] },
  "bank.memory_path": { bad: outsidePlaces, good: insideFolders },
  share_worktrees: { bad: [true], good: [false] },
  memory_path: { bad: outsidePlaces, good: insideFolders },
  "memory_configuration.external_memory_enabled": { bad: [true], good: [false] },
  "memory_configuration.memory_path": { bad: ["/etc", "https://example.org/evil.git", "inside"], good: [] },
  "memory_configuration.memory_type": { bad: ["git_repo"], good: ["local_dir"] },
  "memory_configuration.sync_strategy": { bad: ["on_write", "interval"], good: ["manual"] },
  "guard.policy": { bad: ["warn"], good: ["standard", "strict"] },
  "history.keep": { bad: [1, 36_500], good: ["all"] },
  "history.commit_to_project": { bad: [true], good: [false] },
  "hooks.enabled": { bad: [true, false], good: [] },
  "hooks.session_start": { bad: [true, false], good: [] },
  "hooks.prompt": { bad: [true, false], good: [] },
  "hooks.errors": { bad: [true, false], good: [] },
  "hooks.compaction": { bad: [true, false], good: [] },
  "hooks.subagents": { bad: [true, false], good: [] },
  "hooks.ask": { bad: ["always", "never"], good: [] },
  "hooks.sessions": { bad: [true, false], good: [] },
  "hooks.notices": { bad: [true, false], good: [] },
  "search.model": { bad: ["endpoint", "local", "none"], good: [] },
  "search.endpoint": { bad: ["https://example.org/v1", "http://127.0.0.1:11434/v1"], good: [] },
  "search.endpoint_model": { bad: ["text-embedding-3-large"], good: [] },
  "search.endpoint_key_variable": { bad: ["AWS_SECRET_ACCESS_KEY", "HOME"], good: [] },
  tools: { bad: [["files"], ["memories", "agent"]], good: [["memories"], ["topics"], ["search"]] },
  "serve.host": { bad: ["0.0.0.0", "127.0.0.1"], good: [] },
  "serve.port": { bad: [80], good: [] },
  "serve.addresses": { bad: [["https://evil.example.org"]], good: [] },
  "serve.body_bytes": { bad: [67_108_864], good: [] },
  "serve.requests_per_minute": { bad: [10_000_000], good: [] },
  "serve.request_seconds": { bad: [3600], good: [] },
  "serve.requests_at_once": { bad: [1000], good: [] },
  "serve.requests_waiting": { bad: [100_000], good: [] },
  "serve.oauth_issuer": { bad: ["https://evil.example.org"], good: [] },
  "serve.oauth_audience": { bad: ["https://evil.example.org/mcp"], good: [] },
  "serve.oauth_jwks_uri": { bad: ["https://evil.example.org/jwks.json"], good: [] },
  "serve.oauth_algorithms": { bad: [["RS512"]], good: [] },
  "serve.oauth_agent_claim": { bad: ["sub"], good: [] },
  log_level: { bad: ["error"], good: [] },
  "agent.id": { bad: ["reviewer"], good: [] },
  "agent.app_cache_dir": { bad: ["inside", "/tmp"], good: [] },
};

const guarded = settingKeys.filter((key) => settingOf(key).trust !== "safe");
const trustable = guarded.filter((key) => settingOf(key).trust === "outside");
const ofUser = guarded.filter((key) => settingOf(key).trust === "user");

const examplesOf = (key: SettingKey, kind: "bad" | "good") => hostile[key]?.[kind] ?? [];

describe("a recollect.yaml that came with a clone", () => {
  it("CFG-2 is tried with every key that is not safe", () => {
    expect(Object.keys(hostile).sort()).toEqual([...guarded].sort());
    for (const key of guarded) expect(examplesOf(key, "bad").length, key).toBeGreaterThan(0);
  });

  it("CFG-2 every key that is refused says why", () => {
    for (const key of guarded) {
      const setting = settingOf(key);
      if (setting.trust === "safe" || setting.type.holds !== "plain") continue;
      expect(setting.why, key).toBeTruthy();
    }
  });

  it.each(guarded)("CFG-2 has no effect by %s before it is trusted, and the user is told", async (key) => {
    const before = await at.resolve();
    for (const raw of examplesOf(key, "bad")) {
      at.writeProject(`# hello\n${yamlOf(key, raw)}`);
      const { values, origins, untrusted } = await at.resolve();
      expect(values, JSON.stringify(raw)).toEqual(before.values);
      expect(origins[key]).toEqual({ source: "default" });
      expect(untrusted, JSON.stringify(raw)).toEqual([
        {
          key,
          value: Array.isArray(raw) && settingOf(key).type.holds === "folders" ? raw[0] : raw,
          why: expect.stringMatching(/^it .{10}/),
          line: expect.any(Number),
          trustable: settingOf(key).trust === "outside",
        },
      ]);
    }
  });

  it.each(trustable)("CFG-2 has its effect by %s once it is trusted, until one byte changes", async (key) => {
    for (const raw of examplesOf(key, "bad")) {
      const content = Buffer.from(`# hello\n${yamlOf(key, raw)}`);
      const file = at.writeProject(content);
      const { projectFile } = await at.resolve();
      at.trust.trust(file, projectFile?.content ?? Buffer.alloc(0));
      const trusted = await at.resolve();
      expect(trusted.untrusted).toEqual([]);
      expect(trusted.origins[key].source).toBe("project");
      content[2] = 0x48;
      at.writeProject(content);
      const changed = await at.resolve();
      expect(changed.origins[key].source).toBe("default");
      expect(changed.untrusted).toHaveLength(1);
    }
  });

  it.each(ofUser)("CFG-2 never has an effect by %s, trusted or not", async (key) => {
    for (const raw of examplesOf(key, "bad")) {
      const content = Buffer.from(`bank: { memory_path: /bank }\n${yamlOf(key, raw)}`);
      at.trust.trust(at.writeProject(content), content);
      const { origins, untrusted } = await at.resolve();
      expect(origins[key]).toEqual({ source: "default" });
      expect(origins["bank.memory_path"].source).toBe("project");
      expect(untrusted).toMatchObject([{ key, value: raw, trustable: false }]);
    }
  });

  it.each(trustable)("CFG-2 may use %s inside of the project without trust", async (key) => {
    for (const raw of examplesOf(key, "good")) {
      at.writeProject(yamlOf(key, raw));
      const { origins, untrusted } = await at.resolve({ trust: { isTrusted: () => expect.unreachable() } });
      expect(untrusted, JSON.stringify(raw)).toEqual([]);
      expect(origins[key].source, JSON.stringify(raw)).toBe("project");
    }
  });

  it("CFG-2 loses only those elements of a list that reach outside", async () => {
    at.writeProject("memories:\n  additional_folders: [inside, /etc, link:ro, new:ro]\n");
    const { values, untrusted } = await at.resolve();
    expect(values["memories.additional_folders"]).toEqual([
      { given: "inside", folder: join(at.project, "inside"), readOnly: false },
      { given: "new", folder: join(at.project, "new"), readOnly: true },
    ]);
    expect(untrusted.map(({ value, why, line }) => [value, why, line])).toEqual([
      ["/etc", "it lies outside of the project", 2],
      ["link:ro", "it leads outside of the project through a link", 2],
    ]);
  });

  it("CFG-2 is measured from where the project really is, also when it is opened through a link", async () => {
    const alias = join(at.home, "alias");
    symlinkSync(at.project, alias);
    at.writeProject(`memories: { additional_folders: [inside, ${at.project}/inside, ../other] }\n`);
    const { values, untrusted } = await at.resolve({ project: alias, cwd: alias });
    expect(values["memories.additional_folders"]).toHaveLength(2);
    expect(untrusted).toMatchObject([{ value: "../other" }]);
  });

  it("CFG-2 is trusted in its place alone: a copy elsewhere is not, the same file through a link is", async () => {
    const content = Buffer.from("bank: { memory_path: /bank }\n");
    at.trust.trust(at.writeProject(content), content);
    const copy = settingsHome(folders.make());
    copy.writeProject(content);
    expect((await copy.resolve({ trust: at.trust })).untrusted).toHaveLength(1);
    const alias = join(at.home, "alias");
    symlinkSync(at.project, alias);
    expect((await at.resolve({ project: alias })).untrusted).toEqual([]);
  });

  it("CFG-2 stands below the user's own file, environment and flags, which need no trust", async () => {
    at.writeProject("memories: { folder: /etc }\nshare_worktrees: true\nagent: { id: evil }\n");
    at.writeUser("memories: { folder: /mine, global_writable: true }\n");
    const { values, untrusted } = await at.resolve({
      env: { RECOLLECT_AGENT_ID: "me" },
      flags: { "--memory-path": "/bank" },
    });
    expect(values).toMatchObject({
      "memories.folder": { folder: "/mine" },
      "memories.global_writable": true,
      "agent.id": "me",
      "bank.memory_path": { folder: "/bank" },
      share_worktrees: false,
    });
    expect(untrusted.map(({ key }) => key)).toEqual(["memories.folder", "share_worktrees", "agent.id"]);
  });

  it("CFG-2 is not read through a link", async () => {
    symlinkSync(join(at.home, "secret"), join(at.project, "recollect.yaml"));
    expect(await errorOf(() => at.resolve())).toMatchObject({ message: expect.stringContaining("is a link") });
  });
});
