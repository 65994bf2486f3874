import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { made } from "../../src/guard/rules/made.ts";
import { type GitProject, gitProject } from "../helpers/git-project.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const value = made(24);
let project: GitProject;

beforeEach(() => {
  project = gitProject(folders.make());
});

const doctor = () => project.cli(["doctor"]);

describe("CLI-2 doctor on what somebody wrote by hand", () => {
  it("CLI-2 GUARD-1 names the note that holds a secret, and what it advises works", async () => {
    project.put(".serena/memories/ops/db.md", `# Database\n\npassword: ${value}\n`);
    const { code, out } = await doctor();
    expect([code, out.includes(value)]).toEqual([1, false]);
    expect(out).toMatch(/✗ guard +1 document holds .* a secret: \.serena\/memories\/ops\/db\.md \(line 3: /);
    expect(out).toContain("→ recollect guard scan");
    const scanned = await project.cli(["guard", "scan"]);
    expect([scanned.code, scanned.out.includes(value)]).toEqual([1, false]);
    const [, place = "", line = ""] = /^(\S+?):(\d+):/.exec(scanned.out) ?? [];
    const purged = await project.cli(["purge", "--document", place, "--line", line, "--yes"]);
    expect([purged.code, project.read(".serena/memories/ops/db.md").includes(value)]).toEqual([0, false]);
    expect(await doctor()).toMatchObject({ code: 0, out: expect.not.stringContaining("✗") });
  });

  it("CLI-2 GUARD-4 says nothing of what was allowed, and nothing of a name that is a token", async () => {
    const token = ["gh", "p_", made(36)].join("");
    project.put(`memory/build/${token}.md`, "## 2026-01-01: One\n");
    project.put("memory/build/cache.md", `## 2026-01-01: One\n${token}\n`);
    const { out } = await doctor();
    expect(out).toContain("memory/(name left out) (in its name: ");
    expect(out).not.toContain(token.slice(4));
    const { found } = JSON.parse((await project.cli(["guard", "scan", "--json"])).out);
    for (const { findings } of found) {
      await project.cli(["guard", "allow", findings[0].fingerprint, "--reason", "an example"]);
    }
    expect((await doctor()).out).not.toContain("guard");
  });
});

describe("CLI-2 doctor on merges by git", () => {
  const says = /✗ merging +\.gitattributes names Recollect's merge driver, which this clone does not have/;

  it("CLI-2 HIST-4 finds a clone that has the attributes of the merge driver and not the driver", async () => {
    project.put("memory/build/cache.md", "## 2026-01-01: One\n");
    await project.cli(["topics", "reindex"]);
    expect((await doctor()).code).toBe(0);
    await project.cli(["merge-driver", "--install", "--yes"]);
    expect((await doctor()).code).toBe(0);
    for (const section of ["recollect", "recollect-base"]) {
      project.git("config", "--local", "--remove-section", `merge.${section}`);
    }
    const found = await doctor();
    expect([found.code, found.out]).toEqual([1, expect.stringMatching(says)]);
    expect(found.out).toContain("→ recollect merge-driver --install");
    await project.cli(["merge-driver", "--install", "--yes"]);
    expect((await doctor()).code).toBe(0);
    project.put(".gitattributes", "# /memory/** merge=recollect\n*.md text\n");
    project.git("config", "--local", "--remove-section", "merge.recollect");
    expect((await doctor()).out).not.toMatch(says);
  });

  it("CLI-2 TOP-5 calls an index that git's merge left behind no problem: the next entry counts", async () => {
    const said = ["--context", "c", "--problem", "p", "--solution", "s"];
    const store = (title: string) => project.cli(["topics", "store", "build", "cache", "--title", title, ...said]);
    await store("First");
    await project.cli(["merge-driver", "--install", "--yes"]);
    project.commitAll("base");
    project.git("checkout", "-q", "-b", "other");
    await store("Theirs");
    project.commitAll("other");
    project.git("checkout", "-q", "main");
    await store("Ours");
    project.commitAll("main");
    project.git("merge", "-q", "--no-edit", "other");
    expect(existsSync(join(project.project, ".git/recollect-untidy"))).toBe(true);
    const { code, out } = await doctor();
    expect([code, out]).toEqual([7, expect.stringMatching(/• topics +“index\.md” .* since git merged topics/)]);
    expect(out).toContain("→ recollect topics reindex");
    await project.cli(["topics", "reindex"]);
    expect((await doctor()).out).not.toContain("index.md");
    project.put("memory/build/more.md", "## 2026-01-01: By hand\n");
    expect(await doctor()).toMatchObject({ code: 1, out: expect.stringMatching(/✗ topics +“index\.md”/) });
  });
});
