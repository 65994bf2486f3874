import { parse } from "jsonc-parser";
import { hookCommand, isOurHook } from "../client-hooks.ts";
import { placeFile } from "../client-places.ts";
import type { Client, Scope } from "../clients.ts";
import { programLine } from "../server-entry.ts";
import { type FindRequest, readFor } from "./find-entry.ts";

export interface FoundHook {
  readonly scope: Scope;
  readonly shown: string;
  /** A line for the shell, or a program with its arguments. */
  readonly command: string | readonly [string, ...string[]];
  /** Whether `init` would write the same. */
  readonly isOurs: boolean;
}

/** The command of our hooks in the file of a client; one is as the others. */
export function findHook(client: Client, scope: Scope, request: FindRequest): FoundHook | undefined {
  const { hooks, plugin } = client.files[scope] ?? {};
  const file = hooks ?? plugin;
  if (file === undefined) return undefined;
  const place = placeFile(file, client, request);
  const text = readFor(scope, place);
  if (!text.includes("recollect")) return undefined;
  const ours =
    plugin === undefined
      ? hookCommand(client.name, request.launch, scope, request.platform)
      : pluginLine(client, scope, request);
  const found = plugin === undefined ? commandIn(parseGuarded(text)) : lineIn(text);
  if (found === undefined) return undefined;
  return { scope, shown: place.shown, command: found, isOurs: JSON.stringify(found) === JSON.stringify(ours) };
}

function pluginLine({ name }: Client, scope: Scope, request: FindRequest): readonly string[] {
  return [...programLine(request, scope, true), "hook", name];
}

/** What the plugin for OpenCode runs: a line that `init` wrote. */
function lineIn(text: string): readonly [string, ...string[]] | undefined {
  const value = parseGuarded(/^const command = (\[.*\]);$/m.exec(text)?.[1] ?? "");
  const words = Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
  const [program, ...rest] = words;
  return program === undefined ? undefined : [program, ...rest];
}

function commandIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("command" in value && typeof value.command === "string" && isOurHook(value)) return value.command;
  for (const each of Object.values(value)) {
    const found = commandIn(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parseGuarded(text: string): unknown {
  try {
    return parse(text, [], { allowTrailingComma: true });
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
