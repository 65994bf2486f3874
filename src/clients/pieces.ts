import { hookCommand, hooksOf, isOurHook } from "./client-hooks.ts";
import type { Client, Scope } from "./clients.ts";
import { behindMark, type Edit, lineEndingOf, refused } from "./edit.ts";
import { type FoundServers, isHarmless } from "./found-entry.ts";
import { putJsonEntry, readJsonServers, takeJsonEntry, whatIsLeft } from "./json-config.ts";
import { putJsonItems, takeInnerItems, takeJsonItems } from "./json-list.ts";
import { newDocument } from "./json-object.ts";
import {
  addAt,
  followPath,
  holdersOn,
  isSameJson,
  type Json,
  type JsonPath,
  keysAt,
  nameOfPath,
  removeAt,
} from "./json-tree.ts";
import { type Judgement, judgeEntry } from "./judge-entry.ts";
import { openCodePlugin } from "./opencode-plugin.ts";
import { type Permission, permissionOf } from "./permission.ts";
import type { Skill } from "./read-skills.ts";
import { createServerEntry, type Launch, programLine, type ServerFlags } from "./server-entry.ts";
import { putTomlEntry, putTomlTools, readTomlServers, takeTomlEntry } from "./toml-config.ts";

export interface PieceRequest {
  readonly client: Client;
  readonly scope: Scope;
  readonly project: string;
  readonly launch: Launch;
  readonly platform: NodeJS.Platform;
  /** The folders of PATH. */
  readonly searchPath: readonly string[];
  readonly flags: ServerFlags;
  /** The keys of an entry in a project's file that the user wants to stay, though they can change what is run. */
  readonly keeps?: readonly string[];
  readonly skills: readonly Skill[];
}

/** What stood under our name before us. */
export interface Found {
  /** The keys of the entry that are not ours, and stay. */
  readonly kept: readonly string[];
  /** Those that go, since they can change what is run or what is asked. */
  readonly dropped: readonly string[];
  /** The servers in the file that are Serena, on the same memories. */
  readonly serena: readonly string[];
  /** What is to be said of the entry that was found. */
  readonly found?: Judgement;
}

/** One part of a file that is ours. A text of no file is empty. */
export interface Piece {
  /** As in a client's row. */
  readonly file: string;
  /** What it does, for people. */
  readonly does: string;
  readonly put: (text: string, wasOurs: boolean) => Edit;
  /** Takes out what is ours and is not among what was there before (`had`). */
  readonly take: (text: string, had: readonly string[], wasOurs: boolean) => Edit;
  /** The objects, lists and words of ours that are there already. */
  readonly had: (text: string) => readonly string[];
  readonly inspect?: (text: string) => Found;
  readonly spans?: (text: string) => FoundServers;
}

/** Everything of one client that `init` writes, in the order in which it is written. */
export function piecesOf(request: PieceRequest): Piece[] {
  const files = request.client.files[request.scope];
  if (files === undefined) return [];
  const permission = files.permission === undefined ? undefined : permissionOf(request.client.name);
  return [
    entryPiece(request, files.entry),
    ...(files.hooks === undefined ? [] : hookPieces(request, files.hooks)),
    ...(files.plugin === undefined ? [] : [pluginPiece(request, files.plugin)]),
    ...(permission === undefined ? [] : [permissionPiece(permission, files.permission as string)]),
    ...(files.skills === undefined ? [] : request.skills.map((skill) => skillPiece(skill, files.skills as string))),
  ];
}

function entryPiece(request: PieceRequest, file: string): Piece {
  const { client, scope, keeps = [] } = request;
  const { holder } = client;
  const isToml = client.format === "toml";
  const read = (text: string) => (isToml ? readTomlServers(text, holder[0] as string) : readJsonServers(text, holder));
  // A project's file comes with a clone, from whoever wrote it; the one at home is the user's own.
  const stays = (key: string) => scope === "user" || isHarmless(key) || keeps.includes(key);
  const keysIn = (text: string) => read(text).entry?.others.map(([key]) => key) ?? [];
  return {
    file,
    does: "starts the server whose tools read and write memory",
    put: (text) => {
      const entry = createServerEntry(request);
      const drops = keysIn(text).filter((key) => !stays(key));
      return isToml ? putTomlEntry(text, holder[0] as string, entry, drops) : putJsonEntry(text, holder, entry, drops);
    },
    take: (text, had) => (isToml ? takeTomlEntry(text, holder[0] as string) : takeJsonEntry(text, holder, had)),
    had: (text) => (isToml ? [] : holdersOn(plain(text), holder)),
    inspect: (text) => {
      const { serena, entry: found } = read(text);
      return {
        kept: keysIn(text).filter((key) => stays(key) && !(key in createServerEntry(request))),
        dropped: keysIn(text).filter((key) => !stays(key)),
        serena,
        ...(found === undefined ? {} : { found: judgeEntry(found, request) }),
      };
    },
    spans: read,
  };
}

function hookPieces({ client, launch, scope, platform }: PieceRequest, file: string): Piece[] {
  const hooks = hooksOf(client.name, hookCommand(client.name, launch, scope, platform));
  if (hooks === undefined) return [];
  return [
    formerHooks(file, [...hooks.events.keys()]),
    ...hooks.settings.map(([key, value]) => valuesPiece(file, watches, [], [[key, value]])),
    ...[...hooks.events].map(([event, groups]): Piece => {
      const path = ["hooks", event];
      return {
        file,
        does: watches,
        put: (text) =>
          both(takeInnerItems(text, path, "hooks", isOurHook), text, (now) =>
            putJsonItems(now, path, groups, isOurHook),
          ),
        take: (text, had) =>
          both(takeInnerItems(text, path, "hooks", isOurHook), text, (now) => takeJsonItems(now, path, isOurHook, had)),
        had: (text) => holdersOn(plain(text), path),
      };
    }),
  ];
}

