import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { SettingSource } from "../../src/settings/resolve-settings.ts";
import type { SettingFlags } from "../../src/settings/setting-texts.ts";
import { type SettingFlagName, type SettingKey, settingKeys, settingOf } from "../../src/settings/settings.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { type SettingsHome, settingsHome, yamlOf } from "./settings-home.ts";

const folders = temporaryFolders();
let at: SettingsHome;

beforeEach(() => {
  at = settingsHome(folders.make());
});

/** What each source says for a setting, and how the value shows: a folder by what was given. */
interface Example {
  readonly project: unknown;
  readonly user: unknown;
  readonly environment: string;
  readonly flag: SettingFlags;
  readonly shows: readonly [project: unknown, user: unknown, environment: unknown, flag: unknown];
}

function texts(flag: SettingFlags, [project, user, environment, last]: readonly string[]): Example {
  return { project, user, environment: environment ?? "", flag, shows: [project, user, environment, last] };
}

/** One that no flag sets. */
function switches(...[project, user, environment]: readonly boolean[]): Example {
  const shows = [project, user, environment, environment] as const;
  return { project, user, environment: environment ? "on" : "off", flag: {}, shows };
}

function numbers(flag: SettingFlagName): Example {
  const given = { [flag]: "500" } as SettingFlags;
  return { project: 200, user: 300, environment: " 400 ", flag: given, shows: [200, 300, 400, 500] };
}

