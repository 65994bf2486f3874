import { execFileSync, spawnSync } from "node:child_process";
import { Argument, Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { completionCommand } from "../../src/cli/completion.ts";
import { cli } from "../helpers/cli.ts";

/** A program of its own, so that the test says what is completed. */
async function scriptFor(shell: string): Promise<string> {
  const out: string[] = [];
  const io = {
    out: (text: string) => void out.push(text),
    err: () => {},
    terminal: false,
    readInput: async () => undefined,
  };
  const notes = new Command("notes").description("the user's notes");
  notes
    .command("list")
    .option("--json", "as JSON")
    .addOption(new Option("-l, --level <level>", "level").choices(["low", "high"]));
  notes.command("read").argument("<name>").option("--file <file>", "a file");
  notes.command("secret", { hidden: true });
  const paint = new Command("paint").addArgument(new Argument("<colour>").choices(["red", "green"]));
  const program = new Command("recollect")
    .version("1")
    .addCommand(notes)
    .addCommand(paint)
    .addCommand(completionCommand(io));
  await program.parseAsync(["completion", shell], { from: "user" });
  return out.join("");
}

const has = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0;

describe.runIf(has("bash"))("CLI-1 completion in bash", () => {
  /** What bash offers for the last of these words. */
  async function offered(...words: string[]): Promise<string[]> {
    const list = ["recollect", ...words].map((word) => `'${word}'`).join(" ");
    const script = `${await scriptFor("bash")}
COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _recollect; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const text = execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
    return text.split("\n").filter(Boolean);
  }

  it.each([
    [[""], ["notes", "paint", "completion", "help", "--version", "--help"]],
    [["no"], ["notes"]],
    [
      ["notes", ""],
      ["list", "read", "help", "--help"],
    ],
    [
      ["notes", "list", "--"],
      ["--json", "--level", "--help"],
    ],
    [
      ["notes", "list", "--level", ""],
      ["low", "high"],
    ],
    [["notes", "list", "-l", "h"], ["high"]],
    [["notes", "list", "--level", "=", "l"], ["low"]],
    [
      ["notes", "list", "--level", "="],
      ["low", "high"],
    ],
    [["notes", "list", "--level", "paint", "--j"], ["--json"]],
    [["notes", "read", "--file", ""], []],
    [
      ["paint", ""],
      ["red", "green", "--help"],
    ],
    [["completion", "z"], ["zsh"]],
    [["nothing", "such", "pa"], ["paint"]],
  ])("CLI-1 offers for %j", async (words, expected) => {
    expect(await offered(...words)).toEqual(expected);
  });
});

describe("CLI-1 completion", () => {
  it.each(["bash", "zsh", "fish"])(
    "CLI-1 of %s names commands, options and choices, and not what is hidden",
    async (shell) => {
      const script = await scriptFor(shell);
      for (const word of ["notes", "list", "level", "low", "green"]) expect(script).toContain(word);
      expect(script).not.toContain("secret");
      expect(script.endsWith("\n")).toBe(true);
    },
  );

  it.each(["bash", "zsh", "fish"])("CLI-1 of %s is a script that the shell reads", async (shell) => {
    if (has(shell)) execFileSync(shell, ["-n"], { input: await scriptFor(shell) });
  });

  it.each(["bash", "zsh", "fish"])(
    "CLI-1 of %s says once for commands alike which options take a value",
    async (shell) => {
      const { out } = await cli(["completion", shell]);
      const lines = out.split("\n");
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(6000);
      const own = out.slice(out.indexOf("_recollect_valued"), out.search(/^_recollect\(\)|^function __recollect_at/m));
      // Among the options of `init`, and among those that most commands share.
      expect(own.match(/--additional-folders\b/g)).toHaveLength(2);
      expect(out.match(/\|--additional-folders/g)).toBeNull();
    },
  );

  it("CLI-1 says how it is installed", () => {
    const out: string[] = [];
    const io = { out: () => {}, err: () => {}, terminal: false, readInput: async () => undefined };
    const command = completionCommand(io)
      .exitOverride()
      .configureOutput({ writeOut: (text) => out.push(text) });
    expect(() => command.outputHelp()).not.toThrow();
    for (const line of ["~/.bashrc", "~/.zshrc", "completions/recollect.fish"]) expect(out.join("")).toContain(line);
  });
});
