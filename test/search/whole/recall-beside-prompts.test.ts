import { beforeAll, describe, expect, it } from "vitest";
import { type HookMemory, withHookMemory } from "../../../src/hooks/hook-memory.ts";
import { allowRecall } from "../../../src/settings/recall-consent.ts";
import type { UserPlace } from "../../../src/settings/user-folders.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { projectNotes } from "./project-notes.ts";
import { laterSilentPrompts, laterSpeakingPrompts, silentPrompts, speakingPrompts } from "./project-prompts.ts";
import { searchWorld } from "./search-world.ts";

const folders = temporaryFolders();
let user: UserPlace;
let project = "";

/** The notes that a hook would put before a model, as one session would be given them. */
async function namesFor(memory: HookMemory, prompt: string): Promise<readonly string[]> {
  const judged = await memory.judge(prompt, {});
  const records = await Promise.all(judged.filter(({ fits }) => fits).map(({ hit }) => memory.record(hit)));
  return [...new Set(records.flatMap((record) => (record === undefined ? [] : [record.name])))].slice(0, 3);
}

/** Those of the prompts that are answered otherwise than they should be. */
function wrongOf<Prompt>(
  prompts: readonly Prompt[],
  isRight: (prompt: Prompt, memory: HookMemory) => Promise<boolean>,
): Promise<readonly Prompt[]> {
  return withHookMemory(project, user, async (memory) => {
    const wrong: Prompt[] = [];
    for (const prompt of prompts) if (!(await isRight(prompt, memory))) wrong.push(prompt);
    return wrong;
  });
}

const isSilent = async (prompt: string, memory: HookMemory) => (await namesFor(memory, prompt)).length === 0;
const isAnswered = async ([prompt, path]: readonly [string, string], memory: HookMemory) =>
  (await namesFor(memory, prompt)).includes(path.replace(/\.md$/, ""));

/** Nobody can tell from words alone whether a note helps: of those that should be silent, so many may get something. */
const mostNoise = 3;
/** And of those with an answer, so many may get none. */
const mostMissed = 12;

describe("SRCH-4 beside the prompts of a project", () => {
  beforeAll(async () => {
    const world = searchWorld(folders.make());
    for (const [path, text] of Object.entries(projectNotes)) world.note(path, text);
    project = world.project;
    user = { env: {}, home: world.home, platform: process.platform };
    allowRecall(project, user);
    await world.ask("builds the index");
  });

  it("SRCH-4 USE-6 memory is silent where no note helps", async () => {
    const wrong = await wrongOf([...silentPrompts, ...laterSilentPrompts], isSilent);
    expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(mostNoise);
  }, 60_000);

  it("SRCH-4 USE-6 memory speaks where a note has the answer, with that note", async () => {
    const wrong = await wrongOf([...speakingPrompts, ...laterSpeakingPrompts], isAnswered);
    expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(mostMissed);
  }, 60_000);
});
