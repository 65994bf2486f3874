import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createDocuments } from "../../src/core/documents.ts";
import { matchesGlob } from "../../src/core/glob.ts";
import { fullAccess, readOnly } from "../../src/core/root-policy.ts";
import { createMemories } from "../../src/memories/memories.ts";
import type { MemoryFolder } from "../../src/memories/memory-folder.ts";
import { openFilesStore } from "../../src/stores/files/files-store.ts";
import { createRegexRunner } from "../../src/workspace/regex-runner.ts";

interface FolderOptions {
  readonly folder: string;
  readonly readOnly?: boolean;
  /** Leaves it to the test to make the folder. */
  readonly missing?: boolean;
}

interface Options {
  /** Where everything lies; a new temporary folder where none is given. */
  readonly base?: string;
  /** False for no project. */
  readonly primary?: boolean;
  readonly additional?: readonly (string | FolderOptions)[];
  readonly global?: "read-only" | "writable";
  readonly globalFolder?: string;
  /** Globs over paths, in every folder. */
  readonly protects?: readonly string[];
  readonly documentBytes?: number;
}

export const primary = ".serena/memories";
export const globalFolder = "home/global";

/** A folder of its own, gone with the test. */
export function scratch(): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "recollect-memories-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return base;
}

/** Memories as a workspace opens them: one store, every folder a root that is named as it is configured. */
export function openMemories(options: Options = {}) {
  const { base = scratch(), protects = [] } = options;
  const folders = configured(options);
  for (const { root, kind, missing } of folders) {
    if (kind !== "primary" && !missing) mkdirSync(join(base, root), { recursive: true });
  }
  const store = openFilesStore({
    roots: folders.map(({ root, kind, readOnly: isReadOnly }) => ({
      name: root,
      folder: join(base, root),
      create: kind !== "additional",
      readOnly: isReadOnly,
    })),
    now: Date.now,
  });
  const documents = createDocuments({
    roots: folders.map(({ root, readOnly: isReadOnly }) => ({
      name: root,
      policy: isReadOnly ? readOnly : fullAccess,
      store,
      protects: (path) => protects.some((glob) => matchesGlob(glob, path)),
    })),
    ...(options.documentBytes === undefined ? {} : { limits: { documentBytes: options.documentBytes } }),
  });
  const regex = createRegexRunner();
  const logged: string[] = [];
  const memories = createMemories({
    documents,
    folders,
    regex,
    stamp: { author: "agent:tester" },
    log: (_, event) => logged.push(event),
    ...(options.documentBytes === undefined ? {} : { documentBytes: options.documentBytes }),
  });
  const close = async () => {
    await regex.close();
    await store.close();
  };
  onTestFinished(close);
  return { base, memories, store, logged, ...onDisk(base) };
}

function configured(options: Options) {
  const { primary: hasPrimary = true, additional = [], global, globalFolder: own = globalFolder } = options;
  const toFolder = (given: string | FolderOptions, kind: MemoryFolder["kind"]) => {
    const {
      folder,
      readOnly: isReadOnly = false,
      missing = false,
    } = typeof given === "string" ? { folder: given } : given;
    return { root: folder, kind, baseName: basename(folder), readOnly: isReadOnly, missing };
  };
  return [
    ...(hasPrimary ? [toFolder(primary, "primary")] : []),
    ...additional.map((given) => toFolder(given, "additional")),
    ...(global ? [toFolder({ folder: own, readOnly: global === "read-only" }, "global")] : []),
  ];
}

/** The files as a person sees them, by paths from the base. */
function onDisk(base: string) {
  return {
    put: (path: string, content: string | Uint8Array) => {
      mkdirSync(dirname(join(base, path)), { recursive: true });
      writeFileSync(join(base, path), content);
    },
    text: (path: string) => readFileSync(join(base, path), "utf8"),
    has: (path: string) => existsSync(join(base, path)),
    path: (path: string) => join(base, path),
  };
}
