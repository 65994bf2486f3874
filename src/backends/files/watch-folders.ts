import { lstatSync, readdirSync } from "node:fs";
import type { Directory } from "./directory.ts";
import { hasCode } from "./storage-error.ts";
import { isOutOfReach, isPassedOver, isWalked, openChild, type Surveying } from "./survey-folders.ts";
import { hasNoFolders, tellsChanges } from "./watch-file-systems.ts";
import type { Closable, WatchQueue } from "./watch-queue.ts";

export interface WatchFoldersOptions extends Pick<Surveying, "isDocument" | "isOwn"> {
  readonly queue: WatchQueue;
  /** Undefined where there is none that can be reached. The caller closes it. */
  readonly open: (folder: string) => Directory | undefined;
}

/** Every folder of a root, watched. */
export interface WatchedFolders {
  /** What the queue told of since the last time, as paths; undefined where that is not all. */
  take(): ReadonlySet<string> | undefined;
  close(): void;
}

/** For the one that says what is in the way. */
export type WatchObstacle = "silent" | "too-many";

interface Node {
  readonly path: string;
  readonly parent: Node | undefined;
  readonly name: string;
  readonly device: bigint;
  readonly children: Map<string, Node>;
  /** By name. "change" alone: of a file, and it was one before. */
  readonly told: Map<string, "rename" | "change">;
  watcher: Closable | undefined;
}

/** Past this, a survey is no dearer than following, and the memory of a process that nobody asks has an end. */
const maxTold = 10_000;
/** Each costs some kilobytes. */
const maxFolders = 20_000;

/** Watches first and looks then, folder by folder: so nothing can come in between. Throws what the system says. */
export function watchFolders(root: Directory, options: WatchFoldersOptions): WatchedFolders {
  const { queue, isDocument, open } = options;
  let folders = 0;
  let told = 0;
  let isWhole = true;
  const noted = new Set<Node>();

  function note(node: Node, name: string, kind: "rename" | "change"): void {
    if (kind === "change" && node.told.has(name)) return;
    if (!node.told.has(name)) told += 1;
    if (told > maxTold) isWhole = false;
    if (!isWhole) return;
    node.told.set(name, kind);
    noted.add(node);
  }

  function listen(node: Node, kind: "rename" | "change", name: string | undefined): void {
    // By that name a folder tells of itself: gone, moved, other rights, or nothing more to come.
    if (name === "." || name === undefined) {
      if (node.parent) note(node.parent, node.name, "rename");
      else isWhole = false;
    } else if (!name.startsWith(".")) {
      note(node, name, kind);
    }
  }

  function attach(folder: Directory, at: Pick<Node, "path" | "parent" | "name">): Node {
    if (folder.device !== at.parent?.device && !tellsChanges(folder.at("."))) throw obstacle("silent");
    if (folders === maxFolders) throw obstacle("too-many");
    const node: Node = { ...at, device: folder.device, children: new Map(), told: new Map(), watcher: undefined };
    folders += 1;
    try {
      node.watcher = queue.watch(folder.at("."), (kind, name) => listen(node, kind, name));
      folder.verify();
      attachChildren(folder, node);
      return node;
    } catch (error) {
      detach(node);
      throw error;
    }
  }

  function attachChildren(folder: Directory, node: Node): void {
    if (hasNoFolders(folder.at("."))) return;
    for (const entry of readdirSync(folder.at("."), { withFileTypes: true })) {
      if (entry.isDirectory()) attachChild(folder, node, entry.name);
    }
  }

  /** Anew, where it was there before: it may be another folder of the same name. */
  function attachChild(folder: Directory, parent: Node, name: string): void {
    const former = parent.children.get(name);
    parent.children.delete(name);
    try {
      const path = pathIn(parent, name);
      const child = isWalked(path, name, options) ? openChild(folder, name) : undefined;
      if (!child) return;
      try {
        parent.children.set(name, attach(child, { path, parent, name }));
      } catch (error) {
        if (!isOutOfReach(error)) throw error;
      } finally {
        child.close();
      }
    } finally {
      // Only now, so that a folder that stayed the same was watched all the time.
      if (former) detach(former);
    }
  }

  function detach(node: Node): void {
    folders -= 1;
    node.watcher?.close();
    node.watcher = undefined;
    for (const child of node.children.values()) detach(child);
    node.children.clear();
    noted.delete(node);
    told -= node.told.size;
    node.told.clear();
  }

  /** What a name means now. */
  function follow(folder: Directory, node: Node, name: string, kind: "rename" | "change"): string[] {
    if (isPassedOver(name)) return [];
    const path = pathIn(node, name);
    const stat = lstatSync(folder.at(name), { throwIfNoEntry: false });
    const wasFolder = node.children.has(name);
    if (wasFolder || stat?.isDirectory()) attachChild(folder, node, name);
    // Whatever was made, moved or removed is told, also under a name of no document: it may have been a folder.
    const isOfNoUse = kind === "change" && !wasFolder && stat?.isFile() && !isDocument(path);
    return isOfNoUse ? [] : [path];
  }

  function followAll(node: Node, paths: Set<string>): void {
    const names = [...node.told];
    told -= node.told.size;
    node.told.clear();
    const folder = open(node.path);
    if (!folder) {
      paths.add(node.path);
      return;
    }
    try {
      for (const [name, kind] of names) for (const path of follow(folder, node, name, kind)) paths.add(path);
    } finally {
      folder.close();
    }
  }

  const top = attach(root, { path: "", parent: undefined, name: "" });

  return {
    take: () => {
      const paths = new Set<string>();
      // A folder above may be another one by now; then what is below it is watched anew, and not followed any more.
      const outermostFirst = [...noted].sort((a, b) => a.path.length - b.path.length);
      noted.clear();
      try {
        for (const node of outermostFirst) if (node.watcher) followAll(node, paths);
      } catch (error) {
        if (!isOutOfReach(error)) throw error;
        isWhole = false;
      }
      return isWhole && !paths.has("") ? paths : undefined;
    },
    close: () => detach(top),
  };
}

function pathIn(node: Node, name: string): string {
  return node.path === "" ? name : `${node.path}/${name}`;
}

function obstacle(code: WatchObstacle): Error {
  return Object.assign(new Error("the folders cannot be watched"), { code });
}

export function isObstacle(error: unknown, code: WatchObstacle): boolean {
  return hasCode(error, code);
}
