import { basename } from "node:path";

/** Files that a text names in backticks. */
export function filesNamedIn(text: string): string[] {
  const named = [...text.matchAll(/`([\w./@-]+)(?::\d[\d-]*)?`/g)].map(([, file = ""]) => file);
  return [...new Set(named.map((file) => file.replace(/^\.\//, "")))];
}

/** Both as a note may name it: by its path in the project, or by its name alone. */
export function namesOfFile(file: string, cwd: string): string[] {
  const inProject = file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file.replace(/^\.\//, "");
  return [...new Set([inProject, basename(inProject)])];
}

/** Nothing in it is long enough, or mixed enough, for a token: most names need no look by the guard, which takes long to load. */
export function isPlainName(file: string): boolean {
  return file.split(/[^\p{L}\p{N}]+/u).every((part) => part.length <= 12 || /^\p{L}{1,24}\d{0,3}$/u.test(part));
}
