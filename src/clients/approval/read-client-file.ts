import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { type ParseError, parse } from "jsonc-parser";
import type { Approval } from "./approval.ts";

/** Clients keep their whole history in such files; a larger one is something else. */
const maximumBytes = 64 * 1024 * 1024;

export type ClientFile<Content> =
  | { readonly kind: "read"; readonly content: Content }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** A file that a client or its user wrote. It is looked at, and never changed; whatever is wrong with it is said. */
export function readClientText(path: string): ClientFile<string> {
  let descriptor: number;
  try {
    // A pipe in its place would be waited for.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    return { kind: "unreadable", reason: code };
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { kind: "unreadable", reason: "it is no file" };
    if (stat.size > maximumBytes) return { kind: "unreadable", reason: "it is larger than 64 MiB" };
    return { kind: "read", content: readFileSync(descriptor, "utf8").replace(/^\ufeff/, "") };
  } catch (error) {
    return { kind: "unreadable", reason: codeOf(error) };
  } finally {
    closeSync(descriptor);
  }
}

/** Clients allow comments in most of their files. */
export function readClientJson(path: string): ClientFile<unknown> {
  const file = readClientText(path);
  if (file.kind !== "read") return file;
  const content = parsed(file.content);
  return content === undefined ? { kind: "unreadable", reason: "it is not valid JSON" } : { kind: "read", content };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parsedWithComments(text);
  }
}

function parsedWithComments(text: string): unknown {
  const errors: ParseError[] = [];
  try {
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    return errors.length === 0 ? value : undefined;
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Those of a client's files that are there, and what is to be said of those that cannot be read. */
export function readClientFiles(
  home: string,
  paths: readonly string[],
): { readonly files: readonly { readonly shown: string; readonly content: unknown }[]; readonly unread: Approval[] } {
  const read = paths.map((path) => ({ shown: shownPath(path, home), ...readClientJson(path) }));
  return {
    files: read.flatMap((file) => (file.kind === "read" ? [{ shown: file.shown, content: file.content }] : [])),
    unread: read.flatMap((file) => (file.kind === "unreadable" ? [unreadable(file.shown, file.reason)] : [])),
  };
}

export function unreadable(shown: string, reason: string): Approval {
  return {
    level: "note",
    says: `${shown} cannot be read (${reason}), so what it allows is not known`,
    remedy: "Repair the file, or ask the client about it.",
  };
}

/** As people write it. */
export function shownPath(path: string, home: string): string {
  const below = relative(home, path);
  const isBelow = below !== "" && !below.startsWith("..") && !isAbsolute(below);
  return (isBelow ? join("~", below) : path).replaceAll("\\", "/");
}

/** The value behind these keys; undefined where there is none. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

export function wordsAt(value: unknown, ...keys: readonly string[]): string[] {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? found.filter((each) => typeof each === "string") : [];
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  throw error;
}
