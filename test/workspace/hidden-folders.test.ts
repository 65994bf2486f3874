import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asJson, type HttpWorld, httpWorld } from "../helpers/http-server.ts";
import { textOf } from "../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const primary = ".serena/memories";
const advice = /Add the scope \*:read/;
let world: MemoryWorld;
let at: HttpWorld;

beforeEach(async () => {
  world = memoryWorld(folders.make());
  for (const folder of ["feature", "own"]) mkdirSync(join(world.project, folder));
  at = await httpWorld(world, {
    flags: { "--additional-folders": "feature", "--global-folder": "own", "--global-writable": "true" },
  });
  await at.workspace.memories.write("build", "# Build\n\nthe first text\n");
  await at.workspace.memories.write("FEATURE_login", "# Login\n\nthe true text\n");
});
afterEach(() => at.close());

type Call = (
  tool: string,
  input: Record<string, unknown>,
) => Promise<{ readonly isError: boolean; readonly text: string }>;

async function caller(scopes: readonly string[]): Promise<Call> {
  const client = await at.connect(await at.token({ scopes }));
  return async (name, input) => {
    const result = (await client.callTool({ name, arguments: input })) as Parameters<typeof textOf>[0];
    return { isError: result.isError === true, text: textOf(result) };
  };
}

describe("a credential that cannot see every folder of notes", () => {
  it("WEB-2 MEM-6 makes no note by any tool, whether or not the name exists in what is hidden", async () => {
    const call = await caller([`${primary}:all`]);
    const answers: string[] = [];
    for (const name of ["FEATURE_login", "FEATURE_absent", "login", "auth/login"]) {
      for (const [tool, input] of [
        ["write_memory", { memory_name: name, content: "forged\n" }],
        ["append_memory", { memory_name: name, content: "forged\n" }],
        ["rename_memory", { old_name: "build", new_name: name }],
      ] as const) {
        const { isError, text } = await call(tool, input);
        expect({ isError, text }, `${tool} ${name}`).toEqual({ isError: true, text: expect.stringMatching(advice) });
        answers.push(text.replaceAll(name, "NAME"));
      }
    }
    expect(new Set(answers).size).toBe(1);
    expect((await at.workspace.memories.read("FEATURE_login")).content).toContain("the true text");
    expect(await at.workspace.memories.names()).toEqual(["build", "FEATURE_login"].sort());
  });

  it("WEB-2 MEM-6 makes none over the API either, by saving, moving or restoring", async () => {
    const { rev } = await at.workspace.memories.read("build");
    const secret = await at.token({ scopes: [`${primary}:all`] });
    for (const path of ["FEATURE_login.md", "FEATURE_absent.md", "FEATURE_login.MD", "login.txt"]) {
      const saved = await at.ask(
        { method: "PUT", path: "/api/document", ...asJson({ root: primary, path, content: "forged\n", ifRev: null }) },
        secret,
      );
      expect([saved.status, saved.text]).toEqual([403, expect.stringMatching(advice)]);
      if (!path.endsWith(".md")) continue;
      const moved = await at.ask(
        {
          method: "POST",
          path: "/api/document/move",
          ...asJson({ root: primary, path: "build.md", to: path, ifRev: rev }),
        },
        secret,
      );
      expect([moved.status, moved.text]).toEqual([403, expect.stringMatching(advice)]);
    }
    await at.workspace.memories.delete("build");
    const call = await caller([`${primary}:all`]);
    const { isError, text } = await call("memory_history", { action: "restore", path: "build", rev });
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(advice) });
    expect(await at.workspace.memories.names()).toEqual(["FEATURE_login"]);
  });

  it("MEM-6 still changes the notes that it sees, and those of the user", async () => {
    const call = await caller([`${primary}:all`, "global:all"]);
    const changes = [
      ["write_memory", { memory_name: "build", content: "# Build\n\nthe second text\n" }],
      ["append_memory", { memory_name: "build", content: "and more\n" }],
      ["edit_memory", { memory_name: "build", needle: "second", repl: "third", mode: "literal" }],
      ["write_memory", { memory_name: "global/style", content: "short sentences\n" }],
      ["delete_memory", { memory_name: "build" }],
    ] as const;
    for (const [tool, input] of changes) {
      const { isError, text } = await call(tool, input);
      expect({ isError, text }, tool).toEqual({ isError: false, text });
    }
  });

  it("MEM-6 MEM-7 makes notes once the scope that the refusal names was added", async () => {
    const call = await caller([`${primary}:all`, "*:read"]);
    expect(await call("write_memory", { memory_name: "login", content: "new\n" })).toMatchObject({ isError: false });
    const routed = await call("write_memory", { memory_name: "FEATURE_new", content: "new\n" });
    expect(routed).toMatchObject({ isError: true, text: expect.stringMatching(/feature/) });
  });
});

