import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { suggestNames } from "../memories/suggest-names.ts";
import type { FoundRecord } from "./find-records.ts";
import { linesOfPiece } from "./pieces.ts";
import type { RecordsOptions } from "./records.ts";

const mostNamed = 6;

export async function missingRecord(
  name: string,
  { memories, lessons, mayShow }: Pick<RecordsOptions, "memories" | "lessons" | "mayShow">,
): Promise<RecollectError> {
  // What could not be named is not missing: it is said what is wrong with the name.
  const error: unknown = await memories.read(name).catch((thrown: unknown) => thrown);
  if (isRecollectError(error) && error.code === "INVALID_PATH") return error;
  const what = lessons ? "note or lesson" : "note";
  // Somebody may ask for a token (GUARD-3).
  if (!(await mayShow(name))) return new RecollectError("NOT_FOUND", `There is no ${what} of this name.`);
  const near = suggestNames(name.replace(/^mem:/, "").replace(/\.md$/, ""), [
    ...new Set([...(await memories.names()), ...(await lessonNames(lessons))]),
  ]);
  const meant = near.length > 0 ? ` Did you mean ${near.map((one) => `“${one}”`).join(" or ")}?` : "";
  return new RecollectError("NOT_FOUND", `There is no ${what} “${name}”.${meant}`, { data: { name, near } });
}

async function lessonNames(lessons: RecordsOptions["lessons"]): Promise<readonly string[]> {
  if (!lessons) return [];
  try {
    return (await lessons.topics.shownNames()).map(({ topic, subtopic }) => `${topic}/${subtopic}`);
  } catch (error) {
    if (isRecollectError(error)) return [];
    throw error;
  }
}

export function missingPart(given: string, { kind, whole, content, path, lessons }: FoundRecord): RecollectError {
  const titles = lessons.map(({ title }) => `“${title}”`).slice(0, mostNamed);
  const there = titles.length > 0 ? ` It has: ${titles.join(", ")}.` : ` Read it as “${whole}”.`;
  const what = kind === "note" ? "section or line" : "lesson";
  return new RecollectError("NOT_FOUND", `There is no such ${what} in “${whole}”.${there}`, {
    data: { name: given, path, size: content.length, advised: true },
  });
}

export function ambiguous(given: string, found: readonly FoundRecord[]): RecollectError {
  const named = found.slice(0, mostNamed).map(({ placed, piece, content }) => {
    const lines = piece && linesOfPiece(content, piece);
    return `“${placed}${lines ? `:${lines.from}-${lines.to}` : ""}”`;
  });
  const says = `“${given}” means several. Say which: ${named.join(" or ")}.`;
  return new RecollectError("INVALID_ARGUMENT", says, { data: { name: given } });
}

export function severalLessons({ whole, lessons }: FoundRecord): RecollectError {
  const named = lessons.slice(0, mostNamed).map(({ title }) => `“${whole} › ${title}”`);
  const more = lessons.length > mostNamed ? ` and ${lessons.length - mostNamed} more` : "";
  const says = `“${whole}” holds ${lessons.length} lessons. Say which to forget: ${named.join(", ")}${more}.`;
  return new RecollectError("INVALID_ARGUMENT", says, { data: { name: whole } });
}

export function lessonsHere(name: string): RecollectError {
  const says = `“${name}” holds lessons. store_in_memory adds one, edit_memory corrects one.`;
  return new RecollectError("INVALID_ARGUMENT", says, { data: { name } });
}

export function lessonsStay(name: string): RecollectError {
  const says = `“${name}” is a lesson, and lessons keep their names. Only notes are renamed. To file a lesson under another topic, store it there with store_in_memory and delete this one.`;
  return new RecollectError("INVALID_ARGUMENT", says, { data: { name } });
}

/** Where nothing of ours can take its place: it is said who can change it. */
export function readOnlyHere(what: "edit" | "forget", given: string): (error: unknown) => never {
  return (error) => {
    if (!isRecollectError(error) || error.code !== "READ_ONLY") throw error;
    const root = String(error.data["root"] ?? "");
    const how =
      root === "global"
        ? "These notes are the user's own: ask them to change the file, or to turn on memories.global_writable."
        : `Ask the user to ${what === "edit" ? "correct" : "delete"} the file there, or to make it writable.`;
    const says = `“${given}” lies in ${root}, which is read-only here. ${how}`;
    throw new RecollectError("READ_ONLY", says, { data: { ...error.data, advised: true }, cause: error });
  };
}
