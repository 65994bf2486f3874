import type { Ended } from "../history/git/spawn-git.ts";
import { maskAddress } from "./remote-address.ts";
import { failureOf } from "./sync-failure.ts";
import type { SyncGit, TalkOptions } from "./sync-git.ts";
import { splitAtNul } from "./tree-entries.ts";

/** Where a branch is sent to and fetched from. */
export interface Remote {
  readonly name: string;
  /** The branch there. */
  readonly branch: string;
  /** Its address, as it may be shown. */
  readonly shown: string;
}

/** What the settings of the repository say of a branch; undefined where it stays here. */
export async function findRemote(git: SyncGit, branch: string): Promise<Remote | undefined> {
  const pattern = "^(branch\\..*\\.(remote|merge)|remote\\..*\\.url)$";
  const { printed } = await git.attempt(["config", "-z", "--get-regexp", pattern]);
  const found = new Map<string, string>();
  for (const part of splitAtNul(printed)) {
    const [key = "", ...value] = part.toString("utf8").split("\n");
    found.set(key, value.join("\n"));
  }
  const remotes = [...found.keys()].filter((key) => key.startsWith("remote.")).map((key) => key.slice(7, -4));
  const chosen = found.get(`branch.${branch}.remote`);
  const name = chosen ?? (remotes.includes("origin") ? "origin" : remotes.length === 1 ? remotes[0] : undefined);
  const address = found.get(`remote.${name ?? ""}.url`);
  if (name === undefined || address === undefined) return undefined;
  const merge = chosen === undefined ? undefined : found.get(`branch.${branch}.merge`);
  const there = merge?.startsWith("refs/heads/") ? merge.slice("refs/heads/".length) : branch;
  return { name, branch: there, shown: maskAddress(address) };
}

/** The branch that the remote itself begins with; undefined for one that is empty. */
export async function defaultBranch(
  git: SyncGit,
  { name }: Pick<Remote, "name">,
  options?: TalkOptions,
): Promise<string | undefined> {
  const ended = await git.talk(["ls-remote", "--symref", "--", name, "HEAD"], options);
  if (ended.code !== 0) throw failureOf(ended, true);
  return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(ended.printed.toString("utf8"))?.[1];
}

/** Brings what the remote has to a reference of ours. False where the branch is not there. */
export async function fetchBranch(git: SyncGit, remote: Remote, ref: string, options?: TalkOptions): Promise<boolean> {
  const flags = ["--progress", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--refmap="];
  const what = `+refs/heads/${remote.branch}:${ref}`;
  const ended = await git.talk(["fetch", ...flags, "--", remote.name, what], options);
  if (ended.code === 0) return true;
  if (/couldn't find remote ref/i.test(ended.said)) return false;
  throw failureOf(ended, true);
}

/** Never with force. “behind” where the remote has something new. */
export async function pushCommit(
  git: SyncGit,
  remote: Remote,
  commit: string,
  options?: TalkOptions,
): Promise<"sent" | "behind"> {
  const flags = ["--porcelain", "--progress", "--no-verify", "--no-signed", "--no-follow-tags"];
  const what = `${commit}:refs/heads/${remote.branch}`;
  const args = ["push", ...flags, "--recurse-submodules=no", "--", remote.name, what];
  const ended = await git.talk(args, options);
  if (ended.code === 0) return "sent";
  if (isBehind(ended)) return "behind";
  throw failureOf({ ...ended, said: `${ended.said}\n${ended.printed.toString("utf8")}` }, true);
}

/** The branch there moved before, or while, this was sent. */
function isBehind({ printed, limit }: Ended): boolean {
  if (limit !== undefined) return false;
  const said = printed.toString("utf8");
  const isMoved = /\[remote rejected\].*(cannot lock ref|failed to update ref|incorrect old value|already exists)/i;
  return /\[rejected\]/.test(said) || isMoved.test(said);
}
