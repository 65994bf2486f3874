import { expect, it } from "vitest";
import { bearer, httpWorld, modernCall } from "../helpers/http-server.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

it("MCP-1 every tool answers a request of its own, for which nothing else is served", async () => {
  const place = memoryWorld(folders.make());
  const flags = { "--tools": "memories,topics,search,files,bank,agent", "--memory-path": place.bank };
  const world = await httpWorld(place, { flags });
  const secret = await world.token({ agentId: "ada", scopes: ["*:all", "agent_memory:all"] });
  const ask = async (method: string, params: Record<string, unknown>) => {
    const asked = modernCall(method, params);
    return JSON.parse((await world.ask({ ...asked, headers: { ...asked.headers, ...bearer(secret) } })).text);
  };
  const { result } = await ask("tools/list", {});
  const names: string[] = result.tools.map(({ name }: { name: string }) => name);
  expect(names).toHaveLength(20);
  for (const name of names) {
    const answer = await ask("tools/call", { name, arguments: { frobnicate: 1 } });
    expect(JSON.stringify(answer), name).toContain("There is no parameter “frobnicate”");
  }
  expect(await ask("tools/call", { name: "frobnicate", arguments: {} })).toMatchObject({
    error: { message: expect.stringContaining("frobnicate") },
  });
  await world.close();
});
