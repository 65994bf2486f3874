import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { type McpConnection, textOf } from "../helpers/mcp.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const memories = "work/app/.serena/memories";
const opened: McpConnection[] = [];

afterAll(() => Promise.all(opened.map((server) => server.close())));

/** A server of its own with three memories, and what its client is told. */
async function start(pin: string | undefined) {
  const world = memoryWorld(folders.make());
  world.write(`${memories}/auth/login.md`, "# Login\nfirst\n");
  world.write(`${memories}/größe 100%.md`, "# Größe\n");
  world.write("home/.serena/memories/global/style.md", "# Style\n");
  const told = { updated: [] as string[], listChanges: 0 };
  const server = await world.connect([], { pin });
  opened.push(server);
  server.client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    told.updated.push(params.uri);
  });
  server.client.setNotificationHandler("notifications/resources/list_changed", () => {
    told.listChanges += 1;
  });
  /** Each era has its own way to say what one wants to hear of. */
  const listen = async (...uris: string[]) => {
    if (pin !== undefined) {
      await server.client.listen({ resourceSubscriptions: uris, resourcesListChanged: true });
      return;
    }
    for (const uri of uris) await server.client.subscribeResource({ uri });
    await server.client.listResources();
  };
  return { world, server, told, listen };
}

const soon = (look: () => void) => vi.waitFor(look, { timeout: 20_000, interval: 20 });

// Much of it is waiting for the next look, so they wait beside each other.
describe.concurrent.each([undefined, "2026-07-28"])("MCP-1 memories as resources in protocol revision %s", (pin) => {
  it("MCP-1 says that it has resources, lists them with a summary, and reads each by its address", async () => {
    const { server } = await start(pin);
    expect(server.client.getServerCapabilities()?.resources).toEqual({ listChanged: true, subscribe: true });
    const { resources } = await server.client.listResources();
    expect(resources.map(({ name, description, mimeType }) => [name, description, mimeType])).toEqual([
      ["auth/login", "Login", "text/markdown"],
      ["größe 100%", "Größe", "text/markdown"],
      ["global/style", "Style", "text/markdown"],
    ]);
    for (const { uri, description } of resources) {
      const { contents } = await server.client.readResource({ uri });
      expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: expect.stringContaining(`# ${description}`) }]);
    }
    const { resourceTemplates } = await server.client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: "memory:///{+name}" }, { uriTemplate: "skill://{+path}" }]);
  });

  it("MCP-1 KER-2 what does not exist or leads out is not found, in words without a path of the host", async () => {
    const { world, server } = await start(pin);
    for (const uri of [
      "memory:///missing",
      "memory:///../../../etc/passwd",
      "memory:///..%2f..%2f..%2fetc%2fpasswd",
      "memory:////etc/passwd",
      "memory:///%ff",
      "memory:///",
      "memory:///a%00b",
      "file:///etc/passwd",
    ]) {
      const refused = await server.client.readResource({ uri }).catch((error: unknown) => error);
      expect(refused, uri).toBeInstanceOf(Error);
      expect(String(refused), uri).not.toContain(world.folder);
      expect(String(refused), uri).not.toContain("root:");
    }
    expect(textOf(await server.call("read_memory", { memory_name: "auth/login" }))).toContain("first");
  });

  it("MCP-1 tells of its own writes at once, of one resource once, and of a new one in the list", async () => {
    const { server, told, listen } = await start(pin);
    if (pin !== undefined) await server.client.listen({ resourceSubscriptions: ["file:///x", "memory:///%ff"] });
    await listen("memory:///auth/login");
    await server.call("append_memory", { memory_name: "auth/login", content: "second\n" });
    await soon(() => expect(told.updated).toEqual(["memory:///auth/login"]));
    expect(told.listChanges).toBe(0);
    await server.call("write_memory", { memory_name: "fresh", content: "x" });
    await soon(() => expect(told.listChanges).toBe(1));
    await server.call("delete_memory", { memory_name: "fresh" });
    await soon(() => expect(told.listChanges).toBe(2));
    expect(told.updated).toEqual(["memory:///auth/login"]);
  });

  it("MCP-1 says nothing of a resource that was only read", async () => {
    const { server, told, listen } = await start(pin);
    await server.client.readResource({ uri: "memory:///auth/login" });
    await server.call("append_memory", { memory_name: "auth/login", content: "second\n" });
    await listen("memory:///global/style");
    await server.call("append_memory", { memory_name: "auth/login", content: "third\n" });
    await server.call("write_memory", { memory_name: "fresh", content: "x" });
    await soon(() => expect(told.listChanges).toBe(1));
    expect(told.updated).toEqual([]);
  });

  it("MCP-1 tells of what others change: an edit by hand, a new file, and one that is gone", async () => {
    const { world, told, listen } = await start(pin);
    await listen("memory:///auth/login");
    // Nothing has changed yet: a first look must not invent it.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect([told.updated, told.listChanges]).toEqual([[], 0]);
    world.write(`${memories}/auth/login.md`, "# Login\nby hand\n");
    await soon(() => expect(told.updated).toEqual(["memory:///auth/login"]));
    world.write(`${memories}/by-hand.md`, "x");
    await soon(() => expect(told.listChanges).toBe(1));
    rmSync(join(world.folder, memories, "auth/login.md"));
    await soon(() => expect([told.updated.length, told.listChanges]).toEqual([2, 2]));
  });
});

describe.concurrent("MCP-1 memories as resources", () => {
  it("MCP-1 tell nothing more after unsubscribing", async () => {
    const world = memoryWorld(folders.make());
    world.write(`${memories}/a.md`, "x");
    const server = await world.connect();
    const updated: string[] = [];
    server.client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      updated.push(params.uri);
    });
    await server.client.subscribeResource({ uri: "memory:///a" });
    await server.client.unsubscribeResource({ uri: "memory:///a" });
    await server.call("append_memory", { memory_name: "a", content: "y" });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    await server.close();
    expect(updated).toEqual([]);
  });

  it("MCP-1 are not offered where memories are not served", async () => {
    const server = await memoryWorld(folders.make()).connect(["--tools", "files"]);
    expect(server.client.getServerCapabilities()?.resources).toBeUndefined();
    await server.close();
  });
});
