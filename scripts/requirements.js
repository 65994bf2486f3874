// Lists the requirement ids that this project has built, and those that no test cites in its name.
// With --check it fails where one is uncited, or where a test cites an id that is not on the list.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = JSON.parse(readFileSync(`${root}/scripts/requirements.json`, "utf8"));
const idPattern =
  /\b(?:KER|MEM|BANK|TOP|AGT|SRCH|HIST|GUARD|MCP|CLI|CFG|LIB|WEB|PG|USE|HOST|ONE|TRUE|REV|FILE|DIST|WORD|DASH)-[0-9]+b?\b/g;
const namePattern = /\b(?:it|test|describe)(?:\.[a-zA-Z]+(?:\([^)]*\))?)*\(\s*(["'`])((?:(?!\1).)*)\1/gs;

const cited = new Map();
for (const file of globSync("test/**/*.ts", { cwd: root })) {
  for (const [, , name] of readFileSync(`${root}/${file}`, "utf8").matchAll(namePattern)) {
    for (const [id] of name.matchAll(idPattern)) cited.set(id, [...(cited.get(id) ?? []), file]);
  }
}

const ids = Object.keys(built);
const uncited = ids.filter((id) => !cited.has(id));
const unknown = [...cited.keys()].filter((id) => !ids.includes(id));
for (const id of ids) console.log(`${id.padEnd(8)} ${String(cited.get(id)?.length ?? 0).padStart(3)}  ${built[id]}`);
console.log(`\n${ids.length - uncited.length} of ${ids.length} built requirements are cited by a test.`);
if (uncited.length > 0) console.log(`Uncited: ${uncited.join(", ")}`);
if (unknown.length > 0) console.log(`Cited but not listed as built: ${unknown.join(", ")}`);
if (process.argv.includes("--check") && uncited.length + unknown.length > 0) process.exitCode = 1;
