import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
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

it("the README's client configuration is JSON that starts our server", () => {
  const [configuration = "{}"] = codeBlocks("json");
  const { mcpServers } = JSON.parse(configuration);
  expect(mcpServers.recollect.args.slice(0, 2)).toEqual(["recollect", "start-mcp-server"]);
});

it("the README stays under 150 lines", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
});
