import { describe, expect, it } from "vitest";
import { bearer, httpWorld, modernCall, send } from "../helpers/http-server.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { seenUnderWay } from "../helpers/seen-under-way.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

const call = (secret: string, name: string, args: object) => {
  const asked = modernCall("tools/call", { name, arguments: args });
  return { ...asked, headers: { ...asked.headers, ...bearer(secret) } };
};

const isAtWork = ({ text }: { readonly text: string }) => text.includes("recollect_http_requests_working 1");

describe("WEB-1 a server that is stopped", () => {
  it("WEB-1 ends what is under way, ends streams, and takes nothing more", async () => {
    const at = await httpWorld(memoryWorld(folders.make()));
    const secret = await at.token({ isAdmin: true });
    await at.workspace.memories.write("long", `${"a".repeat(40)}!\n`);
    const events = await fetch(`${at.origin}/api/events`, { headers: bearer(secret) });
    const client = await at.connect(secret);
    await client.listResources();
    // Takes half a second, until the expression is ended.
    const regex = { memory_name: "long", needle: "(a+)+$", repl: "x", mode: "regex" };
    const underWay = await seenUnderWay(
      () => at.ask(call(secret, "edit_memory", regex)),
      async () => isAtWork(await at.ask({ path: "/metrics", headers: bearer(secret) })),
    );
    const closed = at.server.close();
    const answer = await underWay.ended;
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"isError":true')]);
    await events.text();
    await closed;
    await expect(send(at.origin, { path: "/healthz", headers: { host: at.host } })).rejects.toThrow(
      /ECONNREFUSED|socket hang up/,
    );
    await client.close();
    await at.workspace.close();
  });

  it("WEB-1 what is asked on an open connection meanwhile is refused, and readiness says so", async () => {
    const at = await httpWorld(memoryWorld(folders.make()));
    const secret = await at.token({ isAdmin: true });
    const asked = { path: "/api/session", headers: { ...bearer(secret), host: at.host } };
    expect((await at.ask({ path: "/readyz" })).status).toBe(200);
    await at.workspace.memories.write("long", `${"a".repeat(40)}!\n`);
    const regex = { memory_name: "long", needle: "(a+)+$", repl: "x", mode: "regex" };
    // Two connections that stay open.
    await Promise.all([at.ask(asked), at.ask(asked), at.ask(asked)]);
    const underWay = await seenUnderWay(
      () => at.ask(call(secret, "edit_memory", regex)),
      async () => isAtWork(await at.ask({ path: "/metrics", headers: bearer(secret) })),
    );
    const closed = at.server.close();
    const refused = await at.ask(asked).catch((error: NodeJS.ErrnoException) => error.code);
    if (typeof refused === "object") expect([refused.status, refused.headers.connection]).toEqual([503, "close"]);
    else expect(refused).toMatch(/ECONNREFUSED|ECONNRESET/);
    expect((await underWay.ended).status).toBe(200);
    await closed;
    await at.workspace.close();
  });
});
