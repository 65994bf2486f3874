import { resolve } from "node:path";
import * as z from "zod";
import { databaseHostsOf, databaseNameOf } from "../backends/postgres/database-hosts.ts";
import { parseDocumentPath } from "../kernel/document-path.ts";
import { isRecollectError } from "../kernel/errors.ts";
import { parseAgentId } from "../notes/agents/agent-id.ts";

/** A folder as somebody configured it, and where that is. */
export interface ConfiguredFolder {
  /** As written, without `:ro`: the name under which the folder is shown. */
  readonly given: string;
  readonly folder: string;
  readonly space?: undefined;
  readonly backend?: undefined;
}

/** A space of another backend in a folder's place. */
interface ConfiguredSpace {
  /** As written, without `:ro`. */
  readonly given: string;
  readonly backend: SpaceBackend;
  readonly space: string;
  readonly folder?: undefined;
}

/** The backends that a place names before a colon; without one it is a folder. */
const spaceBackends = ["postgres"] as const;
type SpaceBackend = (typeof spaceBackends)[number];
export type BackendName = "files" | SpaceBackend;

/** Where a root is configured to lie. */
export type ConfiguredPlace = ConfiguredFolder | ConfiguredSpace;

export type AdditionalPlace = ConfiguredPlace & { readonly readOnly: boolean };

/** What `~` and relative paths mean. */
export interface PathBase {
  readonly home: string;
  readonly folder: string;
}

/** What kind of value a setting has: how it is checked, read from text, and put to use. */
export interface SettingType<Raw, Value> {
  /** The value as it stands in a file, or as `fromText` reads it. */
  readonly schema: z.ZodType<Raw>;
  /** Completes “expected …”. */
  readonly expects: string;
  /** Folders are compared with the project by real path (CFG-2). */
  readonly holds: "plain" | "folder" | "folders";
  readonly isList: boolean;
  /** As a flag it needs no value: given at all, it is on. */
  readonly isSwitch?: true;
  /** How it is shown, where not as it is: it may hold a password. */
  shown?(value: Value): string;
  /** From an environment variable or a flag; what cannot be read stays text, for the schema to refuse. */
  fromText(text: string): unknown;
  toValue(raw: Raw, base: PathBase): Value;
}

const readOnlyMark = ":ro";
const control = /\p{Cc}/u;

export function textType(expects: string, check: z.ZodType<string> = z.string().min(1)): SettingType<string, string> {
  return plain(check, expects, (text) => text);
}

export function booleanType(): SettingType<boolean, boolean> {
  const words: Readonly<Record<string, boolean>> = {
    ...{ true: true, on: true, "1": true },
    ...{ false: false, off: false, "0": false },
  };
  const type = plain(z.boolean(), "true or false", (text) => words[text.trim().toLowerCase()] ?? text);
  return { ...type, isSwitch: true };
}

export const kibibyte = 1024;
export const mebibyte = kibibyte * kibibyte;

export function integerType(least: number, most: number): SettingType<number, number> {
  return plain(z.int().min(least).max(most), `a whole number from ${least} to ${most}`, (text) =>
    /^\s*-?[0-9]{1,15}\s*$/.test(text) ? Number(text) : text,
  );
}

export function numberType(least: number, most: number): SettingType<number, number> {
  return plain(z.number().min(least).max(most), `a number from ${least} to ${most}`, (text) =>
    /^\s*[0-9]{1,9}(\.[0-9]{1,9})?\s*$/.test(text) ? Number(text) : text,
  );
}

/** A number of days, or for ever. */
export function daysType(): SettingType<number | "all", number | "all"> {
  const schema = z.union([z.literal("all"), z.int().min(1).max(36_500)]);
  return plain(schema, "all, or a number of days from 1 to 36500", (text) =>
    /^\s*[0-9]{1,15}\s*$/.test(text) ? Number(text) : text.trim(),
  );
}