// A key without an example does not compile, and the test below says so as well.
const examples: Readonly<Record<SettingKey, Example>> = {
  project_name: texts({ "--project-name": "four" }, ["app", "two", "three", "four"]),
  "database.url": texts({ "--database-url": "postgres://d/d" }, [
    "postgres://a/a",
    "postgresql://b/b",
    "postgres://c/c",
    "postgres://d/d",
  ]),
  "database.space": texts({ "--database-space": "d" }, ["a", "b/c", "c", "d"]),
  "database.connections": numbers("--database-connections"),
  "database.statement_seconds": numbers("--database-statement-seconds"),
  "memories.folder": texts({ "--memories-folder": "d" }, ["a", "b", "c", "d"]),
  "memories.additional_folders": {
    project: ["a", "b"],
    user: ["c:ro"],
    environment: "d, e ,",
    flag: { "--additional-folders": "f,g:ro", "--additional-folder": ["h,i"] },
    shows: [["a", "b"], ["c"], ["d", "e"], ["f", "g", "h,i"]],
  },
  "memories.read_only": {
    project: ["a/**"],
    user: [],
    environment: "c,{d,e}/*,f",
    flag: { "--read-only": ["g,h", "i"] },
    shows: [["a/**"], [], ["c", "{d,e}/*", "f"], ["g,h", "i"]],
  },
  "memories.global_folder": texts({ "--global-folder": "d" }, ["a", "b", "c", "d"]),
  "memories.global_writable": {
    project: true,
    user: true,
    environment: "FALSE",
    flag: { "--global-writable": true },
    shows: [true, true, false, true],
  },
  "bank.memory_path": texts({ "--memory-path": "d" }, ["a", "b", "c", "d"]),
  share_worktrees: {
    project: false,
    user: true,
    environment: "0",
    flag: { "--share-worktrees": "true" },
    shows: [false, true, false, true],
  },
  "limits.document_bytes": {
    project: 2000,
    user: 3000,
    environment: " 4000 ",
    flag: { "--document-bytes": "5000" },
    shows: [2000, 3000, 4000, 5000],
  },
  "agent.id": texts({ "--agent-id": "d" }, ["a", "b", "c", "d"]),
  "agent.app_cache_dir": texts({ "--app-cache-dir": "d" }, ["a", "b", "c", "d"]),
  tools: {
    project: ["topics"],
    user: ["bank"],
    environment: "agent,memories",
    flag: { "--tools": "memories" },
    shows: [["topics"], ["bank"], ["agent", "memories"], ["memories"]],
  },
  memory_path: texts({ "--topics-folder": "d" }, ["a", "b", "c", "d"]),
  "memory_configuration.external_memory_enabled": {
    project: false,
    user: true,
    environment: "false",
    flag: { "--external-memory": true },
    shows: [false, true, false, true],
  },
  "memory_configuration.memory_path": texts({ "--external-memory-path": "d" }, ["a", "b", "c", "d"]),
  "memory_configuration.memory_type": texts({ "--external-memory-type": "git_repo" }, [
    "local_dir",
    "git_repo",
    "local_dir",
    "git_repo",
  ]),
  "memory_configuration.sync_strategy": texts({ "--sync-strategy": "manual" }, [
    "manual",
    "on_write",
    "interval",
    "manual",
  ]),
  "memory_configuration.sync_interval_minutes": {
    project: 1,
    user: 30,
    environment: "60",
    flag: { "--sync-interval-minutes": "5" },
    shows: [1, 30, 60, 5],
  },
  "memory_configuration.on_external_failure": texts({ "--on-external-failure": "fail" }, [
    "fail",
    "fallback",
    "fail",
    "fail",
  ]),
  "guard.policy": texts({ "--guard-policy": "standard" }, ["strict", "standard", "warn", "standard"]),
  "history.keep": {
    project: "all",
    user: 30,
    environment: " 365 ",
    flag: { "--history-keep": "all" },
    shows: ["all", 30, 365, "all"],
  },
  "history.commit_to_project": {
    project: false,
    user: true,
    environment: "0",
    flag: { "--commit-to-project": true },
    shows: [false, true, false, true],
  },
  "hooks.enabled": switches(true, false, true),
  "hooks.session_start": switches(true, false, true),
  "hooks.prompt": switches(true, true, false),
  "hooks.errors": switches(false, true, false),
  "hooks.compaction": switches(true, false, false),
  "hooks.subagents": switches(true, false, true),
  "hooks.ask": {
    project: "always",
    user: "never",
    environment: "always",
    flag: {},
    shows: ["always", "never", "always", "always"],
  },
  "hooks.sessions": switches(true, false, true),
  "hooks.notices": switches(false, false, true),
  "search.meaning": {
    project: false,
    user: true,
    environment: "0",
    flag: { "--search-meaning": true },
    shows: [false, true, false, true],
  },
  "search.recency_weight": {
    project: 0.5,
    user: 0,
    environment: " 1.25 ",
    flag: { "--search-recency-weight": "10" },
    shows: [0.5, 0, 1.25, 10],
  },
  "search.recency_half_life_days": {
    project: 7,
    user: 30,
    environment: "365",
    flag: { "--search-recency-half-life-days": "1" },
    shows: [7, 30, 365, 1],
  },
  "search.context_weight": {
    project: 0,
    user: 0.75,
    environment: "1",
    flag: { "--search-context-weight": "2.5" },
    shows: [0, 0.75, 1, 2.5],
  },
  "search.model": texts({ "--search-model": "none" }, ["endpoint", "local", "endpoint", "none"]),
  "search.endpoint": texts({ "--search-endpoint": "http://d:1/v1" }, [
    "https://a/v1",
    "http://localhost:11434/v1",
    "http://[::1]:1234/v1/",
    "http://d:1/v1",
  ]),
  "search.endpoint_model": texts({ "--search-endpoint-model": "d" }, ["a", "nomic-embed-text", "c/d:e", "d"]),
  "search.endpoint_key_variable": texts({ "--search-endpoint-key-variable": "D" }, ["A", "OPENAI_API_KEY", "_c9", "D"]),
  "serve.host": texts({ "--host": "localhost" }, ["127.0.0.1", "::1", "0.0.0.0", "localhost"]),
  "serve.port": {
    project: 1,
    user: 80,
    environment: "8080",
    flag: { "--port": "0" },
    shows: [1, 80, 8080, 0],
  },
  "serve.addresses": {
    project: ["https://a.example.org"],
    user: [],
    environment: "https://b.example.org, http://c.example.org:8080",
    flag: { "--addresses": "https://d.example.org" },
    shows: [
      ["https://a.example.org"],
      [],
      ["https://b.example.org", "http://c.example.org:8080"],
      ["https://d.example.org"],
    ],
  },
  "serve.body_bytes": {
    project: 2000,
    user: 3000,
    environment: "4000",
    flag: { "--body-bytes": "5000" },
    shows: [2000, 3000, 4000, 5000],
  },
  "serve.requests_per_minute": {
    project: 1,
    user: 2,
    environment: "3",
    flag: { "--requests-per-minute": "4" },
    shows: [1, 2, 3, 4],
  },
  "serve.request_seconds": {
    project: 1,
    user: 2,
    environment: "3",
    flag: { "--request-seconds": "4" },
    shows: [1, 2, 3, 4],
  },
  "serve.requests_at_once": {
    project: 1,
    user: 2,
    environment: "3",
    flag: { "--requests-at-once": "4" },
    shows: [1, 2, 3, 4],
  },
  "serve.requests_waiting": {
    project: 0,
    user: 2,
    environment: "3",
    flag: { "--requests-waiting": "4" },
    shows: [0, 2, 3, 4],
  },
  "serve.oauth_issuer": texts({ "--oauth-issuer": "https://d" }, ["https://a", "https://b", "https://c/", "https://d"]),
  "serve.oauth_audience": texts({ "--oauth-audience": "d" }, ["a", "https://b/mcp", "c", "d"]),
  "serve.oauth_jwks_uri": texts({ "--oauth-jwks-uri": "https://d/k" }, [
    "https://a/k",
    "http://127.0.0.1:1/k",
    "https://c/k",
    "https://d/k",
  ]),
  "serve.oauth_algorithms": {
    project: ["RS256"],
    user: ["ES256"],
    environment: "EdDSA,PS256",
    flag: { "--oauth-algorithms": "RS512" },
    shows: [["RS256"], ["ES256"], ["EdDSA", "PS256"], ["RS512"]],
  },
  "serve.oauth_agent_claim": texts({ "--oauth-agent-claim": "d" }, ["a", "b", "c", "d"]),
  log_level: texts({ "--log-level": ["debug", "error"] }, ["debug", "info", "warning", "error"]),
};

