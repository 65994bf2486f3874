import type { OnIndexProgress, Search, Workspace } from "../app.ts";
import type { Io } from "./output.ts";
import { printable } from "./output.ts";
import { type WorkspaceOptions, withWorkspace } from "./workspace-options.ts";

/** Opens what a command searches in; tests give their own. */
export type WithSearch = (
  io: Io,
  options: WorkspaceOptions,
  use: (
    search: Search,
    workspace: Pick<Workspace, "topics" | "project"> & Partial<Pick<Workspace, "warnings">>,
  ) => Promise<void>,
) => Promise<void>;

export const withSearch: WithSearch = (io, options, use) =>
  withWorkspace(io, options, async (workspace) => use(workspace.search, workspace));

const everyMs = 100;

export interface ShownProgress {
  readonly onProgress: OnIndexProgress;
  /** Takes the line away. */
  readonly end: () => void;
}

/** How far an index is, on one line of stderr, where a person waits for it. */
export function showProgress(io: Io, json: boolean): ShownProgress {
  if (!io.terminal || json) return { onProgress: () => {}, end: () => {} };
  let [last, isShown] = [0, false];
  return {
    onProgress: ({ root, done, total }) => {
      const now = performance.now();
      if (isShown && now - last < everyMs) return;
      [last, isShown] = [now, true];
      io.err(`\r\u001b[KIndexing ${printable(root)}: ${done} of ${total}`);
    },
    end: () => {
      if (isShown) io.err("\r\u001b[K");
      isShown = false;
    },
  };
}

/**
 * What a search could not do as it should, on stderr: stdout belongs to the answer, which holds it too in JSON. Not what
 * was told when the workspace was opened.
 */
export function tellSearchWarnings(
  io: Io,
  json: boolean,
  warnings: readonly string[],
  told: readonly string[] = [],
): void {
  if (json) return;
  for (const warning of warnings) if (!told.includes(warning)) io.err(`recollect: ${printable(warning)}\n`);
}
