import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface NpmOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** What it says, for when it fails. */
  readonly onText: (text: string) => void;
}

/** Runs npm in a folder and gives its exit code; rejects where it cannot be started, or was stopped. */
export function runNpm(args: readonly string[], folder: string, options: NpmOptions): Promise<number> {
  const { program, first } = npmOf(options);
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...args], {
      cwd: folder,
      env: ownSettings(options.env),
      signal: options.signal,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.setEncoding("utf8").on("data", options.onText);
    child.once("error", reject).once("close", (code) => resolve(code ?? 1));
  });
}

/** On Windows npm is a script of the shell, which Node does not start: its own file is run instead. */
function npmOf({ env, platform }: NpmOptions): { readonly program: string; readonly first: readonly string[] } {
  if (platform !== "win32") return { program: "npm", first: [] };
  const search = (env["PATH"] ?? env["Path"] ?? "").split(delimiter);
  const file = search
    .map((place) => join(place, "node_modules", "npm", "bin", "npm-cli.js"))
    .find((path) => existsSync(path));
  return file === undefined ? { program: "npm", first: [] } : { program: process.execPath, first: [file] };
}

/** Whoever started us with npx or npm run gave us what their project's .npmrc says, which a clone can bring. */
function ownSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env["npm_execpath"] === undefined) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name)));
}

const meanings: readonly (readonly [RegExp, string])[] = [
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/,
    "The registry cannot be reached: is there a network?",
  ],
  [/\b(ENOSPC|EDQUOT)\b/, "There is no space left on the disk."],
  [/\bEINTEGRITY\b/, "What the registry sent is not what was published: it was thrown away."],
  [/\bE40[13]\b/, "The registry refuses: look at your ~/.npmrc."],
  [/\bE404\b/, "The registry does not have it: look at your ~/.npmrc."],
];

/** What npm meant, in our words where we know them, in its own last ones otherwise. */
export function whyNpmFailed(said: string): string {
  const known = meanings.find(([pattern]) => pattern.test(said))?.[1];
  if (known !== undefined) return known;
  const lines = said.split("\n").filter((line) => /^npm (ERR!|error)/.test(line) && !/ log /.test(line));
  return lines.length === 0 ? "" : `npm says: ${lines.slice(0, 3).join(" ").slice(0, 300)}`;
}
