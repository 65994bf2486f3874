import { appendLine, counted, readLines } from "../app.ts";
import { fieldsOf } from "./fields.ts";
import type { HookHost } from "./hook-host.ts";
import type { HookMemory } from "./hook-memory.ts";

/** Said once a week in a project whose notes are not recalled, since they came from a stranger. */
export async function untrustedNotice(memory: HookMemory, host: HookHost): Promise<string | undefined> {
  if (memory.isTrusted || memory.subject === undefined) return undefined;
  const file = host.folder.file("project", memory.subject);
  const isTold = (value: unknown): value is unknown => fieldsOf(value)["t"] === "untrusted";
  if (readLines(file, isTold).length > 0) return undefined;
  const notes = await memory.countForeign();
  if (notes === 0) return undefined;
  appendLine(file, { t: "untrusted" });
  const them = notes === 1 ? "it" : "them";
  return `Recollect: this project has ${counted(notes, "note")}. Run \`recollect trust\` to let ${them} be recalled.`;
}
