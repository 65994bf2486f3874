import { describe, expect, it } from "vitest";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

describe("WEB-2 CLI-1 recollect token", () => {
  it("WEB-2 shows a token once, lists it without it, and takes it back", async () => {
    const world = memoryWorld(folders.make());
    const created = await world.cli([
      "token",
      "create",
      "reviewer",
      "--agent-id",
      "rev-1",
      "--scope",
      "*:read",
      "--expires",
      "30",
    ]);
    const secret = /^rcl_[A-Za-z0-9_-]{43}$/m.exec(created.out)?.[0] ?? "";
    expect([created.code, created.out]).toEqual([0, expect.stringContaining("agent:rev-1 may *:read, until 20")]);
    expect(secret).not.toBe("");
    const listed = await world.cli(["token", "list"]);
    expect(listed.out).toMatch(
      /^[0-9a-f]{16} {2}\d{4}-\d\d-\d\d {2}reviewer: agent:rev-1 may \*:read, until .* \(never used\)$/m,
    );
    expect(listed.out).not.toContain(secret.slice(4));
    const [id = ""] = listed.out.split(" ");
    expect(await world.cli(["token", "revoke", id])).toMatchObject({ code: 0, out: "Revoked.\n" });
    expect(await world.cli(["token", "revoke", id])).toMatchObject({ code: 3 });
    expect((await world.cli(["token", "list"])).out).toBe("There are no tokens yet.\n");
  });

  it("WEB-2 answers in JSON, reads alone by default, and may be an admin's", async () => {
    const world = memoryWorld(folders.make());
    const created = JSON.parse((await world.cli(["token", "create", "ada", "--json"])).out);
    expect(created).toMatchObject({ name: "ada", author: "person:ada", scopes: ["*:read"], isAdmin: false });
    const admin = JSON.parse(
      (await world.cli(["token", "create", "root", "--admin", "--scope", "*:all", "--json"])).out,
    );
    expect(admin.isAdmin).toBe(true);
    const { tokens } = JSON.parse((await world.cli(["token", "list", "--json"])).out);
    expect(tokens.map(({ name }: { name: string }) => name)).toEqual(["ada", "root"]);
    expect(JSON.stringify(tokens)).not.toContain("rcl_");
  });

  it("WEB-2 says which scopes grant nothing, and what an admin is", async () => {
    const world = memoryWorld(folders.make());
    const create = (...scopes: string[]) =>
      world.cli(["token", "create", "x", ...scopes.flatMap((scope) => ["--scope", scope])]);
    const idle = await create("tean:read", ".serena/memories:write");
    expect([idle.code, idle.err]).toEqual([0, expect.stringMatching(/“tean”.*\n.*\.serena\/memories:read,write/)]);
    expect((await create(".serena/memories:read,write", "*:read", "project:read")).err).toBe("");
    expect((await world.cli(["token", "create", "--help"])).out).toMatch(/--admin +may do everything/);
  });

  it("WEB-2 names a damaged record, and lists and revokes the others", async () => {
    const world = memoryWorld(folders.make());
    const { id } = JSON.parse((await world.cli(["token", "create", "ada", "--json"])).out);
    world.write(`home/.local/share/recollect/tokens/${"f".repeat(64)}.json`, "");
    const listed = await world.cli(["token", "list"]);
    expect([listed.code, listed.out, listed.err]).toEqual([
      0,
      expect.stringContaining(id),
      expect.stringContaining("ffff.json"),
    ]);
    expect((await world.cli(["token", "revoke", id])).code).toBe(0);
  });

  it("WEB-2 CLI-2 doctor names damaged records, with what to do, also beside broken settings", async () => {
    const world = memoryWorld(folders.make());
    await world.cli(["token", "create", "ada"]);
    expect((await world.cli(["doctor"])).out).not.toContain("tokens");
    for (const digit of "0123456789ab") {
      world.write(`home/.local/share/recollect/tokens/${digit.repeat(64)}.json`, "{");
    }
    for (const settings of ["{}", "no_such: [", "memories:\n  folder: 7\n"]) {
      world.write("work/app/recollect.yaml", settings);
      const { code, out } = await world.cli(["doctor"]);
      expect([code, out]).toEqual([
        1,
        expect.stringMatching(/✗ tokens .*000\.json\. Remove that file, then make a new/),
      ]);
      expect(out).toMatch(/✗ tokens +and 2 more\n +→ recollect token list\n/);
    }
  });

  it.each([
    [["create"], 2],
    [["create", "x", "--scope", "everything"], 2],
    [["create", "x", "--agent-id", "../x"], 2],
    [["create", "x", "--expires", "0"], 2],
    [["revoke"], 2],
    [["revoke", "0000000000000000"], 3],
    [["list", "--nonsense"], 2],
  ])("CLI-1 %j ends with exit code %i", async (args, code) => {
    const world = memoryWorld(folders.make());
    expect((await world.cli(["token", ...args])).code).toBe(code);
    expect((await world.cli(["token", "list"])).out).toBe("There are no tokens yet.\n");
  });

  it("CLI-1 helps with examples", async () => {
    const world = memoryWorld(folders.make());
    for (const args of [
      ["token", "--help"],
      ["token", "create", "--help"],
      ["serve", "--help"],
    ]) {
      const { code, out } = await world.cli(args);
      expect([code, out]).toEqual([0, expect.stringContaining("Examples:")]);
    }
  });
});