describe("a credential that may only read another folder of notes", () => {
  const scopes = ["*:read", `${primary}:all`];
  const put = (path: string, root = primary) => ({
    method: "PUT",
    path: "/api/document",
    ...asJson({ root, path, content: "forged\n", ifRev: null }),
  });

  it("MEM-6 MEM-7 saves no note over the API that belongs to that folder, and is told which folder it is", async () => {
    await at.workspace.memories.write("FEATURE_login", "# Login\n\nthe true text\n");
    const secret = await at.token({ scopes });
    for (const path of ["FEATURE_login.md", "FEATURE_absent.md", "FEATURE.md", "FEATURE_login.MD"]) {
      const { status, text } = await at.ask(put(path), secret);
      expect([path, status, text]).toEqual([path, 403, expect.stringMatching(/“feature”, which is read-only here/)]);
    }
    expect((await at.workspace.memories.read("FEATURE_login")).content).toContain("the true text");
  });

  it("MEM-6 puts no note back and moves none under a name that is a note of that folder", async () => {
    mkdirSync(join(world.project, "feature/deep"));
    const forged = await at.ask(put("deep/note.md"), await at.token());
    expect(forged.status).toBe(200);
    const { rev } = await at.workspace.memories.read("deep/note");
    await at.workspace.memories.delete("deep/note");
    writeFileSync(join(world.project, "feature/deep/note.md"), "the true text\n");
    const secret = await at.token({ scopes });
    const restored = await at.ask(
      {
        method: "POST",
        path: "/api/history/restore",
        ...asJson({ root: primary, path: "deep/note.md", rev }),
      },
      secret,
    );
    expect([restored.status, restored.text]).toEqual([403, expect.stringMatching(/“deep\/note” belongs to “feature”/)]);
    const build = await at.workspace.memories.read("build");
    const moved = await at.ask(
      {
        method: "POST",
        path: "/api/document/move",
        ...asJson({ root: primary, path: "build.md", to: "deep/note.MD", ifRev: build.rev }),
      },
      secret,
    );
    expect([moved.status, moved.text]).toEqual([403, expect.stringMatching(/“deep\/note” belongs to “feature”/)]);
    expect((await at.workspace.memories.read("deep/note")).content).toBe("the true text\n");
  });

  it("MEM-7 makes every other note, also one whose name has a slash or small letters", async () => {
    const secret = await at.token({ scopes });
    for (const path of ["login.md", "Feature_x.md", "FEATURE/x.md", "auth/FEATURE_x.md"]) {
      expect([path, (await at.ask(put(path), secret)).status]).toEqual([path, 200]);
    }
  });

  it("WEB-3 a person who may write in all folders chooses the folder of a new note", async () => {
    const secret = await at.token();
    expect((await at.ask(put("FEATURE_here.md"), secret)).status).toBe(200);
    expect((await at.ask(put("plain.md", "feature"), secret)).status).toBe(200);
  });
});

it("MEM-6 a credential for an additional folder alone is told which scope to add", async () => {
  const call = await caller(["feature:all"]);
  for (const name of ["plain", "FEATURE_new"]) {
    const { isError, text } = await call("write_memory", { memory_name: name, content: "new\n" });
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(/Add the scope \*:read to it\.$/) });
  }
});

it("MEM-6 MEM-8 a note in a folder inside another one hides no note by its longer name", async () => {
  for (const folder of [`${primary}/inner`, "team/inner"]) mkdirSync(join(world.project, folder), { recursive: true });
  writeFileSync(join(world.project, "team/inner/note.md"), "the true text\n");
  const flags = { "--additional-folders": `${primary}/inner,team` };
  const server = await httpWorld(world, { flags });
  try {
    const secret = await server.token({ scopes: ["*:read", `${primary}/inner:all`] });
    const body = { root: `${primary}/inner`, path: "note.md", content: "forged\n", ifRev: null };
    const saved = await server.ask({ method: "PUT", path: "/api/document", ...asJson(body) }, secret);
    expect([saved.status, saved.text]).toEqual([403, expect.stringMatching(/“inner\/note” belongs to “team”/)]);
    expect((await server.workspace.memories.read("inner/note")).content).toBe("the true text\n");
  } finally {
    await server.close();
  }
});
