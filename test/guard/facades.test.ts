import { describe, expect, it } from "vitest";
import { AgentMemoryService, createContentGuard } from "../../src/app.ts";
import { documentStores, type OpenedStore } from "../helpers/document-stores.ts";
import { errorOf } from "../helpers/error-of.ts";
import { bankIn, central } from "../notes/bank/open-bank.ts";
import { memoriesIn } from "../notes/memories/open-memories.ts";
import { newEntry } from "../notes/topics/new-entry.ts";
import { topicsIn } from "../notes/topics/open-topics.ts";
import { freshToken } from "./fresh-token.ts";

const guard = createContentGuard({ policy: "standard", allowed: async () => new Set(), log: () => {} });

/** Refused, in words that do not tell it, and kept nowhere. */
async function expectRefused(
  attempts: Readonly<Record<string, () => Promise<unknown>>>,
  token: string,
  { everything }: Pick<OpenedStore, "everything">,
): Promise<void> {
  const before = await everything();
  for (const [name, attempt] of Object.entries(attempts)) {
    const error = await errorOf(attempt);
    expect(error, name).toMatchObject({ code: "SENSITIVE_CONTENT" });
    expect(String(error), name).not.toContain(token.slice(-16));
  }
  expect(await everything()).toEqual(before);
}

describe.each(documentStores)("PG-1 GUARD-1 a secret on $name", (stores) => {
  it("GUARD-1 is refused in a memory, its name, an edit and a renaming", async () => {
    const { memories, everything } = await memoriesIn(stores)({ guard });
    const token = freshToken();
    await memories.write("note", "alpha");
    const edit = { needle: "alpha", replacement: token, multiple: false };
    const attempts = {
      write: () => memories.write("other", `key ${token}`),
      name: () => memories.write(token, "text"),
      append: () => memories.append("note", token),
      prepend: () => memories.prepend("note", token),
      literal: () => memories.edit("note", { ...edit, mode: "literal" }),
      regex: () => memories.edit("note", { ...edit, mode: "regex" }),
      rename: () => memories.rename("note", token),
    };
    await expectRefused(attempts, token, { everything });
  });

  it("GUARD-1 is refused in an entry of a topic, and in its names", async () => {
    const { topics, everything } = await topicsIn(stores)({ guard });
    const token = freshToken();
    await topics.store(newEntry("One"));
    const fields = ["topic", "subtopic", "title", "context", "problem", "solution", "code"];
    const rows = fields.map((field) => [field, () => topics.store(newEntry("Two", { [field]: token }))] as const);
    await expectRefused(Object.fromEntries(rows), token, { everything });
  });

  it("GUARD-1 is refused in the bank, and in a task file from a template", async () => {
    const { bank, fillBank, everything } = await bankIn(stores)({ guard });
    const token = freshToken();
    await fillBank({ "templates/plan-mode.md": `# Plan\n${token}\n` });
    const attempts = {
      file: () => bank.createFile(`${central}/app/a.md`, token),
      name: () => bank.createFile(`${central}/app/${token}.md`, "text"),
      task: () => bank.createTaskFile("T-1", "review", token),
      template: () => bank.createTaskFile("T-1", "plan"),
    };
    await expectRefused(attempts, token, { everything });
  });

  it("GUARD-1 is refused in the memory of an agent", async () => {
    const { store, everything } = await stores.open([{ name: "agent_memory" }]);
    const memory = new AgentMemoryService("/nowhere", { log: () => {}, store });
    const token = freshToken();
    await memory.writeMemoryFile("agent-1", "a.md", "text");
    const attempts = {
      write: () => memory.writeMemoryFile("agent-1", "a.md", token),
      append: () => memory.appendToMemoryFile("agent-1", "a.md", token),
      name: () => memory.writeMemoryFile("agent-1", `${token}.md`, "text"),
    };
    await expectRefused(attempts, token, { everything });
  });
});
