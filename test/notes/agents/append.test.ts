import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentMemoryService } from "../../../src/app.ts";
import { runProcess } from "../../helpers/cli.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { workerScript } from "../../helpers/worker-script.ts";

const folders = temporaryFolders();
const worker = workerScript("./append-worker.ts", import.meta.url);
const [workers, records] = [4, 50];

describe("AGT-5 append", () => {
  it("AGT-5 from 4 processes, 50 records each, gives 200 whole records, in order for each process", async () => {
    const folder = folders.make();
    const names = Array.from({ length: workers }, (_, index) => `worker${index}`);
    const ended = await Promise.all(
      names.map((name) => runProcess(process.execPath, [worker, folder, name, String(records)])),
    );
    expect(ended.map(({ code, err }) => [code, err])).toEqual(names.map(() => [0, ""]));
    const memory = new AgentMemoryService(folder);
    const lines = (await memory.readMemoryFile("shared", "log.md")).split("\n").slice(0, -1);
    await memory.close();
    expect(lines).toHaveLength(workers * records);
    // Agents have no history that would take over what was superseded: 200 times the text would lie there.
    const beside = readdirSync(join(folder, "agent_memory", "shared", ".recollect"));
    expect(beside.filter((name) => name.startsWith("kept-"))).toEqual([]);
    for (const name of names) {
      const expected = Array.from({ length: records }, (_, record) => `${name}:${record}:${"x".repeat(40 + record)}`);
      expect(lines.filter((line) => line.startsWith(`${name}:`))).toEqual(expected);
    }
  });
});

describe("KER-6b what an agent wrote over", () => {
  it("KER-6b does not stay, nor what an earlier version left of it, while the journal tells what changed last", async () => {
    const folder = folders.make();
    const auxiliary = join(folder, "agent_memory", "one", ".recollect");
    const memory = new AgentMemoryService(folder);
    await memory.writeMemoryFile("one", "a.md", "first\n");
    writeFileSync(join(auxiliary, `kept-${"0".repeat(32)}`), "former\n");
    for (let round = 0; round < 60; round += 1) {
      await memory.writeMemoryFile("one", "b.md", `${round}\n`);
    }
    await memory.close();
    const names = readdirSync(auxiliary);
    expect(names.filter((name) => name.startsWith("kept-") || /^journal-\d/.test(name))).toEqual([]);
    expect(readFileSync(join(auxiliary, "journal"), "utf8").trim().split("\n").length).toBeGreaterThan(60);
  });

  it("KER-6b fails no write that is in its place where it cannot be taken away", async () => {
    const folder = folders.make();
    const memory = new AgentMemoryService(folder);
    await memory.writeMemoryFile("one", "a.md", "first\n");
    mkdirSync(join(folder, "agent_memory", "one", ".recollect", "kept-by-somebody-else"));
    await memory.appendToMemoryFile("one", "a.md", "second\n");
    expect(await memory.readMemoryFile("one", "a.md")).toBe("first\nsecond\n");
    await memory.close();
  });
});

describe.each(documentStores)("PG-1 AGT-5 append on $name", (stores) => {
  it("AGT-5 from many callers and two clients keeps every record", async () => {
    const { store, another } = await stores.open([{ name: "agent_memory" }]);
    const clients = [store, another()].map((one) => new AgentMemoryService("/nowhere", { store: one }));
    const texts = Array.from({ length: 60 }, (_, index) => `record ${index}\n`);
    await Promise.all(texts.map((text, index) => clients[index % 2]?.appendToMemoryFile("agent-1", "log.md", text)));
    const lines = (await clients[0]?.readMemoryFile("agent-1", "log.md"))?.split(/(?<=\n)/);
    expect(lines?.toSorted()).toEqual(texts.toSorted());
  });
});
