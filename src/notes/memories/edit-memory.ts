import { type Expectation, meets } from "../../kernel/conflict.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { editText, type TextEdit } from "./edit-text.ts";
import { documentOf, type FoundMemory } from "./locate-memory.ts";
import type { ChangeMemoryAt, WrittenMemory } from "./memories.ts";
import { goneError, lostError } from "./memory-errors.ts";
import type { RegexRunner } from "./regex-runner.ts";

/** A note after an edit. */
export interface EditedMemory extends WrittenMemory {
  /** How many matches were replaced. */
  readonly count: number;
}

export interface EditContext {
  readonly documents: Documents;
  readonly regex: RegexRunner;
  readonly changeAt: ChangeMemoryAt;
}

const maxEditAttempts = 200;

/** Edits a memory where it is, as one operation (MEM-9). */
export function editMemory(
  found: FoundMemory,
  edit: TextEdit,
  expected: Expectation,
  context: EditContext,
): Promise<EditedMemory> {
  const run = edit.mode === "regex" ? editByRegex : editLiterally;
  return run(found, edit, expected, context);
}

async function editLiterally(
  { name, at }: FoundMemory,
  edit: TextEdit,
  expected: Expectation,
  { changeAt }: EditContext,
): Promise<EditedMemory> {
  let count = 0;
  const written = await changeAt(at, expected, (before) => {
    if (before === undefined) throw goneError(name);
    const edited = editText(before.content, edit);
    count = edited.count;
    return { kind: "put", content: edited.text };
  });
  return { ...written, count };
}

/** Computed beside the lock, where it can be stopped; so it begins again when somebody else was quicker. */
async function editByRegex(
  found: FoundMemory,
  edit: TextEdit,
  expected: Expectation,
  { documents, regex, changeAt }: EditContext,
): Promise<EditedMemory> {
  for (let attempt = 0; attempt < maxEditAttempts; attempt += 1) {
    const before = attempt === 0 ? documentOf(found) : await documents.read(found.at);
    if (!before) throw goneError(found.name);
    const conflict = { kind: "conflict", at: found.at, current: before.rev } as const;
    if (!meets(expected, before.rev)) throw lostError(found.name, conflict, expected);
    const { text, count } = await regex.edit(before.content, edit);
    const written = await unlessLost(changeAt(found.at, { ifRev: before.rev }, () => ({ kind: "put", content: text })));
    if (written) return { ...written, count };
  }
  throw new RecollectError("BUSY", "Others change this memory all the time. Try again.", {
    data: { name: found.name },
  });
}

/** Undefined where somebody else was quicker. */
async function unlessLost<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isRecollectError(error) && error.code === "CONFLICT") return undefined;
    throw error;
  }
}
