import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bin } from "./helpers/checkout.ts";
import { cliProcess, runProcess } from "./helpers/cli.ts";
import { scratchFolder } from "./stores/files/scratch.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

function codeBlocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, code]) => code ?? "");
}

it("LIB-1 the README's example of the library runs as it is printed", () => {
  const folder = scratchFolder();
  const [example = ""] = codeBlocks("ts");
  const library = new URL("../src/index.ts", import.meta.url).href;
  const program = example
    .replace('"recollect"', JSON.stringify(library))
    .replace('"/var/lib/my-app"', JSON.stringify(folder));
  writeFileSync(join(folder, "example.mts"), program);
  execFileSync(process.execPath, [join(folder, "example.mts")], { stdio: "pipe" });
  const written = readFileSync(join(folder, "agent_memory/agent-1/notes/build.md"), "utf8");
  expect(written).toBe("Run the tests first.\nThen lint.\n");
});

/** The commands of a console example, as a script, and everything that it shows as their output. */
function sessionOf(example: string): { script: string; output: string } {
  const parts = [...example.matchAll(/^\$ ((?:.*[|\\]\n)*.*\n)((?:(?!\$ ).*\n)*)/gm)];
  return { script: parts.map(([, command]) => command).join(""), output: parts.map(([, , text]) => text).join("") };
}

it.skipIf(process.platform === "win32")(
  "CLI-1 the README's console examples print what they show, one after the other",
  async () => {
    const sessions = codeBlocks("console")
      .filter((example) => example.includes("npx recollect agent"))
      .map(sessionOf);
    expect(sessions).toHaveLength(2);
    const env = { RECOLLECT_APP_CACHE_DIR: scratchFolder() };
    for (const { script, output } of sessions) {
      const ours = script.replaceAll("npx recollect", '"$1" "$2"');
      const { out } = await runProcess("sh", ["-c", `exec 2>&1\n${ours}`, "sh", process.execPath, bin], { env });
      expect(out).toBe(output);
    }
  },
);

it("the README's client configuration is JSON that starts our server", async () => {
  const [configuration = "{}"] = codeBlocks("json");
  const { mcpServers } = JSON.parse(configuration);
  const [name, ...args] = mcpServers.recollect.args;
  expect([mcpServers.recollect.command, name]).toEqual(["npx", "recollect"]);
  const env = { RECOLLECT_APP_CACHE_DIR: scratchFolder() };
  expect(await cliProcess(args, { env })).toEqual({ code: 0, out: "", err: "" });
});

it("the README stays under 150 lines", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
});