/** One edit after the other. */
function both(first: Edit, text: string, second: (text: string) => Edit): Edit {
  if (first.kind !== "changed") return second(text);
  const edit = second(first.text);
  return edit.kind === "unchanged" ? first : edit;
}

/** Hooks of ours on events that this version has no use for. */
function formerHooks(file: string, events: readonly string[]): Piece {
  const takeOut = (text: string, isFormer: (event: string) => boolean, had: readonly string[]) => {
    const found = keysAt(plain(text), ["hooks"]).filter(isFormer);
    return found.reduce<Edit>(
      (edit, event) => {
        const now = edit.kind === "changed" ? edit.text : text;
        const next = edit.kind === "refused" ? edit : takeJsonItems(now, ["hooks", event], isOurHook, had);
        return next.kind === "unchanged" ? edit : next;
      },
      { kind: "unchanged" },
    );
  };
  return {
    file,
    does: watches,
    put: (text) => takeOut(text, (event) => !events.includes(event), holdersOn(plain(text), ["hooks"])),
    take: (text, had) => takeOut(text, (event) => !events.includes(event), had),
    had: () => [],
  };
}

function pluginPiece(request: PieceRequest, file: string): Piece {
  const command = [...programLine(request, request.scope, true), "hook", request.client.name];
  return filePiece(file, watches, openCodePlugin(command));
}

function permissionPiece(permission: Permission, file: string): Piece {
  switch (permission.kind) {
    case "words": {
      const { path, words } = permission;
      const isOurs = (word: unknown) => typeof word === "string" && words.includes(word);
      const nameOf = (word: unknown) => nameOfPath([...path, String(word)]);
      return {
        file,
        does: leave,
        put: (text) => putJsonItems(text, path, words, isOurs),
        take: (text, had) => takeJsonItems(text, path, (word) => isOurs(word) && !had.includes(nameOf(word)), had),
        had: (text) => [
          ...holdersOn(plain(text), path),
          ...words.filter((word) => hasWord(text, path, word)).map(nameOf),
        ],
      };
    }
    case "values":
      return valuesPiece(file, leave, permission.path, permission.values);
    case "table":
      return {
        file,
        does: leave,
        put: (text) => putTomlTools(text, permission.path, permission.tools),
        // It goes with the entry, whose part it is.
        take: () => ({ kind: "unchanged" }),
        had: () => [],
      };
    case "file":
      return filePiece(file, leave, permission.text);
  }
}

const watches = "recalls what fits a prompt or a failed command, and asks once what is worth keeping";
const leave = "PERMISSION: the client may call the tools that read and add without asking; the others still ask";

function skillPiece({ name, text }: Skill, folder: string): Piece {
  return filePiece(
    `${folder}/${name}/SKILL.md`,
    "a skill: when to look something up, to remember it, or to tidy memory",
    text,
  );
}

/** A file that is all ours. */
function filePiece(file: string, does: string, ours: string): Piece {
  return {
    file,
    does,
    put: (text, wasOurs) => {
      if (text === ours) return { kind: "unchanged" };
      if (text !== "" && !wasOurs) return refused("a file of yours stands there; move it away to get ours");
      return { kind: "changed", text: ours, replaces: false };
    },
    take: (text, _, wasOurs) => {
      if (text === "") return { kind: "unchanged" };
      if (text === ours || wasOurs) return { kind: "emptied", text: "" };
      return refused("you changed it; delete it yourself if you do not need it");
    },
    had: () => [],
  };
}

/** Values under one key of a JSON file; those that the user set already are the user's word. */
function valuesPiece(file: string, does: string, path: JsonPath, values: readonly (readonly [string, Json])[]): Piece {
  return {
    file,
    does,
    put: (text) =>
      behindMark(text, (plainText) => {
        let changed = plainText;
        for (const [key, value] of values) {
          const added = putValue(changed, [...path, key], value);
          if (typeof added !== "string") return added;
          changed = added;
        }
        return changed === plainText ? { kind: "unchanged" } : { kind: "changed", text: changed, replaces: false };
      }),
    take: (text, had) =>
      behindMark(text, (plainText) => {
        const changed = values.reduce((now, [key, value]) => takeValue(now, [...path, key], value, had), plainText);
        return changed === plainText ? { kind: "unchanged" } : whatIsLeft(changed);
      }),
    had: (text) => [
      ...holdersOn(plain(text), path),
      ...values
        .map(([key]) => [...path, key])
        .filter((each) => followPath(plain(text), each).kind === "whole")
        .map(nameOfPath),
    ],
  };
}

function putValue(text: string, path: JsonPath, value: Json): string | Edit {
  if (text.trim() === "") return newDocument(path, value, lineEndingOf(text));
  const way = followPath(text, path);
  if (way.kind === "refused") return way;
  return way.kind === "part" ? addAt(text, way, value) : text;
}

function takeValue(text: string, path: JsonPath, value: Json, had: readonly string[]): string {
  const way = followPath(text, path);
  const isOurs = way.kind === "whole" && isSameJson(way.value, value) && !had.includes(nameOfPath(path));
  return isOurs ? removeAt(text, path, had) : text;
}

function hasWord(text: string, path: JsonPath, word: string): boolean {
  const way = followPath(plain(text), path);
  return way.kind === "whole" && (way.value.children ?? []).some((node) => isSameJson(node, word));
}

/** Without a byte order mark. */
function plain(text: string): string {
  return text.replace(/^\ufeff/, "");
}
