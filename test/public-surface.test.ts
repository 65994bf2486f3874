import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as recollect from "../src/index.ts";

const sources = new URL("../src/", import.meta.url);

interface Exported {
  readonly name: string;
  readonly file: string;
}

/** The names that a module exports from others, types included. */
function exportsOf(file: string): readonly Exported[] {
  const text = readFileSync(new URL(file, sources), "utf8");
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "\.\/([^"]+)";$/gm)].flatMap(
    ([, names = "", from = ""]) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/ as .*/, ""))
        .filter((name) => name !== "")
        .map((name) => ({ name, file: from })),
  );
}

/** Where a comment stands before the definition of a name, or before where its file takes it from another one. */
function isDocumented({ name, file }: Exported): boolean {
  const text = readFileSync(new URL(file, sources), "utf8");
  const definition = String.raw`export (?:declare )?(?:async )?(?:abstract )?(?:interface|type|class|const|function) ${name}\b`;
  if (new RegExp(String.raw`\*/\n${definition}`).test(text)) return true;
  const from = new RegExp(String.raw`export (?:type )?\{[^}]*\b${name}\b[^}]*\} from "([^"]+)"`).exec(text)?.[1];
  return (
    from !== undefined &&
    isDocumented({ name, file: new URL(from, new URL(file, sources)).href.slice(sources.href.length) })
  );
}

it("LIB-1 the public surface has the values that it is meant to have", () => {
  expect(Object.keys(recollect).sort()).toEqual([
    "AgentMemoryError",
    "AgentMemoryFileNotFoundError",
    "AgentMemoryService",
    "AgentNotFoundError",
    "FileOperationError",
    "InvalidPathError",
    "RecollectError",
    "errorCodes",
    "isRecollectError",
    "openWorkspace",
    "parseDocumentPath",
    "parseExistingPath",
  ]);
});

it("LIB-1 the public surface has at most 60 names, each with a comment that says what it is", () => {
  const exported = exportsOf("index.ts");
  expect(exported.length).toBeGreaterThan(40);
  expect(exported.length).toBeLessThanOrEqual(60);
  expect(exported.filter((one) => !isDocumented(one)).map(({ name }) => name)).toEqual([]);
});
