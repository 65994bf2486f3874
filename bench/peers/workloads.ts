import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ourCommand, peerCommand } from "./commands.ts";
import type { Peer } from "./install.ts";
import { callTool, type ServerCommand, type StdioClient } from "./stdio-client.ts";

/** The same work in the words of one server: note an entry in a store that others write to as well. */
export interface Workload {
  readonly name: string;
  readonly command: ServerCommand;
  prepare(client: StdioClient): Promise<unknown>;
  write(client: StdioClient, entry: string): Promise<unknown>;
  /** Everything that is in the store. */
  read(client: StdioClient): Promise<string>;
}

export function ourWorkload(folder: string): Workload {
  const relative_file_path = "shared.md";
  const append = (client: StdioClient, content: string) =>
    callTool(client, "append_to_memory_file", { relative_file_path, content });
  return {
    name: "recollect",
    command: ourCommand(folder),
    prepare: (client) => append(client, "# Shared\n"),
    write: (client, entry) => append(client, `${entry}\n`),
    read: async (client) => JSON.stringify(await callTool(client, "read_memory_file", { relative_file_path })),
  };
}

export function memoryWorkload(peer: Peer, folder: string): Workload {
  const create = (client: StdioClient, name: string) =>
    callTool(client, "create_entities", { entities: [{ name, entityType: "note", observations: [name] }] });
  return {
    name: peer.name,
    command: peerCommand(peer, folder),
    prepare: (client) => create(client, "first"),
    write: create,
    read: async (client) => JSON.stringify(await callTool(client, "read_graph", {})),
  };
}

/** It has no append; an edit that puts the entry before the last line is the nearest that it offers. */
export function fileSystemWorkload(peer: Peer, folder: string): Workload {
  const path = join(folder, "shared.md");
  const end = "(the end)";
  return {
    name: peer.name,
    command: peerCommand(peer, folder),
    prepare: async () => writeFileSync(path, `# Shared\n${end}\n`),
    write: (client, entry) =>
      callTool(client, "edit_file", { path, edits: [{ oldText: end, newText: `${entry}\n${end}` }] }),
    read: async (client) => JSON.stringify(await callTool(client, "read_text_file", { path })),
  };
}