/** Of some, nothing that a project says takes effect by itself. */
function mayProjectSay(key: SettingKey): boolean {
  return settingOf(key).trust !== "user" && key !== "memory_configuration.memory_path";
}

const given = ["project", "user", "environment", "flag"] as const;
const subsets = Array.from({ length: 16 }, (_, bits) => given.filter((_, index) => bits & (1 << index)));

/** Not every setting has a flag. */
function subsetsFor(key: SettingKey) {
  return settingOf(key).flags.length > 0 ? subsets : subsets.filter((sources) => !sources.includes("flag"));
}

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  return typeof value === "object" && value !== null && "given" in value ? value.given : value;
}

describe("settings from all sources", () => {
  it("CFG-1 every setting has an example in the tests", () => {
    expect(Object.keys(examples).sort()).toEqual([...settingKeys].sort());
  });

  it.each(settingKeys)("CFG-1 %s is taken from the highest source that has it, which is named", async (key) => {
    const example = examples[key];
    const setting = settingOf(key);
    const fresh = (await at.resolve()).values[key];
    const userFile = join(at.home, ".config/recollect/config.yaml");
    const names: Readonly<Record<SettingSource, unknown>> = {
      default: { source: "default" },
      project: { source: "project", name: join(at.project, "recollect.yaml"), line: expect.any(Number) },
      user: { source: "user", name: userFile, line: expect.any(Number) },
      environment: { source: "environment", name: setting.env },
      flag: { source: "flag", name: Object.keys(example.flag).join(", ") },
    };
    for (const sources of subsetsFor(key)) {
      at.writeProject(sources.includes("project") ? yamlOf(key, example.project) : "");
      at.writeUser(sources.includes("user") ? yamlOf(key, example.user) : "");
      const { values, origins } = await at.resolve({
        env: sources.includes("environment") ? { [setting.env]: example.environment } : {},
        flags: sources.includes("flag") ? example.flag : {},
      });
      const highest = sources.filter((source) => source !== "project" || mayProjectSay(key)).at(-1);
      expect(origins[key]).toEqual(names[highest ?? "default"]);
      expect(shown(values[key])).toEqual(highest ? example.shows[given.indexOf(highest)] : shown(fresh));
    }
  });

  it("CFG-1 has sensible values where nothing is configured", async () => {
    const folder = (name: string, ...parts: string[]) => ({ given: name, folder: join(...parts) });
    const { values, untrusted, warnings, projectFile, userFile } = await at.resolve();
    expect(values).toEqual({
      project_name: "app",
      "database.url": undefined,
      "database.space": expect.stringMatching(/^app-[0-9a-f]{16}$/),
      "database.connections": 10,
      "database.statement_seconds": 30,
      "memories.folder": folder(".serena/memories", at.project, ".serena/memories"),
      "memories.additional_folders": [],
      "memories.read_only": [],
      "memories.global_folder": folder("~/.serena/memories/global", at.home, ".serena/memories/global"),
      "memories.global_writable": false,
      "bank.memory_path": undefined,
      memory_path: folder("memory", at.project, "memory"),
      "memory_configuration.external_memory_enabled": false,
      "memory_configuration.memory_path": undefined,
      "memory_configuration.memory_type": "local_dir",
      "memory_configuration.sync_strategy": "on_write",
      "memory_configuration.sync_interval_minutes": 10,
      "memory_configuration.on_external_failure": "fallback",
      "guard.policy": "standard",
      "history.keep": "all",
      "history.commit_to_project": false,
      "hooks.enabled": true,
      "hooks.session_start": true,
      "hooks.prompt": true,
      "hooks.errors": true,
      "hooks.compaction": true,
      "hooks.subagents": true,
      "hooks.ask": "attended",
      "hooks.sessions": true,
      "hooks.notices": true,
      "search.meaning": true,
      "search.model": "none",
      "search.endpoint": undefined,
      "search.endpoint_model": undefined,
      "search.endpoint_key_variable": undefined,
      "search.recency_weight": 0.05,
      "search.recency_half_life_days": 60,
      "search.context_weight": 0.3,
      "serve.host": "127.0.0.1",
      "serve.port": 7325,
      "serve.addresses": [],
      "serve.body_bytes": 8_388_608,
      "serve.requests_per_minute": 6000,
      "serve.request_seconds": 60,
      "serve.requests_at_once": 16,
      "serve.requests_waiting": 256,
      "serve.oauth_issuer": undefined,
      "serve.oauth_audience": undefined,
      "serve.oauth_jwks_uri": undefined,
      "serve.oauth_algorithms": ["RS256", "ES256", "EdDSA"],
      "serve.oauth_agent_claim": "agent_id",
      share_worktrees: false,
      "limits.document_bytes": 1_048_576,
      "agent.id": undefined,
      "agent.app_cache_dir": folder(join(at.home, ".local/share/recollect"), at.home, ".local/share/recollect"),
      tools: ["memories", "topics", "search"],
      log_level: undefined,
    });
    expect({ untrusted, warnings, projectFile, userFile }).toEqual({ untrusted: [], warnings: [] });
  });

  it("CFG-1 every default is what its own setting would accept", async () => {
    const { values } = await at.resolve();
    for (const key of settingKeys) {
      const { default: value, type } = settingOf(key);
      if (typeof value !== "function" && value !== undefined) expect(type.schema.safeParse(value).success).toBe(true);
      expect(values).toHaveProperty([key]);
    }
  });

  it("CFG-1 chooses the tools by what is configured", async () => {
    const toolsWith = async (flags: SettingFlags) => (await at.resolve({ flags })).values.tools;
    expect(await toolsWith({ "--memory-path": "/bank" })).toEqual(["memories", "topics", "search", "bank", "files"]);
    expect(await toolsWith({ "--agent-id": "a" })).toEqual(["memories", "topics", "search", "agent"]);
    expect(await toolsWith({ "--memory-path": "/bank", "--agent-id": "a", "--tools": "bank" })).toEqual(["bank"]);
    at.writeProject("bank: { memory_path: /bank }\n");
    expect(await toolsWith({})).toEqual(["memories", "topics", "search"]);
  });

  it("SRCH-2 goes by the local model once it is enabled, says who chose it, and any setting stands above", async () => {
    const models = join(at.home, ".local/share/recollect/models");
    mkdirSync(models, { recursive: true });
    writeFileSync(join(models, "local.json"), "{}");
    const { values, origins } = await at.resolve();
    expect([values["search.model"], origins["search.model"]]).toEqual([
      "local",
      { source: "default", name: "recollect embeddings enable" },
    ]);
    at.writeUser("search: { model: none }\n");
    expect((await at.resolve()).values["search.model"]).toBe("none");
  });

  it("CFG-1 has no project name where the folder's own could not be one", async () => {
    for (const name of [".dotfiles", "templates", "a:b"]) {
      const project = join(at.project, name);
      mkdirSync(project);
      expect((await at.resolve({ project })).values.project_name).toBeUndefined();
    }
    expect((await at.resolve({ project: undefined })).values.project_name).toBeUndefined();
  });

  it.each([
    ["~", ""],
    ["~/notes", "notes"],
    ["~/../home/notes", "notes"],
  ])("CFG-1 %s is in the user's home", async (path, below) => {
    const { values } = await at.resolve({ flags: { "--memories-folder": path } });
    expect(values["memories.folder"]).toEqual({ given: path, folder: join(at.home, below) });
  });

  it("CFG-1 resolves relative paths against the project, from every source, or else the working directory", async () => {
    const elsewhere = folders.make();
    at.writeUser("memories: { folder: ../user }\n");
    const { values } = await at.resolve({
      cwd: elsewhere,
      env: { RECOLLECT_MEMORY_PATH: "bank" },
      flags: { "--additional-folders": "../a:ro,/b" },
    });
    expect(values["memories.folder"].folder).toBe(join(at.project, "../user"));
    expect(values["bank.memory_path"]?.folder).toBe(join(at.project, "bank"));
    expect(values["memories.additional_folders"]).toEqual([
      { given: "../a", folder: join(at.project, "../a"), readOnly: true },
      { given: "/b", folder: "/b", readOnly: false },
    ]);
    const without = await at.resolve({ cwd: elsewhere, project: undefined });
    expect(without.values["memories.folder"].folder).toBe(join(elsewhere, "../user"));
    const relative = await at.resolve({ cwd: join(at.project, ".."), project: "app" });
    expect(relative.values["bank.memory_path"]).toBeUndefined();
    expect(relative.values.project_name).toBe("app");
  });

  it.each([
    ["RECOLLECT_DOCUMENT_BYTES", "many", "expected a whole number from 1024 to 16777216, found the text “many”"],
    ["RECOLLECT_DOCUMENT_BYTES", "0x800", "expected a whole number"],
    ["RECOLLECT_DOCUMENT_BYTES", "5", "found the number 5"],
    ["RECOLLECT_SEARCH_RECENCY_WEIGHT", "10.5", "expected a number from 0 to 10, found the number 10.5"],
    ["RECOLLECT_SEARCH_RECENCY_WEIGHT", "-1", "expected a number from 0 to 10, found the text “-1”"],
    ["RECOLLECT_SEARCH_CONTEXT_WEIGHT", "1e3", "expected a number from 0 to 10"],
    ["RECOLLECT_SEARCH_RECENCY_HALF_LIFE_DAYS", "0", "expected a whole number from 1 to 36500, found the number 0"],
    ["RECOLLECT_GLOBAL_WRITABLE", "maybe", "expected true or false, found the text “maybe”"],
    ["RECOLLECT_SHARE_WORKTREES", "2", "expected true or false, found the text “2”"],
    ["RECOLLECT_TOOLS", "memories,banks", "element 2: expected a list of memories, topics, search, bank, files, agent"],
    ["RECOLLECT_LOG_LEVEL", "loud", "expected one of debug, info, warning, error"],
    ["RECOLLECT_SEARCH_MODEL", "minilm", "expected one of none, local, endpoint"],
    ["RECOLLECT_SEARCH_ENDPOINT", "file:///etc/passwd", "it is no address of http or https"],
    ["RECOLLECT_SEARCH_ENDPOINT", "localhost:11434", "it is no address of http or https"],
    ["RECOLLECT_SEARCH_ENDPOINT", "https://me:word@example.org/v1", "put the key into an environment variable"],
    ["RECOLLECT_SEARCH_ENDPOINT", "https://example.org/v1?key=1", "a part from ? or # on"],
    ["RECOLLECT_SEARCH_ENDPOINT_KEY_VARIABLE", "sk-123", "the key itself belongs into that variable"],
    ["RECOLLECT_MEMORIES_FOLDER", "~bob/x", "only your own home"],
    ["RECOLLECT_ADDITIONAL_FOLDERS", "a,~bob", "element 2: only your own home"],
    ["RECOLLECT_PROJECT_NAME", "a/b", "more than 1 segment"],
    ["RECOLLECT_AGENT_ID", "..", "“..”"],
  ])("CFG-1 names the variable whose value is wrong: %s=%s", async (name, text, says) => {
    const error = await errorOf(() => at.resolve({ env: { [name]: text } }));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining(`${name}: `) });
    expect(error).toMatchObject({ message: expect.stringContaining(says) });
  });

  it.each([
    [{ "--document-bytes": "x" }, "--document-bytes: expected a whole number"],
    [{ "--memories-folder": "" }, "--memories-folder: the folder is empty"],
    [
      { "--memory-path": true },
      "--memory-path: expected a folder, or postgres: and the name of a space, as text, found true",
    ],
    [{ "--tools": true }, "--tools: expected a list of"],
    [{ "--additional-folder": ["a", "~bob"] }, "--additional-folder: element 2: only your own home"],
    [{ "--global-writable": "perhaps" }, "--global-writable: expected true or false"],
  ] as [SettingFlags, string][])("CFG-1 names the flag whose value is wrong: %j", async (flags, says) => {
    expect(await errorOf(() => at.resolve({ flags }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining(says),
    });
  });

  it("CFG-1 takes an empty variable for none, and an empty list by flag for an empty list", async () => {
    at.writeUser("memories: { additional_folders: [a] }\n");
    const env = { RECOLLECT_ADDITIONAL_FOLDERS: "", RECOLLECT_MEMORY_PATH: " " };
    const { values, origins } = await at.resolve({ env });
    expect(values["memories.additional_folders"]).toHaveLength(1);
    expect(origins["bank.memory_path"]).toEqual({ source: "default" });
    const none = await at.resolve({ flags: { "--additional-folders": "" } });
    expect(none.values["memories.additional_folders"]).toEqual([]);
  });

  it("CFG-1 names the user's file without the path of the home, the project's by its name", async () => {
    at.writeUser("nonsense: 1\n");
    expect(await errorOf(() => at.resolve())).toMatchObject({
      message: expect.stringMatching(/^~\/\.config\/recollect\/config\.yaml:1:1 has an unknown key/),
    });
    at.writeProject("log_level: [\n");
    expect(await errorOf(() => at.resolve())).toMatchObject({ message: expect.stringMatching(/^recollect\.yaml:/) });
  });

  it("CFG-1 warns of a variable and a file with a name that is nearly right", async () => {
    writeFileSync(join(at.project, "recollect.yml"), "");
    const env = { RECOLLECT_MEMORY_PATHS: "/x", RECOLLECT_REEXECUTED: "1", RECOLLECT_COLOUR: "x" };
    expect((await at.resolve({ env })).warnings.map(({ message }) => message)).toEqual([
      "The variable RECOLLECT_MEMORY_PATHS is not read; did you mean RECOLLECT_MEMORY_PATH?",
      "recollect.yml is not read; name it recollect.yaml.",
    ]);
  });

  it("CFG-2 warns where the default folder is a link that leads outside, which a clone can bring", async () => {
    symlinkSync(at.home, join(at.project, ".serena"));
    expect((await at.resolve()).warnings).toEqual([
      {
        key: "memories.folder",
        message: "The folder .serena/memories is the default, but it leads outside of the project through a link.",
      },
    ]);
    expect((await at.resolve({ flags: { "--memories-folder": ".serena/memories" } })).warnings).toEqual([]);
  });
});
