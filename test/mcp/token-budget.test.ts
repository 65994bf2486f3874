import type { Tool } from "@modelcontextprotocol/client";
import { countTokens as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const budget = 1800;

/** What a model pays for in every session. */
function costOf(tools: readonly Tool[]): number {
  return tools
    .map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }))
    .reduce((sum, text) => sum + Math.max(cl100k(text), o200k(text)), 0);
}

async function toolsOf(args: (bank: string) => readonly string[]): Promise<Tool[]> {
  const world = memoryWorld(folders.make());
  const server = await world.connect(args(world.bank));
  const { tools } = await server.client.listTools();
  await server.close();
  return tools;
}

describe("MCP-2 what the tools cost a model", () => {
  it("USE-1 the tool that finds and the two that add are loaded from the start, for at most 450 tokens", async () => {
    const loaded = (await toolsOf(() => [])).filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true);
    expect(loaded.map(({ name }) => name).toSorted()).toEqual(["append_memory", "search_memory", "store_in_memory"]);
    expect(costOf(loaded)).toBeLessThanOrEqual(450);
    for (const { description, inputSchema } of loaded) {
      expect(description).toMatch(/^Use when /);
      for (const [name, schema] of Object.entries(inputSchema.properties ?? {}))
        expect(schema, name).toHaveProperty("description");
    }
  });

  it("USE-2 every description begins with “Use when”, and every parameter says what belongs into it", async () => {
    const tools = await toolsOf((bank) => ["--memory-path", bank, "--agent-id", "a"]);
    expect(tools).toHaveLength(20);
    for (const { name, description, inputSchema } of tools) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^Use when \S/)]);
      for (const [parameter, schema] of Object.entries(inputSchema.properties ?? {}))
        expect([name, parameter, schema]).toEqual([
          name,
          parameter,
          expect.objectContaining({ description: expect.stringMatching(/^[A-ZY“]/) }),
        ]);
    }
  });

  it.each([
    ["the default set", () => []],
    ["the set with a bank", (bank: string) => ["--memory-path", bank]],
    ["all sets together", (bank: string) => ["--memory-path", bank, "--agent-id", "a"]],
  ])("MCP-2 %s costs at most 1,800 tokens of names, descriptions and input schemas", async (what, args) => {
    const tools = await toolsOf(args);
    const cost = costOf(tools);
    process.stdout.write(`${what}: ${tools.length} tools, at most ${cost} tokens\n`);
    expect(tools.length).toBeGreaterThan(0);
    expect(cost).toBeLessThanOrEqual(budget);
  });

  it("MCP-2 the gate fails where a description grows by a page", async () => {
    const [tool, ...rest] = await toolsOf((bank) => ["--memory-path", bank, "--agent-id", "a"]);
    if (!tool) throw new Error("a server has tools");
    expect(costOf([{ ...tool, description: "explained once more at length ".repeat(100) }, ...rest])).toBeGreaterThan(
      budget,
    );
  });
});
