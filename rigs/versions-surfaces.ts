import { relative } from "node:path";
import type { Outcome } from "./versions-servers.ts";
import type { Place, VersionsWorld } from "./versions-world.ts";

export const surfaces = ["mcp", "http", "api", "cli"] as const;
export type Surface = (typeof surfaces)[number];

export const operations = ["write", "append", "edit", "rename", "delete"] as const;
export type Operation = (typeof operations)[number];

/** What one surface is asked to do. Topics and the bank know only `write`. */
export interface Request {
  readonly operation: Operation;
  readonly place: Place;
  readonly name: string;
  /** A text that no other request has. */
  readonly text: string;
  /** The other name of a `rename`. */
  readonly to: string;
}

/** How history and the JSON API call the folder of a place. */
export const rootNames: Readonly<Record<Place, string>> = {
  memories: ".serena/memories",
  topics: "memory",
  bank: "bank",
};

/** Every line that a request of this rig wrote. */
const needle = "^Version [^\\n]*";

export async function ask(world: VersionsWorld, surface: Surface, request: Request): Promise<Outcome> {
  if (surface === "mcp") return world.servers.callStdio(...toolCall(world, request));
  if (surface === "http") return world.servers.callHttp(...toolCall(world, request));
  if (surface === "api") return askApi(world, request);
  const { exitCode, stdout } = await world.run([...commandLine(request), "--json"]);
  if (exitCode !== 0) return { kind: "refused", says: stdout };
  return { kind: "answered", content: JSON.parse(stdout) as Record<string, unknown> };
}

function toolCall(world: VersionsWorld, request: Request): [string, Record<string, unknown>] {
  const { operation, place, name, text } = request;
  if (place === "topics") return ["store_in_memory", { topic: "rig", subtopic: subtopicOf(name), ...entryOf(text) }];
  if (place === "bank") return ["create_text_file", { relative_path: world.fileOf(place, name), content: text }];
  switch (operation) {
    case "write":
    case "append":
      return [`${operation}_memory`, { memory_name: name, content: text }];
    case "edit":
      return [
        "edit_memory",
        { memory_name: name, needle, repl: text.trim(), mode: "regex", allow_multiple_occurrences: true },
      ];
    case "rename":
      return ["rename_memory", { old_name: name, new_name: request.to }];
    case "delete":
      return ["delete_memory", { memory_name: name }];
  }
}

function commandLine({ operation, place, name, text, to }: Request): string[] {
  if (place === "bank") return ["bank", "write", `${name}.md`, "--content", text];
  if (place === "topics") {
    const { title, problem, solution } = entryOf(text);
    return ["topics", "store", "rig", subtopicOf(name)].concat(
      ["--title", title],
      ["--problem", problem],
      ["--solution", solution],
    );
  }
  switch (operation) {
    case "write":
    case "append":
      return ["memories", operation, name, "--content", text];
    case "edit":
      return ["memories", "edit", name, needle, text.trim(), "--mode", "regex", "--all"];
    case "rename":
      return ["memories", "rename", name, to];
    case "delete":
      return ["memories", "delete", name];
  }
}

/** As the dashboard does: what is there is read first, and its revision sent along. */
async function askApi(world: VersionsWorld, { operation, place, name, text, to }: Request): Promise<Outcome> {
  const { callApi } = world.servers;
  const root = rootNames[place];
  const pathOf = (one: string) => relative(world.folderOf(place), world.fileOf(place, one));
  const path = pathOf(name);
  const found = await callApi("GET", `/document?${new URLSearchParams({ root, path })}`);
  if (found.kind === "unknown") return found;
  const former = found.kind === "answered" ? String(found.content["content"]) : "";
  const ifRev = found.kind === "answered" ? String(found.content["rev"]) : null;
  const needsOne = place === "topics" || operation === "rename" || operation === "delete";
  if (ifRev === null && needsOne) return { kind: "refused", says: "there is no such document" };
  if (operation === "rename") {
    return callApi("POST", "/document/move", { root, path, to: pathOf(to), ifRev });
  }
  if (operation === "delete" && ifRev !== null) {
    return callApi("DELETE", `/document?${new URLSearchParams({ root, path, ifRev })}`);
  }
  // A file of topics stays one: the text goes under its entries.
  const isAdded = place === "topics" || operation === "append";
  return callApi("PUT", "/document", { root, path, content: isAdded ? `${former}\n${text}` : text, ifRev });
}

function subtopicOf(name: string): string {
  return name.replaceAll("/", "-");
}

function entryOf(text: string) {
  return {
    title: text.trim(),
    context: "rig",
    problem: text.trim(),
    solution: `${text.trim()} ${"and so on ".repeat(30)}`,
  };
}