export function choiceType<const Choice extends string>(choices: readonly Choice[]): SettingType<Choice, Choice> {
  return plain(z.enum(choices), `one of ${choices.join(", ")}`, (text) => text.trim());
}

export function choicesType<const Choice extends string>(
  choices: readonly Choice[],
): SettingType<Choice[], readonly Choice[]> {
  return list(z.array(z.enum(choices)), `a list of ${choices.join(", ")}`, splitAtCommas);
}

/** Globs over the names of memories. A comma inside braces belongs to the glob. */
export function globsType(): SettingType<string[], readonly string[]> {
  return list(z.array(z.string().min(1)), "a list of patterns such as frozen/**", splitOutsideBraces);
}

/** Addresses under which something is reached: a scheme, a name, and a port where it is not the usual one. */
export function originsType(): SettingType<string[], readonly string[]> {
  return list(z.array(originText), "a list of addresses such as https://memory.example.org", splitAtCommas);
}

const originText = z.string().superRefine((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) context.addIssue("it is no address of http or https");
  else if (url.origin !== text)
    context.addIssue(`it has more than a scheme, a name and a port, which is ${url.origin}`);
});

function folderType(): SettingType<string, ConfiguredFolder> {
  return {
    schema: folderText,
    expects: "a folder, as text",
    holds: "folder",
    isList: false,
    fromText: (text) => text,
    toValue: toFolder,
  };
}

/** A folder, or a space of the database. */
export function placeType(): SettingType<string, ConfiguredPlace> {
  return { ...folderType(), expects: "a folder, or postgres: and the name of a space, as text", toValue: toPlace };
}

export function placesType(): SettingType<string[], readonly AdditionalPlace[]> {
  return {
    schema: z.array(folderText),
    expects: `a list of folders or spaces, each a text, with ${readOnlyMark} at its end where it is read-only`,
    holds: "folders",
    isList: true,
    fromText: splitAtCommas,
    toValue: (raws, base) =>
      raws.map((raw) => ({
        ...toPlace(withoutMark(raw), base),
        readOnly: raw.endsWith(readOnlyMark),
      })),
  };
}

/** The address of a database, which may hold a password: it is used, and never shown. */
export function databaseType(): SettingType<string, string> {
  const type = textType("an address such as postgres://user@host/name", databaseText);
  return { ...type, shown: (text) => `postgres://${databaseNameOf(text)}` };
}

/** As others name it who write about it. */
export function spacePlace(space: string): string {
  return `postgres:${space}`;
}

/** One name that can be a folder, and is not the one that holds the bank's templates (BANK-1). */
export const projectNameText = z.string().superRefine((text, context) => {
  if (text.toLowerCase() === "templates") context.addIssue("a project cannot be called templates");
  else refuseWith(context, () => parseDocumentPath(text, 1));
});

export const agentIdText = z.string().superRefine((text, context) => refuseWith(context, () => parseAgentId(text)));

/** A name or a password in it would be shown with the settings, and is refused by `fetch`; `/embeddings` is added to its end. */
export const endpointText = z.string().superRefine((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) context.addIssue("it is no address of http or https");
  else if (url.username !== "" || url.password !== "") {
    context.addIssue("it holds a name or a password; put the key into an environment variable");
  } else if (url.search !== "" || url.hash !== "") context.addIssue("it has a part from ? or # on");
});

/** What is refused is not shown: it may be the key itself. */
export const variableText = z.string().superRefine((text, context) => {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(text)) return;
  context.addIssue("it is no name of an environment variable; the key itself belongs into that variable");
});

