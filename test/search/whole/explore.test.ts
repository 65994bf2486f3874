import { it } from "vitest";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { complete, pathsOf, searchWorld } from "./search-world.ts";
const folders = temporaryFolders();
it("list", async () => {
  const w = searchWorld(folders.make());
  const words = "kernel packet socket banana recipe violin orchestra galaxy telescope invoice tax football goalkeeper carpet paint engine piston dentist tooth".split(" ");
  for (let i = 0; i < 260; i++) {
    const body = Array.from({ length: 20 + (i % 30) }, (_, k) => words[(i * 7 + k * (3 + (i % 5))) % words.length]).join(" ");
    w.note(`n${i}.md`, `# ${words[i % words.length]} ${i}\n\n${body} harbour ${i % 3 ? "harbour" : ""}\n`);
  }
  const s = await (await w.open()).search();
  const seen: string[] = []; const totals: number[] = [];
  const deep = await complete(s, { query: "harbour", limit: 100, offset: 200 , explain: true });
  const first = await complete(s, { query: "harbour", limit: 100, offset: 0, explain: true });
  for (let offset = 0; offset < 300; offset += 20) { const p = await complete(s, { query: "harbour", limit: 20, offset }); seen.push(...pathsOf(p)); totals.push(p.total); }
  console.log(seen.length, new Set(seen).size, totals.join(), first.hits.filter((h) => h.explanation!.meaning > 0).length, deep.hits.length);
});
