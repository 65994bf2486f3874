import { closeSync, cpSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { it } from "vitest";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { openWorkspace } from "../../../src/workspace/workspace.ts";
import { answersOf } from "./rebuild.ts";
import { databasesIn, searchWorld } from "./search-world.ts";
const folders = temporaryFolders();
import { DatabaseSync } from "node:sqlite";
import { join, basename } from "node:path";
import { writeFileSync } from "node:fs";
function tables(f: string) { const d = new DatabaseSync(f); const o: Record<string, string[]> = {}; for (const t of ["meta", "documents", "folders", "segments", "dead"]) o[t] = d.prepare(`SELECT * FROM ${t}`).all().map((r) => JSON.stringify(r).slice(0,200)); d.close(); return o; }
function diff(keep: string, file: string, bytes: Buffer, at: number, bit: number) { const a = join(folders.make(), "a"); const b = join(folders.make(), "b"); writeFileSync(a, bytes); const c = Buffer.from(bytes); c[at]! ^= 1 << bit; writeFileSync(b, c); const [x, y] = [tables(a), tables(b)]; let out = ""; for (const t of Object.keys(x)) x[t]!.forEach((r, i) => { if (r !== y[t]![i]) out += `${t}: ${r} -> ${y[t]![i]} `; }); for (const t of Object.keys(x)) if (x[t]!.length !== y[t]!.length) out += `${t} rows ${x[t]!.length}->${y[t]!.length} `; return out; }
it("flips", async () => {
  const w = searchWorld(folders.make(), "search: { recency_weight: 0, meaning: false }\n");
  const words = ["deploy", "kafka queue", "invoice", "retry", "größe", "记忆", "production", "service"];
  for (let i = 0; i < 60; i++) w.note(`a/n${i}.md`, `# About ${words[i % 8]} ${i}\n\nThe ${words[(i * 3) % 8]} and ${words[(i * 5 + 1) % 8]}.\n\n## More\n\n${words[(i * 7) % 8]} deploy\n`);
  const open = () => openWorkspace({ project: w.project, home: w.home, env: {} });
  let ws = await open(); await answersOf(await ws.search());
  // several segments and dead units
  for (let i = 0; i < 12; i++) { await ws.memories.write(`a/n${i}`, `# Changed ${i}\n\ndeploy ${words[i % 8]}\n`); await (await ws.search()).search({ query: "deploy" }); }
  await new Promise((r) => setTimeout(r, 80));
  const right = JSON.stringify(await answersOf(await ws.search())); await ws.close();
  const keep = folders.make(); cpSync(w.cache, keep, { recursive: true });
  let seed = 7; const random = (n: number) => { seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff; return (seed >>> 8) % n; };
  const bad: string[] = []; let ok = 0;
  const end = Date.now() + 50000;
  for (let k = 0; k < 400 && Date.now() < end; k++) {
    rmSync(w.cache, { recursive: true }); cpSync(keep, w.cache, { recursive: true });
    const file = databasesIn(w).sort((a, b) => statSync(b).size - statSync(a).size)[0]!;
    const bytes = readFileSync(file); let at = random(bytes.length); for (let t = 0; t < 200 && bytes[at] === 0; t++) at = random(bytes.length);
    const bit = random(8); const fd = openSync(file, "r+"); writeSync(fd, Buffer.of(bytes[at]! ^ (1 << bit)), 0, 1, at); closeSync(fd);
    ws = await open();
    try { const got = JSON.stringify(await answersOf(await ws.search())); if (got !== right) bad.push(diff(keep, file, bytes, at, bit) + `${at}:${bit} differs (page ${Math.floor(at / 4096)}, of ${bytes.length / 4096})`); else ok++; }
    catch (e) { bad.push(`${at}:${bit} ${String(e).slice(0, 200)}`); }
    await ws.close();
  }
  console.log(ok, bad.length, bad.slice(0, 40).join("\n"));
}, 120000);
