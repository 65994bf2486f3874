import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type SettingKey, settingKeys, settingOf } from "../../src/app.ts";
import { snapshotOf } from "../helpers/folder-snapshot.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { someCases } from "../helpers/some-cases.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { yamlOf } from "./settings-home.ts";

const folders = temporaryFolders();
const guarded = settingKeys.filter((key) => settingOf(key).trust !== "safe");
const trustable = guarded.filter((key) => settingOf(key).trust === "outside");
const ofUser = guarded.filter((key) => settingOf(key).trust === "user");

/** A value that reaches outside, for any key there is or will be: from its type, never from a list that one forgets. */
function hostileValue(key: SettingKey, outside: string): unknown {
  const setting = settingOf(key);
  const { schema, holds } = setting.type;
  const options = "options" in schema ? (schema.options as readonly unknown[]) : [];
  const folder = { folder: [outside], folders: [[outside]], plain: [] }[holds];
  const guesses = [
    ...folder,
    true,
    "other",
    "https://example.org/evil.git",
    "postgres://evil.example/memory",
    65_536,
    30,
    ...options,
    ["other"],
    ["files"],
    ["https://evil.example"],
    ["RS256"],
  ];
  const reaching = guesses.find((raw) => {
    if (!schema.safeParse(raw).success) return false;
    const context = {
      project: "/nowhere/app",
      dataFolder: "/nowhere",
      isSet: () => false,
      given: () => undefined,
      isLocalModelEnabled: () => false,
    };
    return setting.trust !== "outside" || (setting.reaches?.(raw, context) ?? true);
  });
  if (reaching === undefined) throw new Error(`no value found for ${key}: teach this test one`);
  return reaching;
}

/** JSON is YAML as well. */
function nested(values: readonly (readonly [SettingKey, unknown])[]): object {
  const whole: Record<string, unknown> = {};
  for (const [key, value] of values) {
    const [group = "", name] = key.split(".");
    whole[group] = name === undefined ? value : { ...(whole[group] as object | undefined), [name]: value };
  }
  return whole;
}

interface Shown {
  readonly settings: Readonly<Record<string, { readonly source: string; readonly value?: unknown }>>;
}

