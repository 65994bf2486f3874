import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { checkout } from "../helpers/checkout.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const names = ["recall-before-work", "remember", "tidy-memory"];
const fileOf = (name: string) => readFileSync(join(checkout, "skills", name, "SKILL.md"), "utf8");

describe("USE-11 the skills", () => {
  it.each([undefined, "2026-07-28"])("USE-11 are served byte for byte over MCP, in the protocol of %s", async (pin) => {
    const server = await memoryWorld(folders.make()).connect([], { pin });
    onTestFinished(() => server.close());
    const client = new SkillsClient(server.client);
    expect(client.supported).toBe(true);
    const { skills } = await client.list();
    expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual(names);
    for (const skill of skills) {
      // The client compares digest, size and front matter with the entry, and throws where one differs.
      const read = await client.read(skill);
      const text = fileOf(skill.frontmatter.name);
      expect([read.verified, read.text]).toEqual([true, text]);
      const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
      expect(skill.resources).toEqual([{ uri: skill.uri, digest, size: Buffer.byteLength(text) }]);
    }
    await expect(client.get("skill://unknown/SKILL.md")).rejects.toMatchObject({ code: -32602 });
    const listed = await server.client.listResources();
    expect(listed.resources).toEqual([]);
  });

  it.each(names)(
    "USE-11 %s keeps to the format: its name is that of its folder, and it says when to use it",
    (name) => {
      const [, yaml = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(fileOf(name)) ?? [];
      const front = parse(yaml) as Record<string, unknown>;
      expect(Object.keys(front)).toEqual(["name", "description", "license"]);
      expect(front["name"]).toBe(name);
      expect(String(front["description"])).toMatch(/^Use when .{20,1000}$/);
      expect(body.split("\n").length).toBeLessThan(60);
    },
  );

  it("USE-11 name only tools and commands that exist", async () => {
    const world = memoryWorld(folders.make());
    const server = await world.connect();
    onTestFinished(() => server.close());
    const tools = new Set((await server.client.listTools()).tools.map((tool) => tool.name));
    const named = names.flatMap((name) =>
      [...fileOf(name).matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, tool]) => tool),
    );
    expect(named.filter((tool) => !tools.has(String(tool)))).toEqual([]);
    const commands = names.flatMap((name) =>
      [...fileOf(name).matchAll(/`recollect ([a-z ]+)`/g)].map(([, one]) => one),
    );
    for (const command of commands) expect((await world.cli([...String(command).split(" "), "--help"])).code).toBe(0);
  });
});
