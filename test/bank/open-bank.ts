import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Bank, createBank } from "../../src/bank/bank.ts";
import { bankPolicies } from "../../src/bank/bank-roots.ts";
import { createDocuments, type MountedRoot, openFilesStore, readOnly } from "../../src/index.ts";
import type { RootFolderOptions } from "../../src/stores/files/root-folders.ts";
import { scratchFolder, stamp } from "../stores/files/scratch.ts";

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
