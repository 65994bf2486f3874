import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecollectError } from "../../../src/kernel/errors.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";

/** What somebody does to a project, by hand or through a workspace. Paths are below the project's folder. */
export type Action =
  | { readonly kind: "edit" | "replace" | "append" | "backdate"; readonly path: string; readonly text: string }
  /** Two texts of one length, one right after the other, with a look at the first in between. */
  | { readonly kind: "twice"; readonly path: string; readonly text: string; readonly next: string }
  | { readonly kind: "move"; readonly path: string; readonly to: string }
  | { readonly kind: "delete" | "folder"; readonly path: string }
  | { readonly kind: "write"; readonly name: string; readonly text: string }
  | { readonly kind: "store"; readonly topic: string; readonly text: string }
  | { readonly kind: "search" | "reindex" };

/** What is in the way, such as a file where a folder is to be, is left. */
export async function perform(project: string, workspace: Workspace, action: Action): Promise<void> {
  try {
    await tryTo(project, workspace, action);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!isRecollectError(error) && !/^E[A-Z]+$/.test(code)) throw error;
  }
}

async function tryTo(project: string, workspace: Workspace, action: Action): Promise<void> {
  const at = (path: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    return join(project, path);
  };
  switch (action.kind) {
    case "edit":
      return writeFileSync(at(action.path), action.text);
    case "append":
      return appendFileSync(at(action.path), `\n${action.text}`);
    case "replace": {
      const draft = join(project, `draft-${process.pid}`);
      writeFileSync(draft, action.text);
      return renameSync(draft, at(action.path));
    }
    case "backdate":
      writeFileSync(at(action.path), action.text);
      return utimesSync(at(action.path), 1_700_000_000, 1_700_000_000);
    case "twice": {
      writeFileSync(at(action.path), action.text);
      await look(workspace);
      return writeFileSync(at(action.path), action.next.slice(0, action.text.length).padEnd(action.text.length));
    }
    case "move":
      return existsSync(at(action.path)) ? renameSync(at(action.path), at(action.to)) : undefined;
    case "delete":
      return rmSync(at(action.path), { recursive: true, force: true });
    case "folder":
      return void mkdirSync(at(action.path), { recursive: true });
    case "write":
      return void (await workspace.memories.write(action.name, action.text));
    case "store":
      return void (await workspace.topics.store({
        topic: action.topic,
        subtopic: "general",
        title: "An entry",
        ...entryOf(action.text),
      }));
    case "search":
      return look(workspace);
    case "reindex":
      return void (await workspace.search.reindex());
  }
}

async function look(workspace: Workspace): Promise<void> {
  await workspace.search.search({ query: "deploy the kafka queue" });
}

function entryOf(text: string) {
  return { context: "while deploying", problem: text.replace(/^#.*$/gm, ""), solution: "Wait for the queue." };
}
