import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allowRecall } from "../../../src/app.ts";
import { runCli } from "../../../src/cli/main.ts";
import { answerText } from "../../../src/hooks/process.ts";
import { textOf } from "../../helpers/mcp.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { toolSession } from "../../helpers/tool-session.ts";
import { wholeAnswer } from "../../helpers/whole-answer.ts";
import { searchWorld } from "../../search/whole/search-world.ts";

const folders = temporaryFolders();

/** Words that nothing else has, so that each falsehood is found by its own. */
const words = Array.from({ length: 100 }, (_, at) => `falsehood${String.fromCharCode(97 + (at % 26))}${at}zq`);
const kinds = ["note", "lesson", "archived lesson", "read-only file"] as const;

/** Of each kind 25, several of them in one file. */
function plantedWorld() {
  const world = searchWorld(folders.make());
  const claim = (word: string) => `The gateway of ${word} listens on port 9.`;
  const lessons: string[] = [];
  const archived: string[] = [];
  for (const [at, word] of words.entries()) {
    const kind = kinds[at % 4];
    if (kind === "note") world.note(`net/gate-${at}.md`, `# Gate ${at}\n\n${claim(word)}\n`);
    if (kind === "lesson") lessons.push(`## 2026-03-01: Gate ${at}\n**Problem:** p\n**Solution:** ${claim(word)}\n`);
    if (kind === "archived lesson")
      archived.push(`## 2025-03-01: Gate ${at}\n**Archived from:** gates\n**Problem:** ${claim(word)}\n`);
    if (kind === "read-only file") world.write(`../adopted/gate-${at}.md`, `# Gate ${at}\n\n${claim(word)}\n`);
  }
  world.write("memory/net/gates.md", lessons.join("\n---\n\n"));
  world.write("memory/archive/net/2025.md", archived.join("\n---\n\n"));
  return world;
}

const flags = { "--additional-folders": ["../adopted:ro"] };

/** What a new session of each client whose hooks inject gets with a prompt. */
async function injected(world: ReturnType<typeof plantedWorld>, prompt: string): Promise<string> {
  const env = { RECOLLECT_ADDITIONAL_FOLDERS: "../adopted:ro" };
  const user = { env, home: world.home, platform: process.platform };
  const common = { session_id: prompt, cwd: world.project, prompt };
  const told = await Promise.all(
    [
      ["claude-code", { ...common, hook_event_name: "UserPromptSubmit", prompt_id: "p" }],
      ["gemini-cli", { ...common, hook_event_name: "BeforeAgent" }],
    ].map(([client, event]) => answerText(Buffer.from(JSON.stringify(event)), client as string, user)),
  );
  return told.join("\n");
}

describe("USE-13 wrong memory dies", () => {
  it("USE-13 100 falsehoods are corrected or deleted by the name that search gave, and no search, recall or hook gives them any more", async () => {
    const world = plantedWorld();
    const { call } = await toolSession(await world.open({ flags }));
    const ask = async (tool: string, args: Record<string, unknown>) =>
      textOf(await wholeAnswer(() => call(tool, args)));
    allowRecall(world.project, { env: {}, home: world.home, platform: process.platform });
    const prompt = (word: string) => `On which port does the gateway of ${word} listen?`;
    const isToldOf = (word: string, text: string) => text.includes(`of ${word} listens`);
    for (const word of words.slice(0, 4)) expect(isToldOf(word, await injected(world, prompt(word))), word).toBe(true);
    const names: string[] = [];
    for (const [at, word] of words.entries()) {
      const found = await ask("search_memory", { query: word, limit: 1 });
      const name = /^1\. (.+?) \((?:note|lesson), /.exec(found)?.[1] ?? found;
      names.push(name);
      const corrected =
        at % 8 < 4
          ? await call("edit_memory", { memory_name: name, needle: word, repl: "nothing", mode: "literal" })
          : await call("delete_memory", { memory_name: name });
      expect(corrected.isError ?? false, textOf(corrected)).toBe(false);
    }
    const answers: string[] = [];
    for (const word of words) {
      answers.push(await ask("search_memory", { query: word }));
      answers.push(await ask("recall_context", { query: `which port has ${word}` }));
      answers.push(await injected(world, prompt(word)));
    }
    expect(words.filter((word) => answers.some((text) => isToldOf(word, text)))).toEqual([]);

    for (const at of [0, 1, 2, 4, 5, 6]) {
      await call("memory_history", { path: names[at], action: "restore", rev: "~1" });
      expect(await ask("read_memory", { memory_name: names[at] })).toContain(words[at]);
    }
    expect(readFileSync(world.at("../adopted/gate-3.md"), "utf8")).toContain(words[3]);
  });

  it("USE-13 recollect forget takes a note, a lesson, a section or a read-only note out, and its own advice brings it back", async () => {
    const world = plantedWorld();
    world.note("ops/harbour.md", "# Harbour\n\nkept\n\n## Cranes\n\nten cranes\n");
    const run = async (...args: string[]) => {
      const said: string[] = [];
      const io = {
        out: (text: string) => said.push(text),
        err: (text: string) => said.push(text),
        place: { env: {}, home: world.home },
      };
      const place = ["--project", world.project, "--additional-folders", "../adopted:ro"];
      const code = await runCli([...args, ...place], io as never);
      return { code, text: said.join("") };
    };
    for (const [name, read, holds] of [
      ["net/gate-0", "net/gate-0", words[0]],
      ["net/gates › Gate 1", "net/gates › Gate 1", words[1]],
      ["archive/net/2025 › Gate 2", "archive/net/2025 › Gate 2", words[2]],
      ["net/gates › Gate 6", "archive/net/2025 › Gate 6", words[6]],
      ["gate-3", "gate-3", words[3]],
      ["ops/harbour › Cranes", "ops/harbour", "ten cranes"],
    ] as const) {
      const forgotten = await run("forget", name);
      expect([name, forgotten.code, forgotten.text]).toEqual([
        name,
        0,
        expect.stringMatching(/\n(?:Get it back|Show it again): recollect /),
      ]);
      expect((await run("memories", "read", read)).text, name).not.toContain(holds);
      const [, back = ""] = /: recollect (.*)$/m.exec(forgotten.text) ?? [];
      const command = [...back.matchAll(/(["'])(.*?)\1|\S+/g)].map(([word, , quoted]) => quoted ?? word);
      const restored = await run(...command);
      expect([name, restored.code, restored.text]).toEqual([name, 0, expect.any(String)]);
      expect((await run("memories", "read", read)).text, name).toContain(holds);
    }
    const several = await run("rm", "net/gates");
    expect([several.code, several.text]).toEqual([expect.any(Number), expect.stringContaining("Say which to forget")]);
    expect((await run("rm", "net/gates", "--all")).code).toBe(0);
    expect((await run("search", words[1] ?? "")).text).not.toContain(`of ${words[1]}`);
  });
});
