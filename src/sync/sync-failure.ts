import type { Ended } from "../history/git/spawn-git.ts";
import { RecollectError } from "../kernel/errors.ts";
import { maskAddress } from "./remote-address.ts";

/** Why a sync could not be done. Nothing is lost by any of them: what is stored here waits. */
export type SyncFailureReason =
  | "unreachable"
  | "denied"
  | "missing"
  | "refused"
  | "full"
  | "rewritten"
  | "purged"
  | "purged-here"
  | "uncommitted"
  | "emptied"
  | "unfinished"
  | "busy"
  | "broken"
  | "git";

const words: Readonly<Record<SyncFailureReason, string>> = {
  unreachable: "The remote cannot be reached. What is stored here stays, and is sent once it can.",
  denied:
    "The remote does not let this user in. Log in with git itself (git help credentials, or an ssh key), then sync again.",
  missing:
    "There is no repository at the remote's address, or this user may not see it. Check memory_configuration.memory_path.",
  refused: "The remote refused what was sent. What is stored here stays. Ask the person who runs the remote.",
  full: "There is no space left, here or at the remote. What is stored here stays. Make room, then sync again.",
  rewritten: "The remote's history was rewritten, and lacks what was there before.",
  purged: "The remote still holds a value that was purged here, so nothing was taken over. Clean the remote first.",
  "purged-here": "Revisions here that were not sent yet hold a value that was purged, so nothing was sent.",
  uncommitted:
    "The remote changed files in which you have changes of your own. Commit them or put them aside, then sync again.",
  emptied: "All documents are gone from the folder of this memory. Nothing was sent, in case this was a mishap.",
  unfinished:
    "A merge, rebase or the like of your own is under way in this repository, or no branch is checked out. End it, then sync again.",
  busy: "Another process is at work in this repository. Try again.",
  broken:
    "The remote answers, but git could neither fetch from it nor send to it. What is stored here stays. The repository there may be damaged.",
  git: "Git cannot work in the repository of this memory. What is stored here stays.",
};

export interface FailureDetails {
  /** Goes on from the general words. */
  readonly more?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

export function syncFailure(reason: SyncFailureReason, { more, data, cause }: FailureDetails = {}): RecollectError {
  const message = more === undefined ? words[reason] : `${words[reason]} ${more}`;
  return new RecollectError("SYNC_FAILED", message, { data: { reason, ...data }, cause });
}

/** By git's own words, which are always English here. The first that fits. */
const signs: readonly (readonly [SyncFailureReason, RegExp])[] = [
  ["full", /no space left|disk quota|file too large/i],
  ["refused", /\[remote rejected\]|remote unpack failed|pre-receive hook declined|hook declined|protected branch/i],
  [
    "denied",
    /authentication failed|permission denied|could not read (username|password)|terminal prompts disabled|host key verification failed|HTTP 40[13]|error: 40[13]|access denied|not authorized/i,
  ],
  [
    "missing",
    /does not appear to be a git repository|repository .*not found|no such repository|error: 404|does not exist/i,
  ],
  // A branch that cannot be read cannot be locked either, which is damage and passes with no process.
  ["busy", /\.lock'?: file exists|another git process|cannot lock ref .*(?:but expected|already exists)/i],
  [
    "unreachable",
    /could not resolve|could not connect|failed to connect|connection (refused|reset|timed out|closed)|timed out|unreachable|no route to host|unable to access|hung up|early eof|could not read from remote|ssl|tls|rpc failed|kex_exchange/i,
  ],
];

/** Of a command that talks to no remote: whatever its words are like, no remote is to blame. */
const local: readonly SyncFailureReason[] = ["full", "busy"];

/** What a failed command of git means. What it said may hold addresses and paths: it stays in `cause`. */
export function failureOf(ended: Ended, isTransport: boolean): RecollectError {
  const cause = maskWords(ended.said);
  if (ended.limit !== undefined && isTransport) {
    return syncFailure("unreachable", { more: "It did not answer in time.", data: { timeout: true }, cause });
  }
  const possible = isTransport ? signs : signs.filter(([reason]) => local.includes(reason));
  const reason = possible.find(([, sign]) => sign.test(ended.said))?.[0] ?? (isTransport ? "unreachable" : "git");
  const says = reason === "refused" ? remoteWords(ended.said) : undefined;
  const more = advice(ended.said) ?? (says === undefined ? undefined : `It says: ${says}`);
  return syncFailure(reason, { ...(more === undefined ? {} : { more }), cause });
}

function advice(said: string): string | undefined {
  if (/dubious ownership/i.test(said))
    return "The folder belongs to another user; see git help config, safe.directory.";
  if (/transport '.*' not allowed/i.test(said)) return "Its remote uses a transport that is not allowed here.";
  return undefined;
}

/** What the other side said, short and on one line. */
function remoteWords(said: string): string | undefined {
  const lines = [...said.matchAll(/^remote: (.*)$/gm)]
    .map(([, line = ""]) => line.trim())
    .filter((line) => line !== "");
  const text = lines.slice(0, 3).join(" ").replace(/\p{C}/gu, "");
  return text === "" ? undefined : `“${maskWords(text).slice(0, 200)}”`;
}

function maskWords(said: string): string {
  return said.replace(/[A-Za-z][A-Za-z0-9+.-]*:\/\/\S+/g, (address) => maskAddress(address));
}