/** What is refused is not shown: it may hold a password. */
const databaseText = z.string().superRefine((text, context) => {
  const isAddress = (url: string) => URL.canParse(url) && ["postgres:", "postgresql:"].includes(new URL(url).protocol);
  if (/[/?#@].*@/s.test(text.replace(/^[a-z]+:\/\//i, "")))
    // A part of the password would be taken for the host, or for the name of the database, and shown.
    context.addIssue("it has an @ too many: write / in a password as %2F, ? as %3F, # as %23 and @ as %40");
  else if (!databaseHostsOf(text).urls.every(isAddress))
    context.addIssue("it is no address of PostgreSQL, such as postgres://user@host/name");
});

/** Its parts stand between slashes, as those of a path do: an agent's space lies below that of all agents. */
const spaceText = z.string().superRefine((text, context) => {
  if (!/^[^\p{C}/\\]{1,60}(?:\/[^\p{C}/\\]{1,60}){0,4}$/u.test(text))
    context.addIssue("a space has a name of up to five parts with slashes between, each of 1 to 60 visible characters");
});

/** Names that Recollect gives to what lies in somebody's space; below them nobody has a space of their own. */
const partsOfSpace = ["agents", "bank", "global", "memories", "templates", "topics"];

/** What all spaces of a project begin with: none of another project's, such as the files of an agent called so. */
export const ownSpaceText = spaceText.superRefine((text, context) => {
  const taken = text.split("/").find((part) => partsOfSpace.includes(part));
  if (taken !== undefined) context.addIssue(`no part of it can be called ${taken}, as spaces of Recollect itself are`);
});

const folderText = z.string().superRefine((text, context) => {
  const path = withoutMark(text);
  const space = toSpace(path)?.space;
  if (space !== undefined) {
    const refused = spaceText.safeParse(space).error?.issues[0];
    if (refused) context.addIssue(refused.message);
  } else if (path.trim() === "") context.addIssue("the folder is empty");
  else if (control.test(path)) context.addIssue("the folder holds a control character");
  else if (!path.isWellFormed()) context.addIssue("the folder is not well-formed Unicode");
  else if (/^~[^/\\]/.test(path)) {
    context.addIssue("only your own home can be written as ~; give the whole path of another user's");
  }
});

/** `~` and `~/x` are the user's home. No shell stands between a client's configuration and us, so we expand it. */
export function expandHome(path: string, home: string): string {
  return /^~(?=$|[/\\])/.test(path) ? `${home}${path.slice(1)}` : path;
}

function toFolder(given: string, { home, folder }: PathBase): ConfiguredFolder {
  return { given, folder: resolve(folder, expandHome(given, home)) };
}

function toPlace(given: string, base: PathBase): ConfiguredPlace {
  const space = toSpace(given);
  return space ? { given, ...space } : toFolder(given, base);
}

function toSpace(text: string): Pick<ConfiguredSpace, "backend" | "space"> | undefined {
  const backend = spaceBackends.find((name) => text.startsWith(`${name}:`));
  return backend && { backend, space: text.slice(backend.length + 1) };
}

function withoutMark(text: string): string {
  return text.endsWith(readOnlyMark) ? text.slice(0, -readOnlyMark.length) : text;
}

function splitAtCommas(text: string): string[] {
  return nonEmpty(text.split(","));
}

function splitOutsideBraces(text: string): string[] {
  return nonEmpty(text.split(/,(?![^{]*\})/));
}

function nonEmpty(parts: readonly string[]): string[] {
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function plain<Raw>(
  schema: z.ZodType<Raw>,
  expects: string,
  fromText: (text: string) => unknown,
): SettingType<Raw, Raw> {
  return { schema, expects, holds: "plain", isList: false, fromText, toValue: (raw) => raw };
}

function list<Raw extends readonly unknown[]>(
  schema: z.ZodType<Raw>,
  expects: string,
  fromText: (text: string) => unknown,
): SettingType<Raw, Raw> {
  return { ...plain(schema, expects, fromText), isList: true };
}

function refuseWith(context: z.RefinementCtx, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    if (!isRecollectError(error) || error.code !== "INVALID_PATH") throw error;
    context.addIssue(error.message.replace(/^Invalid path: /, "").replace(/\.( Give a relative path.*)?$/, ""));
  }
}
