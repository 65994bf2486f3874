import type { Expectation } from "../../kernel/conflict.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { excerpt, type LineRange } from "../../kernel/line-range.ts";
import { parseRecordName, type RecordName } from "../../kernel/record-name.ts";
import type { Rev } from "../../kernel/revision.ts";
import { editText, type TextEdit } from "../memories/edit-text.ts";
import type { EditedMemory, Memories, ReadMemory, WrittenMemory } from "../memories/memories.ts";
import type { RegexRunner } from "../memories/regex-runner.ts";
import type { RenamedMemory } from "../memories/rename-memory.ts";
import type { Topics } from "../topics/topics.ts";
import { createRecordFinder, type FoundRecord, isPart } from "./find-records.ts";
import { linesOfPiece } from "./pieces.ts";
import { ambiguous, lessonsHere, lessonsStay, readOnlyHere, severalLessons } from "./record-errors.ts";

export interface RecordsOptions {
  readonly memories: Memories;
  /** Where they are served: their folder as search names it, and what is in it. */
  readonly lessons?: { readonly root: string; readonly topics: Topics } | undefined;
  readonly regex: RegexRunner;
  /** Where a note hides another of its name, which lies in a folder that is only read. */
  readonly primary: string | undefined;
  /** Whether the guard lets a text be shown. */
  readonly mayShow: (text: string) => Promise<boolean>;
}

/** What was taken out, and can be put back from history. */
export interface ForgottenRecord {
  readonly kind: "note" | "lesson" | "part of a note";
  /** As it is printed. */
  readonly name: string;
  /** How history finds it, also where another is called alike. */
  readonly goneAs: string;
  readonly folder: string;
  /** The title of a lesson, which history knows it by. */
  readonly title: string | undefined;
  /** The folder whose note of the same name shows through now. */
  readonly uncovered: string | undefined;
  /** The folder that is only read, whose note is hidden by another of its name now. */
  readonly hides: string | undefined;
}

interface EditedRecord extends EditedMemory {
  /** The folder that is only read, whose note this one replaces from now on. */
  readonly hides: string | undefined;
}

/** Notes and lessons by whatever name a surface printed (USE-3, USE-13). */
export interface Records {
  /** A note and lessons of one name are read together. */
  read(given: string, range?: LineRange & { readonly maxChars?: number | undefined }): Promise<ReadMemory>;
  write(given: string, content: string, expected?: Expectation): Promise<WrittenMemory>;
  append(given: string, content: string): Promise<WrittenMemory>;
  edit(given: string, edit: TextEdit, expected?: Expectation): Promise<EditedRecord>;
  /** Of notes alone. */
  rename(oldName: string, newName: string): Promise<RenamedMemory>;
  /** Of a file with several lessons one has to be named, unless all are meant. */
  forget(given: string, expected?: Expectation & { readonly all?: boolean }): Promise<ForgottenRecord>;
}

interface Replaced {
  readonly folder: string;
  /** Undefined where nothing was left. */
  readonly rev: Rev | undefined;
  readonly hides: string | undefined;
}

const nothingElse = { title: undefined, uncovered: undefined, hides: undefined };
const readChars = 150_000;
const mostAttempts = 200;

