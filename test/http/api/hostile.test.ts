import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostilePaths } from "../../attacks/hostile-paths.ts";
import { snapshotOf } from "../../helpers/folder-snapshot.ts";
import { apiWorlds } from "./open-api.ts";

const open = apiWorlds();
const root = ".serena/memories";
const rev = "0".repeat(32);

describe("KER-2 hostile parameters of the JSON API", () => {
  it("KER-2 no path leads out of its root, to read, list, write, move, remove, restore or compare", async () => {
    const world = await open();
    await world.send("PUT", "/document", { root, path: "a.md", content: "a\n", ifRev: null });
    writeFileSync(join(world.project, "secret.md"), "secret value\n");
    const before = snapshotOf(world.folder);
    const paths = [...hostilePaths.map(({ text }) => text), "../secret.md", "../../secret.md"];
    expect(paths.length).toBeGreaterThan(100);
    // What looks into history is slow, and by the same door: a third of the paths try one way of it each.
    const lookBack = [
      (path: string) => world.get("/history", { root, path }),
      (path: string) => world.get("/history/show", { root, path }),
      (path: string) => world.get("/history/diff", { root, path }),
      (path: string) => world.send("POST", "/history/restore", { root, path, rev }),
    ];
    for (const [index, path] of paths.filter((one) => one.isWellFormed()).entries()) {
      const asked = [
        world.get("/document", { root, path }),
        world.get("/folder", { root, folder: path }),
        world.send("PUT", "/document", { root, path, content: "x\n", ifRev: null }),
        world.send("DELETE", `/document?${new URLSearchParams({ root, path, ifRev: rev })}`),
        world.send("POST", "/document/move", { root, path, to: "b.md", ifRev: rev }),
        world.send("POST", "/document/move", { root, path: "a.md", to: path, ifRev: rev }),
        ...(index % 3 === 0 ? lookBack.slice((index / 3) % 4, ((index / 3) % 4) + 1) : []).map((look) => look(path)),
      ];
      for (const answer of await Promise.all(asked)) {
        expect(answer.text, JSON.stringify(path)).not.toContain("secret value");
        expect(answer.status, JSON.stringify(path)).toBeLessThan(500);
      }
    }
    // The root itself, and the mirror of its history among the user's data.
    const own = /\.serena\/memories\/|^home\/\.local(?:\/|$)/;
    const outside = (all: Record<string, string>) =>
      Object.fromEntries(Object.entries(all).filter(([path]) => !own.test(path)));
    expect(outside(snapshotOf(world.folder))).toEqual(outside(before));
  });

  it("KER-2 links in a root are neither read nor written through", async () => {
    const world = await open();
    mkdirSync(join(world.project, root), { recursive: true });
    writeFileSync(join(world.home, "secret.md"), "secret value\n");
    symlinkSync(join(world.home, "secret.md"), join(world.project, root, "link.md"));
    symlinkSync(world.home, join(world.project, root, "out"));
    for (const path of ["link.md", "out/secret.md"]) {
      const read = await world.get("/document", { root, path });
      expect([read.status >= 400, read.text.includes("secret value")]).toEqual([true, false]);
      expect(
        (await world.send("PUT", "/document", { root, path, content: "x", ifRev: null })).status,
      ).toBeGreaterThanOrEqual(400);
    }
    expect((await world.get("/folder", { root, folder: "out" })).text).not.toContain("secret.md");
  });

  it.each([
    ["no JSON", "{", "application/json", 400],
    ["an array", "[]", "application/json", 400],
    ["null", "null", "application/json", 400],
    [
      "a field too many",
      `{"root":"x","path":"a","content":"","ifRev":null,"author":"person:boss"}`,
      "application/json",
      400,
    ],
    ["a field too few", `{"root":"x","path":"a","content":""}`, "application/json", 400],
    ["a number for a text", `{"root":"x","path":"a","content":1,"ifRev":null}`, "application/json", 400],
    ["a prototype", `{"__proto__":{"root":"x"},"path":"a","content":"","ifRev":null}`, "application/json", 400],
    ["a form", "root=x&path=a", "application/x-www-form-urlencoded", 400],
    ["text", `{"root":"x","path":"a","content":"","ifRev":null}`, "text/plain", 400],
    ["a revision that is none", `{"root":"${root}","path":"a","content":"","ifRev":"x"}`, "application/json", 400],
    ["half a character", `{"root":"${root}","path":"a.md","content":"\\ud800","ifRev":null}`, "application/json", 400],
    [
      "half a character in a name",
      `{"root":"${root}","path":"\\ud800.md","content":"x","ifRev":null}`,
      "application/json",
      400,
    ],
  ])("WEB-1 a body that is %s is refused, and nothing is written", async (_, body, type, status) => {
    const world = await open();
    const before = snapshotOf(world.project);
    const response = await world.request("/document", { method: "PUT", body, headers: { "content-type": type } });
    expect(response.status).toBe(status);
    expect(snapshotOf(world.project)).toEqual(before);
  });

  it("WEB-1 a query with something twice, unknown or far too long is refused", async () => {
    const world = await open();
    const long = "x".repeat(5000);
    for (const query of [
      "root=a&root=b&path=c",
      "root=a&path=c&x=1",
      `root=a&path=${long}`,
      "path=a",
      "root=&path=a",
      "__proto__=1",
    ]) {
      expect((await world.request(`/document?${query}`)).status, query.slice(0, 40)).toBe(400);
    }
    const answer = await (await world.request(`/document?root=a&path=c&${encodeURIComponent("<script>")}=1`)).text();
    expect(answer).not.toContain("<script>");
  });

  it("WEB-1 a path with another method says which ones it knows, another path is none", async () => {
    const world = await open();
    const wrong = await world.request("/document", { method: "PATCH" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, PUT, DELETE"]);
    expect((await world.request("/nothing")).status).toBe(404);
    expect((await world.request("/session")).headers.get("cache-control")).toBe("no-store");
  });
});
