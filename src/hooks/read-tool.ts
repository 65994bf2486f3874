import type { ToolEvent } from "./event.ts";
import { fieldsOf, textOf, wordsOf } from "./fields.ts";

const shells: ReadonlySet<string> = new Set(
  "Bash Shell bash shell local_shell exec_command run_shell_command".split(" "),
);
const editors: ReadonlySet<string> = new Set(
  "Edit MultiEdit Write NotebookEdit StrReplace apply_patch edit edit_file patch replace search_replace write write_file".split(
    " ",
  ),
);
/**
 * Clients put their own words before the name of a server's tool, such as `mcp__recollect__search_memory`. Other
 * servers have tools with the names of some of ours; Cursor does not say whose a tool is, so there only those that
 * Serena, the usual neighbour, has not are ours.
 */
const memoryTool =
  /(?:recollect.*?[_:.-]|^MCP:(?=search_|store_in_|append_|recall_))([a-z]+(?:_to)?_(?:in_)?memory|recall_context)$/;
const patchedFile = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

export interface RawTool {
  readonly name: string;
  readonly input: unknown;
  readonly output: unknown;
  /** Undefined where the client does not tell failure from success. */
  readonly hasFailed: boolean | undefined;
}

/** A call of a tool, reduced to what recall and capture tell apart. */
export function readTool({ name, input, output, hasFailed }: RawTool): Omit<ToolEvent, "session" | "cwd" | "subagent"> {
  const given = fieldsOf(input);
  const ours = memoryTool.exec(name)?.[1];
  const tool = ours ? "memory" : shells.has(name) ? "shell" : editors.has(name) ? "edit" : "other";
  return {
    kind: "tool",
    tool,
    command: tool === "shell" ? commandOf(given["command"] ?? given["cmd"]) : "",
    files: tool === "edit" ? filesOf(given) : [],
    ...(ours === undefined ? {} : { memoryTool: ours, query: textOf(given["query"]) }),
    hasFailed,
    output: wordsOf(output),
  };
}

/** Some clients give the words of a command one by one, behind the shell that runs them. */
function commandOf(command: unknown): string {
  if (!Array.isArray(command)) return textOf(command);
  const words = command.map(textOf);
  return /^(?:ba|z)?sh$/.test(words[0]?.split("/").at(-1) ?? "") ? (words.at(-1) ?? "") : words.join(" ");
}

function filesOf(input: Readonly<Record<string, unknown>>): string[] {
  const named = ["file_path", "filePath", "path", "notebook_path", "target_file"].map((key) => textOf(input[key]));
  const patch = textOf(input["patch"] ?? input["input"] ?? input["command"] ?? input["patchText"]);
  const patched = [...patch.matchAll(patchedFile)].map(([, file = ""]) => file.trim());
  return [...new Set([...named, ...patched])].filter((file) => file !== "");
}
