import { AgentMemoryService } from "../../../src/app.ts";

// Started by append.test.ts as a process of its own: appends records that say who wrote them.
const [folder = "", worker = "", records = "0"] = process.argv.slice(2);
const memory = new AgentMemoryService(folder);
for (let record = 0; record < Number(records); record += 1) {
  await memory.appendToMemoryFile("shared", "log.md", `${worker}:${record}:${"x".repeat(40 + record)}\n`);
}
await memory.close();
