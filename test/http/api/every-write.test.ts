import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi } from "../../../src/http/api/api.ts";
import type { ApiSaved } from "../../../src/http/api/contract/document.ts";
import type { ApiHistory } from "../../../src/http/api/contract/history.ts";
import { type ApiWorld, apiWorlds } from "./open-api.ts";

const open = apiWorlds();
const root = ".serena/memories";
const secret = ["ghp", "a1B2c3D4e5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");

interface Prepared {
  readonly world: ApiWorld;
  readonly rev: string | undefined;
}

type Attempt = (prepared: Prepared) => ReturnType<ApiWorld["send"]>;

/** Each way in which a text or a name gets into memory, by its route. */
const attempts: Readonly<Record<string, Readonly<Record<string, Attempt>>>> = {
  "PUT /document": {
    "a new text": ({ world }) =>
      world.send("PUT", "/document", { root, path: "new.md", content: `token ${secret}`, ifRev: null }),
    "a changed text": ({ world, rev }) =>
      world.send("PUT", "/document", { root, path: "note.md", content: secret, ifRev: rev }),
    "a name": ({ world }) =>
      world.send("PUT", "/document", { root, path: `${secret}.md`, content: "x\n", ifRev: null }),
    "a topic": ({ world }) =>
      world.send("PUT", "/document", {
        root: "memory",
        path: "t/s.md",
        content: `## 2026-01-01: ${secret}\n`,
        ifRev: null,
      }),
    "an agent's file": ({ world }) =>
      world.send("PUT", "/document", { root: "agent_memory", path: "n.md", content: secret, ifRev: null }, "bot"),
  },
  "POST /document/move": {
    "a memory's name": ({ world, rev }) =>
      world.send("POST", "/document/move", { root, path: "note.md", to: `${secret}.md`, ifRev: rev }),
    "a name of anything else": ({ world, rev }) =>
      world.send("POST", "/document/move", { root, path: "note.md", to: `${secret}.txt`, ifRev: rev }),
  },
  "POST /conflicts/settle": {
    "a merged text": ({ world }) =>
      world.send("POST", "/conflicts/settle", {
        root,
        path: "build.conflict-1a2b3c4d.md",
        keep: "text",
        text: secret,
      }),
  },
  "POST /guard/allowed": {
    "a reason": ({ world }) =>
      world.send("POST", "/guard/allowed", { fingerprint: "0".repeat(32), reason: `it is ${secret}` }),
  },
};

/** Nothing gets into memory by these; what a restore brings back was there, and has a test of its own. */
const others = ["DELETE /document", "POST /history/restore", "DELETE /guard/allowed", "POST /tokens", "DELETE /tokens"];

async function prepared(): Promise<Prepared> {
  const world = await open({ askers: { bot: { author: "agent:bot", agentId: "bot" } } });
  const { rev } = (
    await world.send<ApiSaved>("PUT", "/document", { root, path: "note.md", content: "note\n", ifRev: null })
  ).body;
  world.write(`work/app/${root}/build.md`, "ours\n");
  world.write(`work/app/${root}/build.conflict-1a2b3c4d.md`, "theirs\n");
  return { world, rev };
}

describe("GUARD-1 every write over the JSON API", () => {
  it("GUARD-1 is in the table", async () => {
    const { world } = await prepared();
    const api = createApi({ version: "1", workspace: world.workspace });
    const changing = api.routes.filter(({ method }) => !["GET", "ALL"].includes(method));
    const routes = changing.map(({ method, path }) => `${method} ${path}`);
    expect(routes.sort()).toEqual([...Object.keys(attempts), ...others].sort());
  });

  const rows = Object.entries(attempts).flatMap(([route, ways]) =>
    Object.entries(ways).map(([what, attempt]) => [route, what, attempt] as const),
  );
  it.each(rows)(
    "GUARD-3 %s refuses %s with a secret in it, which is nowhere afterwards",
    async (_route, _what, attempt) => {
      const before = await prepared();
      const { status, text } = await attempt(before);
      expect([status, text.includes(secret)]).toEqual([422, false]);
      expect(filesWith(before.world.folder, secret)).toEqual([]);
    },
  );

  it("GUARD-1 a restore does not bring back a secret that came by hand and was taken out", async () => {
    const { world } = await prepared();
    const file = world.write(`work/app/${root}/hand.md`, `token ${secret}\n`);
    await world.get("/history", { root, path: "hand.md" });
    world.write(`work/app/${root}/hand.md`, "clean\n");
    const { revisions } = (await world.get<ApiHistory>("/history", { root, path: "hand.md" })).body;
    expect(revisions).toHaveLength(2);
    const answer = await world.send("POST", "/history/restore", { root, path: "hand.md", rev: revisions[1]?.id });
    expect([answer.status, answer.text.includes(secret)]).toEqual([422, false]);
    expect(readFileSync(file, "utf8")).toBe("clean\n");
  });
});

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const isIt = entry.name.includes(text) || (entry.isFile() && readFileSync(path).includes(text));
    return isIt ? [path] : [];
  });
}
