import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contestant } from "./contestant.ts";
import { findMachineNode } from "./machine-node.ts";
import { callTool, type ServerCommand } from "./stdio-client.ts";

/** A home of its own, in which it may keep what it likes. */
function apart(store: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): ServerCommand {
  const home = join(store, "home");
  mkdirSync(home, { recursive: true });
  const folders = {
    HOME: home,
    USERPROFILE: home,
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
  };
  return { args, env: { ...folders, ...env }, cwd: home, isApart: true };
}

function namesIn(text: string): string[] {
  return [...new Set(text.match(/note-[\w-]*\d/g))];
}

const yes = () => true;
const no = () => false;
const toText = async (answer: Promise<unknown>): Promise<string> => JSON.stringify(await answer);

/** Ours, as a package like the others. */
export function ours(tarball: string): Contestant {
  return {
    name: "recollect",
    spec: tarball,
    packageName: "recollect",
    command: (folder, store) => {
      const project = join(store, "project");
      mkdirSync(join(project, ".git"), { recursive: true });
      mkdirSync(join(project, ".serena", "memories"), { recursive: true });
      return apart(store, [join(folder, "bin", "recollect.cjs"), "start-mcp-server", "--project", project]);
    },
    write: (client, name, content) => callTool(client, "write_memory", { memory_name: name, content }),
    search: async (client, query, limit) => {
      const found = await callTool(client, "search_memory", { query, limit });
      const { _meta } = found as { _meta: { "recollect/details": { hits: { path: string }[] } } };
      return _meta["recollect/details"].hits.map(({ path }) => path.replace(/\.md$/, ""));
    },
    // A list shows the first of them only.
    kept: async (client, names) => {
      const kept: string[] = [];
      for (const name of names) {
        const isThere = await callTool(client, "read_memory", { memory_name: name }).then(yes, no);
        if (isThere) kept.push(name);
      }
      return kept.join("\n");
    },
  };
}

export const peers: readonly Contestant[] = [
  {
    name: "server-memory",
    spec: "@modelcontextprotocol/server-memory",
    packageName: "@modelcontextprotocol/server-memory",
    command: (folder, store) =>
      apart(store, [join(folder, "dist", "index.js")], { MEMORY_FILE_PATH: join(store, "memory.jsonl") }),
    write: (client, name, content) =>
      callTool(client, "create_entities", { entities: [{ name, entityType: "note", observations: [content] }] }),
    search: async (client, query) => namesIn(await toText(callTool(client, "search_nodes", { query }))),
    kept: (client) => toText(callTool(client, "read_graph", {})),
  },
  {
    name: "qmd (words only)",
    spec: "@tobilu/qmd",
    packageName: "@tobilu/qmd",
    command: (folder, store) => apart(store, [join(folder, "dist", "cli", "qmd.js"), "mcp"]),
    prepare: (folder, store, notes) => {
      const place = join(store, "notes");
      mkdirSync(place, { recursive: true });
      for (const { name, content } of notes) writeFileSync(join(place, `${name}.md`), content);
      const { args, env, cwd } = apart(store, [join(folder, "dist", "cli", "qmd.js")]);
      execFileSync(process.execPath, [...args, "collection", "add", place, "--name", "notes"], {
        env: { PATH: process.env["PATH"], ...env },
        ...(cwd === undefined ? {} : { cwd }),
        timeout: 60_000,
        stdio: "ignore",
      });
    },
    // Its other ways need models, which it would download.
    search: async (client, query, limit) => {
      const searches = [{ type: "lex", query }];
      return namesIn(await toText(callTool(client, "query", { searches, limit, rerank: false })));
    },
  },
  {
    name: "agentmemory (standalone)",
    spec: "@agentmemory/mcp",
    packageName: "@agentmemory/mcp",
    command: (folder, store) => apart(store, [join(folder, "bin.mjs")]),
    write: (client, name, content) => callTool(client, "memory_save", { content, files: name }),
    search: async (client, query, limit) =>
      namesIn(await toText(callTool(client, "memory_smart_search", { query, limit }))),
    kept: (client) => toText(callTool(client, "memory_export", {})),
  },
  {
    name: "mcp-memory-keeper",
    spec: "mcp-memory-keeper",
    packageName: "mcp-memory-keeper",
    isCompiled: true,
    command: (folder, store) => ({
      ...apart(store, [join(folder, "dist", "index.js")], { DATA_DIR: join(store, "data") }),
      program: findMachineNode().program,
    }),
    write: (client, name, content) => callTool(client, "context_save", { key: name, value: content }),
    search: async (client, query) => namesIn(await toText(callTool(client, "context_search", { query }))),
    // It gives a hundred at a time.
    kept: async (client, names) => {
      const pages: string[] = [];
      for (let offset = 0; offset < names.length; offset += 100) {
        pages.push(await toText(callTool(client, "context_get", { limit: 100, offset })));
      }
      return pages.join("\n");
    },
  },
  {
    name: "memory-bank-mcp",
    spec: "@allpepper/memory-bank-mcp",
    packageName: "@allpepper/memory-bank-mcp",
    command: (folder, store) =>
      apart(store, [join(folder, "dist", "main", "index.js")], { MEMORY_BANK_ROOT: join(store, "bank") }),
    write: (client, name, content) =>
      callTool(client, "memory_bank_write", { projectName: "bench", fileName: `${name}.md`, content }),
    kept: (client) => toText(callTool(client, "list_project_files", { projectName: "bench" })),
  },
];