describe("a cloned project with a hostile recollect.yaml", () => {
  let world: MemoryWorld;
  let outside: string;
  let file: string;

  beforeEach(() => {
    world = memoryWorld(folders.make());
    outside = join(world.folder, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.md"), "# Secret\n");
    file = join(world.project, "recollect.yaml");
  });

  const shown = async () => JSON.parse((await world.cli(["config", "show", "--json"])).out) as Shown;
  const isDefault = async (key: SettingKey) => (await shown()).settings[key]?.source === "default";

  it("CFG-2 is tried with every key that reaches outside or belongs to the user", () => {
    expect(guarded.length).toBeGreaterThanOrEqual(9);
    for (const key of guarded) expect(hostileValue(key, outside), key).toBeDefined();
  });

  /** A note goes into the project alone, and doctor names each key as a problem. */
  async function expectNoEffect(keys: readonly SettingKey[]): Promise<void> {
    const untouched = snapshotOf(outside);
    await world.cli(["memories", "write", "OUTSIDE_note", "--content", "x"]);
    expect((await world.cli(["memories", "write", "global/note", "--content", "x"])).code).not.toBe(0);
    expect(snapshotOf(outside)).toEqual(untouched);

    const doctor = await world.cli(["doctor", "--json"]);
    expect(doctor.code).toBe(1);
    const { findings } = JSON.parse(doctor.out) as { findings: { level: string; says: string }[] };
    for (const key of keys) {
      const says = expect.stringContaining(key);
      expect(findings).toContainEqual(expect.objectContaining({ level: "problem", says }));
    }
    expect(snapshotOf(outside)).toEqual(untouched);
  }

  it.each(guarded)("CFG-2 %s has no effect before recollect trust, and the user is told", async (key) => {
    const before = await shown();
    writeFileSync(file, yamlOf(key, hostileValue(key, outside)));
    const untouched = snapshotOf(outside);

    expect((await shown()).settings).toEqual(before.settings);
    const listed = await world.cli(["memories", "list"]);
    expect(listed.code).toBe(0);
    expect(listed.err).toMatch(/^recollect: recollect\.yaml sets .*, which has no effect, since it \w/);
    expect(listed.err).not.toContain("it it");
    expect(listed.err).toContain(key);
    expect(listed.out).not.toContain("secret");
    expect(snapshotOf(outside)).toEqual(untouched);
  });

  it.each(someCases(guarded, 8))("CFG-2 %s has no effect on what is written, and doctor tells of it", async (key) => {
    writeFileSync(file, yamlOf(key, hostileValue(key, outside)));
    await expectNoEffect([key]);
  });

  it("CFG-2 all of them together have no effect on what is written, and doctor tells of each", async () => {
    writeFileSync(file, JSON.stringify(nested(guarded.map((key) => [key, hostileValue(key, outside)]))));
    await expectNoEffect(guarded);
  });

  it("CFG-2 all of them together have no effect on a server, whose log tells of each and whose model of them all", async () => {
    writeFileSync(file, JSON.stringify(nested(guarded.map((key) => [key, hostileValue(key, outside)]))));
    const untouched = snapshotOf(outside);
    const server = await world.connect();
    const names = (await server.client.listTools()).tools.map((tool) => tool.name);
    // A model is not told forty times, but how often.
    expect(server.client.getInstructions()).toContain(`${guarded.length - 2} more warnings`);
    for (const key of guarded) expect(server.log()).toContain(key);
    await server.close();
    expect(names).toHaveLength(12);
    expect(snapshotOf(outside)).toEqual(untouched);
  });

  it.each(trustable)("CFG-2 %s works after recollect trust --yes, until one byte changes", async (key) => {
    writeFileSync(file, `# one\n${yamlOf(key, hostileValue(key, outside))}`);
    const trusted = await world.cli(["trust", "--yes"]);
    expect([trusted.code, trusted.err]).toEqual([0, ""]);
    expect(trusted.out).toContain(key);
    expect(trusted.out).not.toContain("it it");
    expect((await shown()).settings[key]?.source).toBe("project");
    const listed = await world.cli(["memories", "list"]);
    expect(listed.err).not.toContain("no effect");
    writeFileSync(file, readFileSync(file, "utf8").replace("# one", "# One"));
    expect(await isDefault(key)).toBe(true);
    expect((await world.cli(["memories", "list"])).err).toContain("no effect");
  });

  it.each(ofUser)("CFG-2 %s never works from a project's file, trusted or not", async (key) => {
    writeFileSync(file, `bank: { memory_path: ${outside} }\n${yamlOf(key, hostileValue(key, outside))}`);
    expect((await world.cli(["trust", "--yes"])).code).toBe(0);
    expect(await isDefault(key)).toBe(true);
    expect(await isDefault("bank.memory_path")).toBe(false);
    expect((await world.cli(["memories", "list"])).err).toContain(key);
  });

  it("CFG-2 a trusted folder is used for real, and recollect trust --revoke takes it back", async () => {
    writeFileSync(file, `memories: { additional_folders: [${outside}] }\n`);
    await world.cli(["trust", "--yes"]);
    expect((await world.cli(["memories", "read", "secret"])).out).toBe("# Secret\n");
    expect(await world.cli(["trust", "--revoke"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("The settings file is not trusted any more."),
    });
    expect((await world.cli(["memories", "read", "secret"])).code).toBe(3);
  });

  it("CFG-2 what a hostile file says cannot change a terminal", async () => {
    writeFileSync(file, 'memories: { folder: "/x\\u202Ey\\u009Bz" }\n');
    const { out, err } = await world.cli(["memories", "list"]);
    expect(`${out}${err}`.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  it("CFG-2 .serena as a link out of the project is not opened, and the user is told once", async () => {
    mkdirSync(join(outside, "memories"));
    writeFileSync(join(outside, "memories/secret.md"), "# Secret\n");
    symlinkSync(outside, join(world.project, ".serena"));
    const untouched = snapshotOf(outside);
    const listed = await world.cli(["memories", "list"]);
    expect(listed.out).not.toContain("secret");
    expect(listed.err.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^recollect: The folder “\.serena\/memories” is not opened, since it leads outside/),
    ]);
    expect((await world.cli(["memories", "write", "x", "--content", "x"])).code).not.toBe(0);
    const server = await world.connect();
    expect((await server.call("read_memory", { memory_name: "secret" })).isError).toBe(true);
    expect((await server.call("write_memory", { memory_name: "x", content: "x" })).isError).toBe(true);
    expect(server.client.getInstructions()).toContain("is not opened");
    await server.close();
    expect((await world.cli(["doctor"])).out.match(/is not opened/g)).toHaveLength(1);
    expect(snapshotOf(outside)).toEqual(untouched);
    const named = await world.cli(["memories", "list", "--memories-folder", ".serena/memories"]);
    expect(named.out).toContain("secret");
  });
});
