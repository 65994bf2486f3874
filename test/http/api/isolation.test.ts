import { describe, expect, it } from "vitest";
import { wholeAnswer } from "../../helpers/whole-answer.ts";
import { type ApiWorld, apiWorlds } from "./open-api.ts";

const open = apiWorlds();
const primary = ".serena/memories";
const reading = new Set(["list", "read"] as const);
const writing = new Set(["list", "read", "write", "append", "delete", "move"] as const);

const askers = {
  one: { author: "agent:one", agentId: "one", grants: new Map([[primary, writing]]) },
  two: {
    author: "agent:two",
    agentId: "two",
    grants: new Map([
      ["team", writing],
      ["memory", writing],
      [primary, reading],
      [`${primary}/inside`, reading],
    ]),
  },
};

/** What belongs to the other agent, and a folder of the team that lies inside of what both see. */
async function worldWith(hasOther: boolean): Promise<ApiWorld> {
  const inside = `${primary}/inside`;
  // In both there is a folder by hand, so that the configuration alone makes the difference.
  const world = await open({
    askers,
    flags: hasOther ? { "--additional-folders": `team,${inside}` } : {},
    before: (one) => {
      one.write(`work/app/${primary}/shared.md`, "shared\n");
      if (!hasOther) return;
      one.write("work/app/team/plan.md", "the secret plan of two\n");
      one.write("work/app/team/plan.conflict-1a2b3c4d.md", "another secret plan\n");
      one.write(`work/app/${inside}/hidden.md`, "the secret plan inside\n");
      one.write("work/app/memory/plans/secret.md", "## 2026-01-01: Secret plan\n**Problem:** secret\n\n---\n\n");
    },
  });
  await world.send("PUT", "/document", { root: "agent_memory", path: "own.md", content: "own\n", ifRev: null }, "one");
  if (hasOther) {
    const mine = { root: "agent_memory", path: "plan.md", content: "the secret plan of two\n", ifRev: null };
    expect((await world.send("PUT", "/document", mine, "two")).status).toBe(200);
    const team = { root: "team", path: "kept.md", content: "secret history\n", ifRev: null };
    expect((await world.send("PUT", "/document", team, "two")).status).toBe(200);
    const found = await wholeAnswer(() => world.get("/search", { q: "secret plan" }, "two"));
    expect(found.text).toContain("secret");
    expect((await world.get("/history", { root: "team" }, "two")).text).toContain("kept.md");
  }
  return world;
}

const rev = "0".repeat(32);
const places: readonly (readonly [root: string, path: string])[] = [
  ["team", "plan.md"],
  ["team", "kept.md"],
  ["memory", "plans/secret.md"],
  ["agent_memory", "plan.md"],
  ["agent_memory", "two/plan.md"],
  ["agent_memory", "../two/plan.md"],
  ["agent_memory/two", "plan.md"],
  [primary, "inside/hidden.md"],
];

const attempts: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ...places.flatMap(([root, path]) => {
    const query = new URLSearchParams({ root, path });
    return [
      ["GET", `/document?${query}`],
      ["GET", `/history?${query}`],
      ["GET", `/history/show?${query}`],
      ["GET", `/history/diff?${query}`],
      ["POST", "/history/restore", { root, path, rev: "abcd" }],
      ["DELETE", `/document?${query}&ifRev=${rev}`],
      ["POST", "/document/move", { root, path, to: "stolen.md", ifRev: rev }],
    ] as const;
  }),
  ...["team", "memory", "agent_memory/two", `${primary}/inside`].flatMap((root) => {
    const query = new URLSearchParams({ root });
    return [
      ["GET", `/folder?${query}`],
      ["GET", `/history?${query}`],
      ["GET", `/search?q=plan&${query}`],
      ["PUT", "/document", { root, path: "planted.md", content: "x\n", ifRev: null }],
    ] as const;
  }),
  ["GET", `/folder?root=${primary}`],
  ["GET", `/folder?root=${primary}&folder=inside`],
  ["GET", "/folder?root=agent_memory"],
  ["GET", "/folder?root=agent_memory&folder=two"],
  ["GET", "/folder?root=agent_memory&folder=.."],
  ["GET", "/search?q=secret+plan&preview=1"],
  ["GET", "/search?q=root:team+plan&preview=1"],
  ["GET", "/conflicts"],
  ["GET", "/conflicts/show?root=team&path=plan.conflict-1a2b3c4d.md"],
  ["GET", `/conflicts/show?root=${primary}&path=../../team/plan.conflict-1a2b3c4d.md`],
  ["POST", "/conflicts/settle", { root: "team", path: "plan.conflict-1a2b3c4d.md", keep: "theirs" }],
  ["POST", "/conflicts/settle", { root: "team", path: "plan.md", decided: "deleted-and-changed", keep: "theirs" }],
  ["GET", "/topics"],
  ["GET", "/topics/entries"],
  ["GET", "/topics/entries?topic=plans"],
  ["GET", "/session"],
  ["GET", "/guard"],
  ["GET", "/agents"],
  ["GET", "/tokens"],
];

describe("WEB-2 what a credential may not see", () => {
  it("AGT-4 every attempt across the border is answered byte for byte as where there is nothing beyond it", async () => {
    const [withOther, without] = [await worldWith(true), await worldWith(false)];
    expect(attempts.length).toBeGreaterThanOrEqual(60);
    for (const [method, path, body] of attempts) {
      const ask = async (world: ApiWorld) => {
        const { status, text } = await wholeAnswer(() => world.send(method, path, body, "one"));
        return { status, text: withoutTimes(text) };
      };
      const [there, nowhere] = [await ask(withOther), await ask(without)];
      expect(there, `${method} ${path} ${JSON.stringify(body)}`).toEqual(nowhere);
      expect(there.text).not.toContain("secret plan");
    }
    expect((await withOther.get("/document", { root: "team", path: "plan.md" }, "two")).text).toContain("secret plan");
    expect((await withOther.get("/folder", { root: "team" }, "two")).text).not.toContain("planted");
  });
});

/** When something was written is another moment in the other world, and how well it fits depends on that. */
function withoutTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME").replace(/"score":[\d.e-]+/g, '"score":0');
}
