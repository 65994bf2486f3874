import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createDocuments, type MountedRoot, openFilesStore, readOnly } from "../../../src/app.ts";
import type { RootFolderOptions } from "../../../src/backends/files/root-folders.ts";
import type { ContentGuard } from "../../../src/kernel/content-guard.ts";
import { type Bank, createBank } from "../../../src/notes/bank/bank.ts";
import { bankPolicies } from "../../../src/notes/bank/bank-roots.ts";
import { scratchFolder, stamp } from "../../backends/files/scratch.ts";
import { type DocumentStores, inRoots } from "../../helpers/document-stores.ts";

export interface OpenBankOptions {
  /** Where BASE lies; beside the project where nothing is said. */
  readonly base?: string;
  readonly project?: string;
  /** As the user configured it, where that is another spelling than the real path. */
  readonly configuredBase?: string;
  /** A folder of the project that is an additional, read-only one. */
  readonly readOnlyFolder?: string;
  /** BASE lies in the project: what else is in it is sealed. */
  readonly sealBase?: boolean;
  readonly without?: "bank" | "project";
  readonly name?: string;
}

/** Files by path below a folder; parents are made. */
export function fill(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Where the bank is said to lie that is kept in a store of any kind. */
export const central = "/central";

/** A bank that is kept anywhere, beside a project on files; what is in it by paths below `central`. */
export function bankIn(stores: DocumentStores) {
  return async ({ without, guard }: { without?: "project"; guard?: () => Promise<ContentGuard> } = {}) => {
    const project = join(scratchFolder(), "app");
    mkdirSync(project);
    const opened = await stores.open([{ name: "bank" }, { name: "templates", create: false, readOnly: true }]);
    const files = openFilesStore({
      now: Date.now,
      roots: [{ name: "project", folder: project, plain: true, create: false }],
    });
    onTestFinished(() => files.close());
    const projectRoot: MountedRoot = { name: "project", policy: bankPolicies.project, naming: "any", store: files };
    const documents = createDocuments({
      roots: [
        ...(without === "project" ? [] : [projectRoot]),
        { name: "bank", policy: bankPolicies.bank, store: opened.store },
        { name: "templates", policy: bankPolicies.templates, store: opened.store },
      ],
      guard,
    });
    const areas = { bank: [`${central}/app`], templates: [`${central}/templates`] };
    const bank = createBank({ documents, stamp, hasProject: without !== "project", areas });
    const raw = inRoots(opened, ["bank", "templates"]);
    const inside = (path: string) => path.replace(/^app\//, "bank/");
    return {
      ...opened,
      project,
      documents,
      bank,
      all: raw.all,
      text: (path: string) => raw.text(inside(path)),
      fillBank: (given: Readonly<Record<string, string | Uint8Array>>) =>
        raw.putAll(Object.fromEntries(Object.entries(given).map(([path, content]) => [inside(path), content]))),
    };
  };
}

/** A bank as a workspace puts it together: one store for all roots, on real folders. */
export function openBank(options: OpenBankOptions = {}) {
  const project = options.project ?? join(scratchFolder(), "app");
  const base = options.base ?? join(scratchFolder(), "base");
  const name = options.name ?? "app";
  mkdirSync(project, { recursive: true });
  mkdirSync(base, { recursive: true });
  const folders: RootFolderOptions[] = [];
  const mounts: Omit<MountedRoot, "store">[] = [];
  const mount = (folder: RootFolderOptions, root: Omit<MountedRoot, "store" | "name">) => {
    folders.push(folder);
    mounts.push({ name: folder.name, ...root });
  };
  if (options.without !== "project") {
    mount(
      { name: "project", folder: project, plain: true, create: false },
      { policy: bankPolicies.project, naming: "any" },
    );
  }
  if (options.without !== "bank") {
    mount({ name: "bank", folder: join(base, name) }, { policy: bankPolicies.bank });
    mount(
      { name: "templates", folder: join(base, "templates"), create: false, readOnly: true },
      { policy: bankPolicies.templates },
    );
  }
  if (options.readOnlyFolder !== undefined) {
    const folder = join(project, options.readOnlyFolder);
    mount({ name: options.readOnlyFolder, folder, create: false, readOnly: true }, { policy: readOnly });
  }
  if (options.sealBase) {
    mount({ name: "base", folder: base, create: false, readOnly: true }, { policy: new Set() });
  }
  const store = openFilesStore({ now: Date.now, roots: folders });
  onTestFinished(() => store.close());
  const documents = createDocuments({ roots: mounts.map((root) => ({ ...root, store })) });
  const spellings = [options.configuredBase ?? base, realpathSync(base)];
  const areas = {
    bank: spellings.map((spelling) => join(spelling, name)),
    templates: spellings.map((spelling) => join(spelling, "templates")),
  };
  const bank: Bank = createBank({
    documents,
    stamp,
    hasProject: options.without !== "project",
    ...(options.without === "bank" ? {} : { areas }),
  });
  return { project, base, store, documents, bank, areas };
}