export function createRecords(options: RecordsOptions): Records {
  const { memories, lessons, regex, primary } = options;
  const { find, findArchived, require } = createRecordFinder(options);

  /** The text of a record, or of the part that is meant, becomes another. */
  async function replace(found: FoundRecord, text: string): Promise<Replaced> {
    const { content, piece, rev } = found;
    const whole = piece ? content.slice(0, piece.start) + text + content.slice(piece.end) : text;
    if (found.kind === "note") return orHide(found, whole, () => memories.write(found.placed, whole, { ifRev: rev }));
    const changed = await topicsOf(lessons).change(found.path, () => whole, { ifRev: rev });
    return { folder: found.folder, rev: changed.rev, hides: undefined };
  }

  /** A folder that is only read belongs to others: a note of the same name takes the place of the one there. */
  async function orHide<Done extends { readonly folder: string; readonly rev?: Rev }>(
    { whole, folder }: FoundRecord,
    text: string,
    change: () => Promise<Done>,
  ): Promise<(Done & { readonly hides: undefined }) | Replaced> {
    try {
      return { ...(await change()), hides: undefined };
    } catch (error) {
      const isReadOnly = isRecollectError(error) && error.code === "READ_ONLY";
      if (!isReadOnly || primary === undefined || folder === primary || whole.startsWith("global/")) throw error;
      const written = await memories.write(`${primary}/${whole}`, text, { mustNotExist: true });
      return { folder: written.folder, rev: written.rev, hides: folder };
    }
  }

  /** Looked at again where it was changed meanwhile. */
  async function retried<Result>(expected: Expectation, run: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run();
      } catch (error) {
        const wasLost = isRecollectError(error) && error.code === "CONFLICT" && expected.ifRev === undefined;
        if (!wasLost || attempt === mostAttempts) throw error;
      }
    }
  }

  async function editOnce(given: string, edit: TextEdit, expected: Expectation): Promise<EditedRecord> {
    const found = await withNeedle(given, edit);
    assertRev(found, expected);
    const text = found.piece ? found.content.slice(found.piece.start, found.piece.end) : found.content;
    const { text: edited, count } = edit.mode === "regex" ? await regex.edit(text, edit) : editText(text, edit);
    const { rev = found.rev, folder, hides } = await replace(found, edited);
    return { name: found.name, folder, rev, created: false, count, hides };
  }

  /** Where a name means several, the one that has the text. */
  async function withNeedle(given: string, { needle, mode }: TextEdit): Promise<FoundRecord> {
    const found = await require(given);
    const [first, ...others] = found;
    if (mode === "regex") {
      if (others.length > 0) throw ambiguous(given, found);
      return first;
    }
    const has = (one: FoundRecord) => one.content.slice(one.piece?.start, one.piece?.end).includes(needle);
    const having = found.filter(has);
    if (having.length > 1) throw ambiguous(given, having);
    return having[0] ?? (await findArchived(given)).find(has) ?? first;
  }

  async function forgetOnce(
    given: string,
    { all = false, ...expected }: Expectation & { readonly all?: boolean },
  ): Promise<ForgottenRecord> {
    const found = await require(given);
    const [one, ...others] = found;
    if (others.length > 0) throw ambiguous(given, found);
    assertRev(one, expected);
    if (one.kind === "lessons") return forgetLesson(one, all);
    return one.piece && isPart(one) ? forgetSection(one) : forgetNote(one, expected);
  }

  async function forgetNote(one: FoundRecord, expected: Expectation): Promise<ForgottenRecord> {
    const { whole: name, folder } = one;
    const instead = `Forgotten: ${folder} is read-only here, so this note hides its note of the same name. Delete this one to see that again.\n`;
    const gone = await orHide(one, instead, () => memories.delete(one.placed, expected));
    const uncovered = "uncovered" in gone ? gone.uncovered : undefined;
    return { ...nothingElse, kind: "note", name, goneAs: await goneAs(one), folder, uncovered, hides: gone.hides };
  }

  async function forgetSection(one: FoundRecord): Promise<ForgottenRecord> {
    const { hides } = await replace(one, "");
    const { name, folder } = one;
    return { ...nothingElse, kind: "part of a note", name, goneAs: await goneAs(one), folder, hides };
  }

  async function forgetLesson(one: FoundRecord, all: boolean): Promise<ForgottenRecord> {
    const { content, folder, lessons: there } = one;
    const [first, ...more] = there;
    if (!one.piece && more.length > 0 && !all) throw severalLessons(one);
    const only = one.piece ?? (more.length === 0 ? first : undefined);
    await replace({ ...one, piece: only ?? { title: "", start: 0, end: content.length, isLesson: false } }, "");
    const titled = (document: string) => (only === undefined ? document : `${document} › ${only.title}`);
    const [name, gone] = [titled(one.whole), titled(await goneAs(one))];
    return { ...nothingElse, kind: "lesson", name, goneAs: gone, folder, title: only?.title };
  }

  /** What is no text can be deleted all the same. */
  async function forgetUnreadable(error: unknown, given: string, expected: Expectation): Promise<ForgottenRecord> {
    if (!isRecollectError(error) || error.code !== "NOT_UTF8") throw error;
    const { name, folder, uncovered } = await memories.delete(given, expected);
    return { kind: "note", name, goneAs: name, folder, title: undefined, uncovered, hides: undefined };
  }

  /** With its place where another document is called alike. */
  async function goneAs({ kind, whole, placed }: FoundRecord): Promise<string> {
    const others = await find({ name: whole, titles: [], lines: undefined });
    return others.every((one) => one.kind === kind) ? whole : placed;
  }

  async function read(
    given: string,
    { maxChars = readChars, ...range }: LineRange & { maxChars?: number | undefined },
  ) {
    const found = await require(given);
    const [first, ...others] = found;
    const { name, folder, rev, piece, content } = first;
    if (others.length > 0) {
      if (found.some((one) => one.piece)) throw ambiguous(given, found);
      const texts = found.map((one) => `(${one.kind} ${one.placed})\n${one.content}`);
      return { name, folder, rev, ...excerpt(texts.join("\n"), range, maxChars) };
    }
    if (!piece || range.startLine !== undefined || range.endLine !== undefined)
      return { name, folder, rev, ...excerpt(content, range, maxChars) };
    const { from, to } = linesOfPiece(content, piece);
    return { name, folder, rev, ...excerpt(content, { startLine: from - 1, endLine: to - 1 }, maxChars) };
  }

  return {
    read: (given, range = {}) => read(given, range),
    edit: (given, edit, expected = {}) =>
      retried(expected, () => editOnce(given, edit, expected)).catch(readOnlyHere("edit", given)),
    forget: (given, expected = {}) =>
      retried(expected, () => forgetOnce(given, expected))
        .catch((error: unknown) => forgetUnreadable(error, given, expected))
        .catch(readOnlyHere("forget", given)),
    rename,
    write: async (given, content, expected = {}) => {
      await assertWhole(given, "write_memory");
      return memories.write(given, content, expected);
    },
    append: async (given, content) => {
      const name = parseRecordName(given);
      if (!meansPart(name) || (await memoriesHas(given))) {
        await assertWhole(given, "append_memory");
        return memories.append(given, content);
      }
      return retried({}, async () => {
        const [one, ...others] = await require(given);
        if (others.length > 0) throw ambiguous(given, [one, ...others]);
        const text = one.content.slice(one.piece?.start, one.piece?.end);
        const { rev = one.rev } = await replace(one, withLines(text, content));
        return { name: one.name, folder: one.folder, rev, created: false };
      });
    },
  };

  async function rename(oldName: string, newName: string): Promise<RenamedMemory> {
    const found = await find(parseRecordName(oldName));
    const note = found.find(({ kind, piece }) => kind === "note" && !piece);
    if (note) return memories.rename(note.placed, newName);
    if (found.some(({ kind }) => kind === "lessons")) throw lessonsStay(oldName);
    return memories.rename(oldName, newName);
  }

  async function memoriesHas(given: string): Promise<boolean> {
    return (await find({ name: given, titles: [], lines: undefined })).some(({ kind }) => kind === "note");
  }

  /** A new note is not called as what is a part of another, or lies among lessons. */
  async function assertWhole(given: string, tool: string): Promise<void> {
    const name = parseRecordName(given);
    if (meansPart(name) && !(await memoriesHas(given)) && (await find(name)).length > 0)
      throw new RecollectError(
        "INVALID_ARGUMENT",
        `“${given}” is a part of ${name.name}, and ${tool} takes whole notes. Correct the part with edit_memory.`,
      );
    if (lessons && given.replace(/^mem:/, "").startsWith(`${lessons.root}/`)) {
      const found = await find({ name: given, titles: [], lines: undefined });
      if (found.length > 0 && found.every(({ kind }) => kind === "lessons")) throw lessonsHere(given);
    }
  }
}

function meansPart({ titles, lines }: RecordName): boolean {
  return titles.length > 0 || lines !== undefined;
}

/** Before the line that ends a lesson. */
function withLines(text: string, content: string): string {
  const end = /(?:\s*\n-{3,}\s*)?\s*$/.exec(text);
  const body = text.slice(0, end?.index);
  return `${body}\n${content.trimEnd()}${text.slice(body.length) || "\n"}`;
}

function assertRev({ name, rev }: FoundRecord, { ifRev }: Expectation): void {
  if (ifRev === undefined || ifRev === rev) return;
  throw new RecollectError("CONFLICT", `“${name}” has the revision ${rev} by now. Read it again.`, {
    data: { current: rev },
  });
}

function topicsOf(lessons: RecordsOptions["lessons"]): Topics {
  if (!lessons) throw new Error("a lesson was found without topics");
  return lessons.topics;
}
