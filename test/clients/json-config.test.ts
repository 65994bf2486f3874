import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import type { Edit } from "../../src/clients/edit.ts";
import { putJsonEntry, readJsonServers, takeJsonEntry } from "../../src/clients/json-config.ts";
import { someRuns } from "../helpers/some-cases.ts";
import { jsoncTexts } from "./jsonc-texts.ts";

const entry = { type: "stdio", command: "npx", args: ["-y", "recollect", "start-mcp-server"] } as const;
const put = (text: string, wanted: Parameters<typeof putJsonEntry>[2] = entry) =>
  putJsonEntry(text, ["mcpServers"], wanted);
const take = (text: string) => takeJsonEntry(text, ["mcpServers"]);
const textOf = (edit: Edit): string => (edit.kind === "changed" ? edit.text : `(${edit.kind})`);
const plain = (text: string) => parse(text.replace("\ufeff", ""), [], { allowTrailingComma: true });

describe("CLI-2 our entry in a client's JSON", () => {
  it("CLI-2 makes a new document that people can read", () => {
    expect(textOf(put(""))).toBe(`{
  "mcpServers": {
    "recollect": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "recollect", "start-mcp-server"]
    }
  }
}
`);
  });

  it("CLI-2 goes in and out of any file without a trace, is complete, and goes in once", () => {
    fc.assert(
      fc.property(jsoncTexts, (text) => {
        const once = textOf(put(text));
        const { mcpServers, ...rest } = plain(once);
        const { recollect, ...others } = mcpServers;
        expect(recollect).toEqual(entry);
        const original = plain(text);
        expect({ ...rest, ...(original.mcpServers ? { mcpServers: others } : {}) }).toEqual(original);
        expect(put(once)).toEqual({ kind: "unchanged" });
        expect(textOf(take(once))).toBe(text);
      }),
      { numRuns: someRuns(400, 2000) },
    );
  });

  it("CLI-2 only adds: what was there stands in its order", () => {
    fc.assert(
      fc.property(jsoncTexts, (text) => {
        const once = textOf(put(text));
        let at = 0;
        for (let index = 0; index < once.length; index += 1) if (once[index] === text[at]) at += 1;
        expect(at).toBe(text.length);
      }),
    );
  });

  it.each([
    ["tabs and CRLF", '{\r\n\t"mcpServers": {\r\n\t\t"x": {}\r\n\t}\r\n}\r\n'],
    ["a byte order mark", '\ufeff{\n  "a": 1\n}\n'],
    ["a comment at the end of the last line", '{\n  "mcpServers": {\n    "x": {} // last\n  }\n}'],
    ["a trailing comma", '{\n  "mcpServers": {\n    "x": {}, // last\n  },\n}\n'],
    ["one line", '{"mcpServers":{"x":{"command":"y"}},"z":1}'],
    ["one line with a trailing comma", '{"a":1,}'],
    ["a comment as all there is", "{\n  // nothing yet\n}\n"],
    ["comments inside of comments", '{ /* // */ "a": /* { */ 1 /* } // */ }'],
  ])("CLI-2 goes in and out of a file with %s", (_, text) => {
    const once = textOf(put(text));
    expect(plain(once).mcpServers.recollect).toEqual(entry);
    expect(textOf(take(once))).toBe(text);
  });

  it("CLI-2 fills an empty holder, and takes it away when it leaves", () => {
    const once = textOf(put('{\n  "a": 1,\n  "mcpServers": {}\n}\n'));
    expect(plain(once).mcpServers).toEqual({ recollect: entry });
    expect(textOf(take(once))).toBe('{\n  "a": 1\n}\n');
  });

  it.each(["", "{}", "{ }\n", '{"mcpServers": {}}'])(
    "CLI-2 leaves nothing behind where nothing else was: %j",
    (text) => {
      expect(take(textOf(put(text)))).toMatchObject({ kind: "emptied" });
    },
  );

  it("CLI-2 brings command and arguments up to date and keeps keys, comments and layout of the entry", () => {
    const text = `{
  "mcpServers": {
    "recollect": {
      // ours
      "env": { "A": "1" }, // by hand
      "command": "old",
      "disabled": false
    },
    "x": {}
  }
}
`;
    expect(put(text)).toEqual({
      kind: "changed",
      replaces: true,
      text: text
        .replace('"old"', '"npx"')
        .replace('"disabled": false', '"disabled": false,\n      "args": ["-y", "recollect", "start-mcp-server"]'),
    });
  });

  it("CLI-2 takes the keys out that are to go, however the entry is written, and nothing else", () => {
    const keys = ["command", "args", "env", "cwd", "timeout", "__proto__", "e\u006ev2"];
    const layout = fc.constantFrom(",", " , ", ",\n      ", ", // why\n      ", " /* , */,\n");
    fc.assert(
      fc.property(
        fc.shuffledSubarray(keys),
        fc.subarray(["env", "cwd", "__proto__", "env2"]),
        fc.array(layout, { minLength: 7, maxLength: 7 }),
        fc.boolean(),
        (present, drops, separators, trailing) => {
          const pairs = present.map((key, index) => {
            const last = index === present.length - 1;
            return `"${key}": {"x": [1, "}"]}${last ? (trailing ? "," : "") : separators[index]}`;
          });
          const text = `{\n  "mcpServers": {\n    "recollect": {${pairs.join("")}\n    },\n    "z": {}\n  }\n}\n`;
          const edit = putJsonEntry(text, ["mcpServers"], entry, drops);
          const after = textOf(edit);
          const found = readJsonServers(after, ["mcpServers"]).entry;
          const others = present.filter((key) => !["command", "args", ...drops].includes(key));
          expect([found?.command, found?.args]).toEqual([entry.command, entry.args]);
          expect(found?.others.map(([key]) => key)).toEqual(others);
          expect(putJsonEntry(after, ["mcpServers"], entry, drops)).toEqual({ kind: "unchanged" });
          expect(after.match(/\/\/ why/g)?.length ?? 0).toBe(text.match(/\/\/ why/g)?.length ?? 0);
        },
      ),
      { numRuns: someRuns(200, 1000) },
    );
  });

  it("CLI-2 reads what stands under our name, whatever it is", () => {
    const read = (value: string) =>
      readJsonServers(`\ufeff{"mcpServers": {"recollect": ${value}}}`, ["mcpServers"]).entry;
    expect(read('{"command": "x", "args": ["a", 1]}')).toMatchObject({ command: "x", args: undefined, others: [] });
    expect(read('{"command": 1, "env": {"A": "b"}}')).toMatchObject({ others: [["env", '{"A": "b"}']] });
    for (const odd of ["1", "null", "[]", '"x"', "{}"]) expect(read(odd)).toMatchObject({ others: [] });
    expect(readJsonServers("{ broken", ["mcpServers"])).toEqual({ serena: [] });
    expect(readJsonServers("", ["mcpServers"])).toEqual({ serena: [] });
  });

  it("CLI-2 takes an entry without a transport for the same", () => {
    const { type: _, ...older } = entry;
    expect(put(JSON.stringify({ mcpServers: { recollect: older } }))).toEqual({ kind: "unchanged" });
  });

  it("CLI-2 takes out the first and the middle of several entries", () => {
    expect(textOf(take('{\n  "mcpServers": {\n    "recollect": {},\n    "x": {}\n  }\n}'))).toBe(
      '{\n  "mcpServers": {\n    "x": {}\n  }\n}',
    );
    expect(textOf(take('{"mcpServers": {"a": 1, "recollect": {}, "x": {}}}'))).toBe(
      '{"mcpServers": {"a": 1, "x": {}}}',
    );
    expect(textOf(take('{"mcpServers": {"recollect": {}, "x": {}}}'))).toBe('{"mcpServers": {"x": {}}}');
  });

  it.each([
    ["{", "not valid JSON (close brace expected at line 1, column 2)"],
    ['{\n  "a": 1\n  "b": 2\n}', "not valid JSON (comma expected at line 3, column 3)"],
    ["not json", "not valid JSON"],
    ["{} {}", "not valid JSON"],
    ["[]", "no JSON object"],
    ["null", "no JSON object"],
    ['{"mcpServers": []}', "“mcpServers” is no object (line 1, column 16)"],
    ['{"mcpServers": {}, "mcpServers": {}}', "“mcpServers” twice"],
    ['{"mcpServers": {"recollect": 1, "recollect": 2}}', "“recollect” twice"],
    ['{"mcpServers": {"recollect": {"command": 1, "command": 2}}}', "“command” twice"],
    ['{"mcpServers": {"recollect": {"url": "https://x"}}}', "remote server"],
    ['{"mcpServers": {"recollect": {"type": "http"}}}', "remote server"],
    [`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, "nested too deeply"],
  ])("CLI-2 leaves alone what it cannot edit safely: case %#", (text, reason) => {
    expect(put(text)).toEqual({ kind: "refused", reason: expect.stringContaining(reason) });
  });

  // By a time that grows with the square of the blanks, this would take hours.
  it("CLI-2 edits megabytes of blanks", () => {
    const blanks = " ".repeat(someRuns(1, 4) * 1024 * 1024);
    expect(put(`{${blanks}"a": 1${blanks}}`).kind).toBe("changed");
  });
});
