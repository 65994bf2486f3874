import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Edit } from "../../src/clients/edit.ts";
import { putTomlEntry, readTomlServers, takeTomlEntry } from "../../src/clients/toml-config.ts";
import { someRuns } from "../helpers/some-cases.ts";
import { tomlTexts } from "./toml-texts.ts";

const entry = { command: "npx", args: ["-y", "recollect", "--project", "C:\\work\\“q”"] } as const;
const block = `[mcp_servers.recollect]
command = "npx"
args = ["-y", "recollect", "--project", "C:\\\\work\\\\“q”"]`;
const put = (text: string) => putTomlEntry(text, "mcp_servers", entry);
const take = (text: string) => takeTomlEntry(text, "mcp_servers");
const textOf = (edit: Edit): string => (edit.kind === "changed" ? edit.text : `(${edit.kind})`);

describe("CLI-2 our table in a client's TOML", () => {
  it("CLI-2 goes in and out of any file without a trace, after everything else, and goes in once", () => {
    fc.assert(
      fc.property(tomlTexts, (text) => {
        const once = textOf(put(text));
        expect(once.startsWith(text)).toBe(true);
        expect(once.slice(text.length).replaceAll("\r", "").trim()).toBe(block);
        expect(put(once)).toEqual({ kind: "unchanged" });
        expect(textOf(take(once))).toBe(text);
      }),
      { numRuns: someRuns(200, 1000) },
    );
  });

  it("CLI-2 makes a new file, and leaves nothing behind", () => {
    expect(textOf(put(""))).toBe(`${block}\n`);
    expect(take(`${block}\n`)).toMatchObject({ kind: "emptied" });
  });

  const byHand = `# top
[mcp_servers.recollect] # ours
  command = 'old' # why
startup_timeout_sec = 20
args = [
  "a",
]

[mcp_servers.recollect.env]
TOKEN = "x"

# next
[mcp_servers.other]
command = "y"
`;

  it("CLI-2 brings command and arguments up to date and keeps keys, comments and sub-tables", () => {
    const wanted = byHand
      .replace("'old'", '"npx"')
      .replace('[\n  "a",\n]', '["-y", "recollect", "--project", "C:\\\\work\\\\“q”"]');
    expect(put(byHand)).toEqual({ kind: "changed", replaces: true, text: wanted });
    expect(put(wanted)).toEqual({ kind: "unchanged" });
  });

  it("CLI-2 takes the keys out that are to go, wherever they stand, and nothing else", () => {
    const text = `[mcp_servers.recollect.env] # before
A = "1"
# about B
B = "2"

[mcp_servers.other]
command = "y"
env = { C = "3" }

[mcp_servers.recollect]
cwd = "x" # where
startup_timeout_sec = 20
"env_vars" = [
  "D",
]
command = "npx"
http.headers = 1
`;
    const after = textOf(putTomlEntry(text, "mcp_servers", entry, ["env", "cwd", "env_vars", "http"]));
    expect(after).toBe(`[mcp_servers.other]
command = "y"
env = { C = "3" }

[mcp_servers.recollect]
args = ["-y", "recollect", "--project", "C:\\\\work\\\\“q”"]
startup_timeout_sec = 20
command = "npx"
`);
    expect(readTomlServers(after, "mcp_servers").entry).toMatchObject({
      command: "npx",
      args: entry.args,
      others: [["startup_timeout_sec", "20"]],
    });
    const part = '[mcp_servers.recollect.env]\nA = "1"\n';
    expect(textOf(putTomlEntry(part, "mcp_servers", entry, ["env"])).trim()).toBe(block);
  });

  it("CLI-2 takes out the table with its sub-tables, and nothing else", () => {
    expect(textOf(take(byHand))).toBe('# top\n\n# next\n[mcp_servers.other]\ncommand = "y"\n');
  });

  it("CLI-2 completes a table that lacks a key, and one of which only a sub-table is there", () => {
    expect(textOf(put("[mcp_servers.recollect]"))).toBe(block);
    const part = '[mcp_servers.recollect.env]\nA = "1"\n';
    expect(textOf(put(part))).toBe(`${block}\n\n${part}`);
  });

  it("CLI-2 reads strings of either kind and arrays over several lines", () => {
    const text = `[mcp_servers."recollect"]\ncommand = 'npx'\nargs = [ '-y', "recollect",\n "--project", 'C:\\work\\“q”', ]\n`;
    expect(put(text)).toEqual({ kind: "unchanged" });
  });

  it.each([
    ["mcp_servers = {}", "“mcp_servers” outside of a table"],
    ['mcp_servers.recollect.command = "x"', "“mcp_servers.recollect.command” outside"],
    ['[mcp_servers]\nrecollect = { command = "x" }', "“mcp_servers.recollect” outside"],
    ['[mcp_servers]\nrecollect.command = "x"', "outside of a table"],
    ["[[mcp_servers]]", "array of tables"],
    ["[[mcp_servers.recollect]]", "array of tables"],
    ["[mcp_servers.recollect]\n[mcp_servers.recollect]", "twice"],
    ['[mcp_servers.recollect]\ncommand = "a"\ncommand = "b"', "“command” twice"],
    ['[mcp_servers.recollect]\nurl = "https://x"', "remote server"],
    ["key", "a key without a value at line 1, column 4"],
    ["key =", "a key without a value"],
    ['a = "x\nb = 1', "a text without its end at line 1, column 5"],
    ['a = """x', "a text without its end"],
    ["a = [1\n", "no “]” for what was opened"],
    ["a = 1]", "a “]” too many"],
    ["[a", "a header without its end"],
    ["[a] b = 1", "something after the end of a statement"],
    ['{"json": 1}', "no key"],
    [`a = ${"[".repeat(500_000)}`, "no “]”"],
  ])("CLI-2 leaves alone what it cannot edit safely: case %#", (text, reason) => {
    expect(put(text)).toEqual({ kind: "refused", reason: expect.stringContaining(reason) });
    expect(take(text).kind).not.toBe("changed");
  });
});
