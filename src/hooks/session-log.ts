import { randomBytes } from "node:crypto";
import { appendLine, readLines } from "../app.ts";
import { fieldsOf } from "./fields.ts";
import type { SessionsFolder } from "./sessions-folder.ts";

/**
 * What one event left in the log of its session: ids, counts and salted hashes, never a prompt, a command or an output.
 * A log means the sum of its lines, so events that are handled side by side need no lock.
 */
export type SessionEntry =
  | { readonly t: "prompt" }
  /** What a client said at the start and never again: whether a person sits at the session. */
  | { readonly t: "begun"; readonly isAttended: boolean }
  /** A record that was put before the model; of several claims of the same record the first one counts. */
  | ({ readonly t: "given" } & GivenRecord & Claim)
  | { readonly t: "compacted" }
  /** Something else than a record was put before the model. */
  | { readonly t: "told"; readonly tokens: number }
  | ({ readonly t: "failed" } & RunCommand)
  | ({ readonly t: "passed" } & RunCommand)
  /** A command that changes something, such as an installation, and what in it may be a file. */
  | { readonly t: "tried"; readonly files: readonly string[] }
  | { readonly t: "edited"; readonly files: readonly string[] }
  /** The files that a recalled record names. */
  | { readonly t: "described"; readonly files: readonly string[] }
  | { readonly t: "corrected" | "missed" | "stored" | "answered" }
  | ({ readonly t: "mentioned" | "asked" | "welcomed" } & Claim);

export interface GivenRecord {
  readonly id: string;
  readonly rev: string;
  readonly tokens: number;
}

/** A command that was run: its programs, the whole of it, and the lines of its output that say what went wrong. */
interface RunCommand {
  readonly programs: readonly string[];
  readonly command: string;
  readonly errors: readonly string[];
  readonly isTest: boolean;
}

interface Claim {
  readonly claim: string;
}

export interface SessionLog {
  entries(): readonly SessionEntry[];
  add(...entries: readonly SessionEntry[]): void;
  /** The records of these that no other event of the session claimed before. */
  claimRecords(records: readonly GivenRecord[]): readonly GivenRecord[];
  /** True for the first event of the session that asks. */
  claim(what: "mentioned" | "asked" | "welcomed"): boolean;
  /** Salted, as it stands in entries. */
  hash(text: string): string;
}

export function openSessionLog(folder: SessionsFolder, session: string): SessionLog {
  const file = folder.file("session", session);
  const entries = () => readLines(file, isEntry);
  const add = (...added: readonly SessionEntry[]) => {
    for (const entry of added) appendLine(file, entry);
  };
  return {
    entries,
    add,
    hash: folder.hash,
    claimRecords: (records) => {
      const claim = newClaim();
      add(...records.map((record) => ({ t: "given", ...record, claim }) as const));
      const first = givenSince(entries());
      return records.filter(({ id, rev }) => first.get(keyOf({ id, rev }))?.claim === claim);
    },
    claim: (what) => {
      const claim = newClaim();
      add({ t: what, claim });
      const first = entries().find((entry) => entry.t === what);
      return first !== undefined && "claim" in first && first.claim === claim;
    },
  };
}

/** The records that the model has before it, by id and revision: a compaction takes them away. */
export function givenSince(entries: readonly SessionEntry[]) {
  const since = entries.slice(entries.findLastIndex(({ t }) => t === "compacted") + 1);
  const given = new Map<string, GivenRecord & Claim>();
  for (const entry of since) {
    if (entry.t === "given" && !given.has(keyOf(entry))) given.set(keyOf(entry), entry);
  }
  return given;
}

export function keyOf({ id, rev }: Pick<GivenRecord, "id" | "rev">): string {
  return `${id} ${rev}`;
}

function newClaim(): string {
  return randomBytes(9).toString("base64url");
}

type FieldCheck = (value: unknown) => boolean;
const text: FieldCheck = (value) => typeof value === "string";
const number: FieldCheck = (value) => Number.isFinite(value);
const truth: FieldCheck = (value) => typeof value === "boolean";
const texts: FieldCheck = (value) => Array.isArray(value) && value.every(text);

const run = { programs: texts, command: text, errors: texts, isTest: truth };

/** What each entry has: a line of another version, or of a broken disk, must not stop what reads the others. */
const shapes: { readonly [kind in SessionEntry["t"]]: Readonly<Record<string, FieldCheck>> } = {
  prompt: {},
  begun: { isAttended: truth },
  given: { id: text, rev: text, tokens: number, claim: text },
  compacted: {},
  told: { tokens: number },
  failed: run,
  passed: run,
  tried: { files: texts },
  edited: { files: texts },
  described: { files: texts },
  corrected: {},
  missed: {},
  stored: {},
  answered: {},
  mentioned: { claim: text },
  asked: { claim: text },
  welcomed: { claim: text },
};

function isEntry(value: unknown): value is SessionEntry {
  const fields = fieldsOf(value);
  const shape = Object.entries(shapes).find(([kind]) => kind === fields["t"])?.[1];
  return shape !== undefined && Object.entries(shape).every(([name, isValid]) => isValid(fields[name]));
}
