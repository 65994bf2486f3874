import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { openFilesStore } from "../../../src/backends/files/store.ts";
import type { ContentGuard } from "../../../src/kernel/content-guard.ts";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { matchesGlob } from "../../../src/kernel/glob.ts";
import { fullAccess, readOnly } from "../../../src/kernel/root-policy.ts";
import type { Store } from "../../../src/kernel/store.ts";
import { createMemories } from "../../../src/notes/memories/memories.ts";
import type { MemoryFolder } from "../../../src/notes/memories/memory-folder.ts";
import { createRegexRunner } from "../../../src/notes/memories/regex-threads.ts";
import { type DocumentStores, inRoots, openRoots } from "../../helpers/document-stores.ts";

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
  readonly guard?: () => Promise<ContentGuard>;
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
  const { base = scratch() } = options;
  const folders = configured(options);
  for (const { root, kind, missing } of folders) {
    if (kind !== "primary" && !missing) mkdirSync(join(base, root), { recursive: true });
  }
  const store = openFilesStore({
    roots: rootsOf(folders).map((root) => ({ ...root, folder: join(base, root.name) })),
    now: Date.now,
  });
  onTestFinished(() => store.close());
  return { base, store, ...createOver(() => store, folders, options), ...onDisk(base) };
}

/** The same in any store, by root paths alone: a root is there, and holds documents and nothing else. */
export function memoriesIn(stores: DocumentStores) {
  return async (options: Omit<Options, "base"> = {}) => {
    const folders = configured(options);
    const opened = await stores.open(rootsOf(folders));
    const roots = folders.map(({ root }) => root);
    return {
      ...opened,
      ...createOver(() => opened.store, folders, options),
      ...inRoots(opened, roots),
      /** As another process has them. */
      otherMemories: () => {
        const store = opened.another();
        return createOver(() => store, folders, options).memories;
      },
    };
  };
}

/** Memories over folders that are kept in different stores. */
export async function openMixedMemories(storesOf: (root: string) => DocumentStores, options: Omit<Options, "base">) {
  const folders = configured(options);
  const opened = await openRoots(storesOf, rootsOf(folders));
  const roots = folders.map(({ root }) => root);
  return { ...createOver(opened.storeOf, folders, options), ...inRoots(opened, roots) };
}

function rootsOf(folders: ReturnType<typeof configured>) {
  return folders.map(({ root, kind, readOnly: isReadOnly }) => ({
    name: root,
    create: kind !== "additional",
    readOnly: isReadOnly,
  }));
}

function createOver(storeOf: (root: string) => Store, folders: ReturnType<typeof configured>, options: Options) {
  const { protects = [], documentBytes } = options;
  const documents = createDocuments({
    roots: folders.map(({ root, readOnly: isReadOnly }) => ({
      name: root,
      policy: isReadOnly ? readOnly : fullAccess,
      store: storeOf(root),
      protects: (path) => protects.some((glob) => matchesGlob(glob, path)),
    })),
    ...(documentBytes === undefined ? {} : { limits: { documentBytes } }),
    guard: options.guard,
  });
  const regex = createRegexRunner();
  onTestFinished(() => regex.close());
  const logged: string[] = [];
  const memories = createMemories({
    documents,
    folders,
    regex,
    stamp: { author: "agent:tester" },
    log: (_, event) => logged.push(event),
    ...(documentBytes === undefined ? {} : { documentBytes }),
  });
  return { memories, documents, logged };
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
