import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { editText, type TextEdit } from "../../../src/notes/memories/edit-text.ts";
import { createRegexRunner, type RegexRunnerOptions } from "../../../src/notes/memories/regex-threads.ts";
import { errorOf } from "../../helpers/error-of.ts";

const edit = (needle: string, replacement: string): TextEdit => ({
  needle,
  replacement,
  mode: "regex",
  multiple: true,
});

const evil = edit("(x+x+)+y", "");
const hostileText = "x".repeat(60);

function open(options?: RegexRunnerOptions) {
  const runner = createRegexRunner(options);
  onTestFinished(() => runner.close());
  return runner;
}

it("MEM-9 a thread that dies of too much memory is replaced, and the process lives on", async () => {
  const runner = open({ limitMs: 20_000, memoryMb: 16 });
  const hungry = edit("(a)(b)()()()", `$!1${"x".repeat(300)}`);
  expect(await errorOf(() => runner.edit("ab".repeat(45_000), hungry))).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("needed too much memory"),
  });
  expect(await runner.edit("abc", edit("b", "x"))).toEqual({ text: "axc", count: 1 });
});

// Each of these once took more memory than the thread may have, which ends the whole process.
it.each<[string, string, TextEdit]>([
  ["matches of many groups", "ab".repeat(5_000_000), edit("(a)(b)()()()()()()", "$!1$!2")],
  ["an empty match at every place", "x".repeat(10_000_000), edit("()()()()()", "-")],
  ["a replacement that multiplies the text", "x".repeat(1_000_000), edit("[^]*", "$!0".repeat(10_000))],
  ["a long replacement of many matches", "x".repeat(90_000), edit("x", "y".repeat(10_000))],
  ["an endless regular expression", "text", edit("\\p{L}".repeat(100_000), "")],
])("MEM-9 %s are refused, and the next edit works", async (_, text, hostile) => {
  const runner = open({ limitMs: 20_000 });
  expect(await errorOf(() => runner.edit(text, hostile))).toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(await runner.edit("abc", edit("b", "x"))).toEqual({ text: "axc", count: 1 });
});

it("MEM-9 a literal edit does not fill the memory either", () => {
  const literal = { ...edit("x", "y".repeat(100_000)), mode: "literal" as const };
  expect(() => editText("x".repeat(100_000), literal)).toThrow("nothing was changed");
});

it("MEM-9 many edits one after the other and at once get each their own answer, and leak no listeners", async () => {
  const warnings: Error[] = [];
  const collect = (warning: Error) => warnings.push(warning);
  process.on("warning", collect);
  onTestFinished(() => void process.off("warning", collect));
  const runner = open();
  for (let index = 0; index < 40; index += 1)
    expect((await runner.edit("x", edit("x", `${index}`))).text).toBe(`${index}`);
  const all = await Promise.all(Array.from({ length: 40 }, (_, index) => runner.edit("x", edit("x", `${index}`))));
  expect(all.map(({ text }) => text)).toEqual(all.map((_, index) => `${index}`));
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

it("MEM-9 a good edit is answered while a hostile one still runs", async () => {
  const runner = open({ limitMs: 3000 });
  const answers: string[] = [];
  const hostile = errorOf(() => runner.edit(hostileText, evil)).then((error) => {
    answers.push("stopped");
    return error;
  });
  const good = runner.edit("abc", edit("b", "x")).then(({ text }) => answers.push(text));
  await Promise.all([hostile, good]);
  expect(answers).toEqual(["axc", "stopped"]);
});

it("MEM-9 hostile edits are stopped beside each other, and who would wait too long for them is told BUSY", async () => {
  const runner = open({ threads: 4, limitMs: 4000, waitMs: 50 });
  const attempts = Array.from({ length: 5 }, () => errorOf(() => runner.edit(hostileText, evil)));
  const errors = await Promise.all(attempts);
  expect(errors.map((error) => (error as { code?: string }).code)).toEqual([
    ...Array(4).fill("INVALID_ARGUMENT"),
    "BUSY",
  ]);
  expect(errors[4]).toMatchObject({ message: expect.stringContaining("nothing was changed") });
  expect(await runner.edit("abc", edit("b", "x"))).toEqual({ text: "axc", count: 1 });
});

it("MEM-9 an edit that waits for a hostile one gets the thread that takes its place", async () => {
  const runner = open({ threads: 1, limitMs: 300, waitMs: 60_000 });
  const hostile = [1, 2].map(() => errorOf(() => runner.edit(hostileText, evil)));
  const good = runner.edit("abc", edit("b", "x"));
  expect((await good).text).toBe("axc");
  for (const error of await Promise.all(hostile)) expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
});

it("MEM-9 an answer that waits behind a busy main thread still counts", async () => {
  const runner = open({ limitMs: 100 });
  await runner.edit("x", edit("x", "y"));
  const answer = runner.edit("x", edit("x", "y"));
  await new Promise((resolve) => setImmediate(resolve));
  const begin = performance.now();
  while (performance.now() - begin < 300);
  expect(await answer).toEqual({ text: "y", count: 1 });
});

it("MEM-9 a process ends by itself after an edit, and not before its answer", async () => {
  const file = new URL("../../../src/notes/memories/regex-threads.ts", import.meta.url).href;
  const script = `const { createRegexRunner } = await import(${JSON.stringify(file)});
    const { text } = await createRegexRunner().edit("abc", { needle: "b", replacement: "x", mode: "regex", multiple: false });
    console.log(text);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    timeout: 20_000,
  });
  expect(stdout).toBe("axc\n");
});

it("MEM-9 closing waits for the edit that is being run, and an edit after it works again", async () => {
  const runner = createRegexRunner();
  const answer = runner.edit("abc", edit("b", "x"));
  await runner.close();
  expect((await answer).text).toBe("axc");
  expect((await runner.edit("abc", edit("b", "y"))).text).toBe("ayc");
  await runner.close();
});
