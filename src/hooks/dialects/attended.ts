import { closeSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { attempt } from "../../kernel/attempt.ts";
import { type Fields, textOf } from "../fields.ts";

/** What is not known counts as unattended: a question in a script would change what the script prints. */
const beginningBytes = 4096;
const mostParents = 4;

/** The programs of Codex that a person sits at, as they name themselves; `codex_exec` and its SDKs are scripts. */
const codexOfPeople =
  /"originator"\s*:\s*"(?:codex_cli_rs|codex-tui|codex_vscode|codex_atlas|codex_chatgpt_desktop|Codex )/;
/** An SDK may run `codex exec` under the name of another program. */
const codexOfScripts = /"source"\s*:\s*"(?:exec|mcp)"/;

/** `codex exec` never asks for approval; the first line of a session's transcript names the program that began it. */
export function isCodexAttended(input: Fields): boolean {
  const transcript = textOf(input["transcript_path"]);
  if (transcript === "" || input["permission_mode"] === "bypassPermissions") return false;
  const beginning = beginningOf(transcript);
  return beginning !== undefined && codexOfPeople.test(beginning) && !codexOfScripts.test(beginning);
}

/**
 * Gemini CLI gives hooks the same input and environment in both modes. In a script, its prompts begin with what a hook
 * said at the start, or it was started with a prompt, within CI, or with its input or output not at a terminal.
 */
export function isGeminiAttended(input: Fields, env: NodeJS.ProcessEnv): boolean {
  if (env["CI"] === "true" || env["GITHUB_ACTIONS"] === "true") return false;
  if (textOf(input["prompt"]).trimStart().startsWith("<hook_context>")) return false;
  const client = findGemini();
  if (client === undefined) return false;
  return !/\s(?:-p|--prompt|-o|--output-format)(?:[\s=]|$)/.test(client.command) && client.hasTerminal();
}

interface ClientProcess {
  readonly command: string;
  /** Whether both its input and its output are a terminal: `gemini "…" | tee log` is a script. */
  hasTerminal(): boolean;
}

/** The client among the parents of this process: a checkout puts a process of its own between. */
function findGemini(): ClientProcess | undefined {
  let id = process.ppid;
  for (let at = 0; at < mostParents && id > 1; at += 1) {
    const found = process.platform === "linux" ? fromProc(id) : fromPs(id);
    if (found === undefined) return undefined;
    if (/\bgemini\b/.test(found.command) && !/\brecollect\S* hook\b/.test(found.command)) return found;
    id = found.parent;
  }
  return undefined;
}

function fromProc(id: number): (ClientProcess & { parent: number }) | undefined {
  return attempt(() => ({
    command: readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " "),
    hasTerminal: () => areTerminals([0, 1].map((stream) => attempt(() => readlinkSync(`/proc/${id}/fd/${stream}`)))),
    parent: Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]),
  }));
}

function fromPs(id: number): (ClientProcess & { parent: number }) | undefined {
  const said = outputOf("ps", ["-o", "ppid=,args=", "-p", String(id)]);
  const [parent = "", ...words] = said.trim().split(/\s+/);
  const streams = () => outputOf("lsof", ["-a", "-p", String(id), "-d", "0,1", "-Fn"]);
  return said === ""
    ? undefined
    : {
        command: words.join(" "),
        hasTerminal: () => areTerminals([...streams().matchAll(/^n(.*)$/gm)].map(([, name]) => name)),
        parent: Number(parent),
      };
}

function areTerminals([input = "", output = ""]: readonly (string | undefined)[]): boolean {
  return [input, output].every((name) => /^\/dev\/(?:pts\/|tty)/.test(name));
}

/** Empty where the program fails, or is not there. */
function outputOf(program: string, args: string[]): string {
  // Loading it takes as long as a whole event that needs no answer.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  return spawnSync(program, args, { encoding: "utf8", timeout: 500 }).stdout ?? "";
}

function beginningOf(file: string): string | undefined {
  return attempt(() => {
    const descriptor = openSync(file, "r");
    try {
      const bytes = Buffer.alloc(beginningBytes);
      return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, beginningBytes, 0));
    } finally {
      closeSync(descriptor);
    }
  });
}
