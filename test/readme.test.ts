import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { settingKeys, settingOf } from "../src/app.ts";
import { scratchFolder } from "./backends/files/scratch.ts";
import { bin } from "./helpers/checkout.ts";
import { cliProcess, runProcess } from "./helpers/cli.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

function codeBlocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, code]) => code ?? "");
}

it("LIB-1 the README's example of the library runs as it is printed", () => {
  const folder = scratchFolder();
  const [example = ""] = codeBlocks("ts");
  const library = new URL("../src/app.ts", import.meta.url).href;
  const program = example
    .replace('"recollect"', JSON.stringify(library))
    .replace('"/home/ada/shop"', JSON.stringify(folder));
  writeFileSync(join(folder, "example.mts"), program);
  const env = { ...process.env, HOME: folder };
  const out = execFileSync(process.execPath, [join(folder, "example.mts")], { stdio: "pipe", env, encoding: "utf8" });
  expect(out).toBe("build Run the tests first.\n");
  const written = readFileSync(join(folder, ".serena/memories/build.md"), "utf8");
  expect(written).toBe("Run the tests first.\nThen lint.");
});

/** The commands of a console example, as a script, and everything that it shows as their output. */
function sessionOf(example: string): { script: string; output: string } {
  const parts = [...example.matchAll(/^\$ ((?:"[^"]*"|\\\n|[^"\n])*\n)((?:(?!\$ ).*\n)*)/gm)];
  return { script: parts.map(([, command]) => command).join(""), output: parts.map(([, , text]) => text).join("") };
}

it.skipIf(process.platform === "win32")("CLI-1 the README's console example prints what it shows", async () => {
  const example = codeBlocks("console").find((code) => code.includes("memories write")) ?? "";
  const { script, output } = sessionOf(example);
  const [home, project] = [scratchFolder(), scratchFolder()];
  mkdirSync(join(project, ".git"));
  const ours = `cd ${JSON.stringify(project)}\n${script.replaceAll(/^recollect/gm, '"$1" "$2"')}`;
  const { out } = await runProcess("sh", ["-c", `exec 2>&1\n${ours}`, "sh", process.execPath, bin], {
    env: { HOME: home },
  });
  expect(out).toBe(output);
});

it("the README's client configuration is JSON that starts our server", async () => {
  const [configuration = "{}"] = codeBlocks("json");
  const { mcpServers } = JSON.parse(configuration);
  const [name, ...args] = mcpServers.recollect.args;
  expect([mcpServers.recollect.command, name]).toEqual(["npx", "recollect"]);
  const env = { HOME: scratchFolder() };
  expect(await cliProcess(args, { env })).toEqual({ code: 0, out: "", err: "" });
});

it("the README stays under 150 lines", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
});

it("CFG-1 the guide names every setting with its flags and its variable", () => {
  const guide = readFileSync(new URL("../docs/GUIDE.md", import.meta.url), "utf8");
  for (const key of settingKeys) {
    const { env, flags } = settingOf(key);
    const row = guide.split("\n").find((line) => line.startsWith(`| \`${key}\` `)) ?? "";
    expect(row).toContain(env);
    for (const { name } of flags) expect(row).toContain(`\`${name}\``);
  }
});
