import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createBoundedLines } from "../../src/mcp/stdio.ts";

/** What passes, and the ids of what does not, however the input is cut into pieces. */
async function pass(input: string, mostBytes: number, piece: number) {
  const ids: (string | number | null)[] = [];
  const lines = createBoundedLines({ mostBytes, onTooLong: (id) => ids.push(id) });
  const passed = text(lines);
  for (let at = 0; at < input.length; at += piece) lines.write(input.slice(at, at + piece));
  lines.end();
  return { passed: await passed, ids };
}

const long = "x".repeat(5000);

describe("lines of a bounded length", () => {
  it.each([1, 7, 64, 100_000])(
    "MCP-1 pass unchanged, and only longer ones are left out, in pieces of %i",
    async (piece) => {
      const exact = "e".repeat(100);
      const input = `a\n\n${exact}\r\n${exact}\n${long}\nb\n${exact}f\nc\nwithout an end`;
      expect(await pass(input, 101, piece)).toEqual({
        passed: `a\n\n${exact}\r\n${exact}\nb\n${exact}f\nc\n`,
        ids: [null],
      });
    },
  );

  it.each<[string, string | number | null]>([
    [`{"jsonrpc":"2.0","id":7,"method":"m","params":"${long}"}`, 7],
    [`{"method":"tools/call","params":{"id":8,"t":"${long}"},"jsonrpc":"2.0","id":"abc-9"}`, "abc-9"],
    [`{"method":"m","params":"${long}","id":10,"jsonrpc":"2.0"}`, 10],
    [`{"jsonrpc":"2.0","method":"n","params":{"t":"${long}","id":11}}`, null],
    [`{"jsonrpc":"2.0","params":{"id":12,"t":"${long}"},"method":"n"}`, null],
    [long, null],
  ])("MCP-1 name the request that was too long where its id is at either end (%#)", async (line, id) => {
    expect(await pass(`${line}\n`, 1000, 64)).toEqual({ passed: "", ids: [id] });
  });
});
