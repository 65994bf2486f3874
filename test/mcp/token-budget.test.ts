import type { Tool } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { estimateTokens } from "../helpers/token-estimate.ts";

const folders = temporaryFolders();
const budget = 1800;

/** What a model pays for in every session. */
function costOf(tools: readonly Tool[]): number {
  return tools
    .map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }))
    .reduce((sum, text) => sum + estimateTokens(text), 0);
}

async function toolsOf(args: (bank: string) => readonly string[]): Promise<Tool[]> {
  const world = memoryWorld(folders.make());
  const server = await world.connect(args(world.bank));
  const { tools } = await server.client.listTools();
  await server.close();
  return tools;
}

describe("MCP-2 what the tools cost a model", () => {
  it("MCP-2 the estimate counts more than the pieces that a tokenizer begins with, and never less than its words", () => {
    expect(estimateTokens('{"type":"object"}')).toBeGreaterThanOrEqual(5);
    expect(estimateTokens("Read a note.")).toBe(4);
    expect(estimateTokens("additionalProperties")).toBe(2);
    expect(estimateTokens("9007199254740991")).toBe(6);
    expect(estimateTokens("记忆")).toBe(2);
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
