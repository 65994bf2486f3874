import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { codeOf, readConfigFile, removeConfigFile, writeConfigFile } from "../../clients/config-file.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { unifiedLines } from "../../text/unified-text.ts";
import { namesDriver, withAttributes, withoutAttributes } from "./attributes.ts";
import { isIgnored, type ProjectGit, type WorkTree } from "./project-git.ts";

/** What the driver is for: folders of memory in the work tree, relative to its top. */
export interface DriverFolders {
  readonly all: readonly string[];
  /** Those of them that hold topics. */
  readonly topics: readonly string[];
  /** Those that git ignores, and so never merges. */
  readonly ignored: readonly string[];
}

export interface DriverSetup {
  readonly folders: DriverFolders;
  /** What is set in the repository's own config, and what was there; undefined where it is taken out. */
  readonly config: readonly {
    readonly key: string;
    readonly value: string | undefined;
    readonly was: string | undefined;
  }[];
  /** The change of .gitattributes, as `diff -u` shows it. */
  readonly diff: readonly string[];
  readonly isDone: boolean;
  /** Writes both. */
  apply(): Promise<void>;
}

const sections = ["recollect", "recollect-base"] as const;
const attributesFile = ".gitattributes";

export interface DriverSetupRequest {
  readonly git: ProjectGit;
  readonly tree: WorkTree;
  /** Real paths. */
  readonly folders: readonly string[];
  readonly topics: readonly string[];
  /** How a shell starts Recollect. */
  readonly command: readonly string[];
}

export async function planDriver(request: DriverSetupRequest): Promise<DriverSetup> {
  const { git, tree, command } = request;
  const folders = await foldersIn(request);
  if (folders.all.length === 0) {
    const why = folders.ignored.length > 0 ? "git ignores them" : "none of them lies in it";
    throw new RecollectError("NOT_FOUND", `No folder of memory is committed to this repository: ${why}.`);
  }
  // What another project of the same repository set up stays.
  const known = topicsIn(await settingIn(git, "merge.recollect.driver"));
  const topics = [...new Set([...known, ...folders.topics])].sort();
  const line = (...flags: string[]) =>
    [...command, "merge-driver", ...flags, ...topics.map((one) => `--topics=${one}`), "--"].map(shellWord).join(" ");
  return plan(git, tree, folders, (text) => withAttributes(text, folders.all), {
    "merge.recollect.name": "Recollect: memories, by entry",
    "merge.recollect.driver": `${line()} %O %A %B %P`,
    // Former revisions that git joins to compare with are never seen: nothing is kept beside them.
    "merge.recollect.recursive": "recollect-base",
    "merge.recollect-base.name": "Recollect: former revisions of memories",
    "merge.recollect-base.driver": `${line("--base")} %O %A %B %P`,
  });
}

export async function planDriverRemoval(git: ProjectGit, tree: WorkTree): Promise<DriverSetup> {
  const keys = [
    "recollect.name",
    "recollect.driver",
    "recollect.recursive",
    "recollect-base.name",
    "recollect-base.driver",
  ];
  const nothing = Object.fromEntries(keys.map((key) => [`merge.${key}`, undefined]));
  return plan(git, tree, { all: [], topics: [], ignored: [] }, withoutAttributes, nothing);
}

/** Whether .gitattributes hands files to the driver, and git is told nowhere what that is. */
export async function isDriverMissing(git: ProjectGit, tree: WorkTree): Promise<boolean> {
  const file = readConfigFile(attributesPlace(tree));
  if (file.kind !== "present" || !namesDriver(file.text)) return false;
  return (await git.attempt(["config", "--get", "merge.recollect.driver"])).code !== 0;
}

function attributesPlace({ folder }: WorkTree): { path: string; below: string } {
  return { path: join(folder, attributesFile), below: folder };
}

async function plan(
  git: ProjectGit,
  tree: WorkTree,
  folders: DriverFolders,
  change: (text: string) => string,
  wanted: Readonly<Record<string, string | undefined>>,
): Promise<DriverSetup> {
  const file = readConfigFile(attributesPlace(tree));
  if (file.kind === "refused")
    throw new RecollectError("NOT_ALLOWED", `${attributesFile} is left alone: ${file.reason}.`);
  const before = file.kind === "present" ? file.text : "";
  const after = change(before);
  const config: { key: string; value: string | undefined; was: string | undefined }[] = [];
  for (const [key, value] of Object.entries(wanted)) {
    const was = await settingIn(git, key);
    if (was !== value) config.push({ key, value, was });
  }
  return {
    folders,
    config,
    diff: before === after ? [] : unifiedLines(before, after),
    isDone: config.length === 0 && before === after,
    apply: async () => {
      for (const { key, value } of config) {
        if (value !== undefined) await git.run(["config", "--local", "--replace-all", key, value]);
      }
      for (const section of sections) {
        const isGone = config.some(({ key, value }) => value === undefined && key.startsWith(`merge.${section}.`));
        if (isGone) await git.run(["config", "--local", "--remove-section", `merge.${section}`]);
      }
      if (before !== after) writeAttributes(file, after);
    },
  };
}

function writeAttributes(file: { path: string; mode?: number }, text: string): void {
  try {
    if (text.trim() === "") removeConfigFile(file.path, []);
    else writeConfigFile(file.path, text, file.mode);
  } catch (error) {
    const says = `${attributesFile} cannot be written (${codeOf(error)}).`;
    throw new RecollectError("PERMISSION_DENIED", says, { cause: error });
  }
}

async function foldersIn({ git, tree, folders, topics }: DriverSetupRequest): Promise<DriverFolders> {
  const top = realpathSync(tree.folder);
  const inTree = (folder: string) => {
    const way = relative(top, folder);
    return way === ".." || way.startsWith(`..${sep}`) || way.startsWith(sep) ? undefined : way.split(sep).join("/");
  };
  const [all, ignored]: [string[], string[]] = [[], []];
  for (const folder of new Set(folders.flatMap((one) => inTree(one) ?? []))) {
    const probe = folder === "" ? "recollect.md" : `${folder}/recollect.md`;
    ((await isIgnored(git, tree, probe)) ? ignored : all).push(folder);
  }
  const ofTopics = topics.flatMap((one) => inTree(one) ?? []).filter((one) => all.includes(one));
  return { all: all.sort(), topics: ofTopics, ignored };
}

async function settingIn(git: ProjectGit, key: string): Promise<string | undefined> {
  const { code, printed } = await git.attempt(["config", "--local", "--get", key]);
  return code === 0 ? printed.toString("utf8").replace(/\n$/, "") : undefined;
}

/** The folders of topics that a driver was set up with. */
function topicsIn(driver = ""): string[] {
  const words = driver.match(/'(?:[^']|'\\'')*'|[^\s']+/g) ?? [];
  return words
    .map((word) => (word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word))
    .filter((word) => word.startsWith("--topics="))
    .map((word) => word.slice("--topics=".length).replaceAll("%%", "%"));
}

/** For the shell that git starts; git itself replaces what follows a percent sign. */
function shellWord(text: string): string {
  const word = text.replaceAll("%", "%%");
  return /^[\w./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
