import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { binaryOf, type ClientRow, type Place } from "./client-rows.ts";
import { type FakeModel, openFakeModel } from "./fake-model.ts";
import type { ModelRequest, ModelScript } from "./model-script.ts";
import { type Ended, runToEnd } from "./run-to-end.ts";

/** What the rig runs: the clients' programs, and one build of Recollect. */
export interface Tools {
  /** The folder into which npm installed the clients. */
  readonly prefix: string;
  readonly program: string;
}

export interface AskOptions {
  /** In the session of the prompt before. */
  readonly isContinued?: boolean;
  /** As programs start the client: it prints one JSON document a line. */
  readonly isStreamed?: boolean;
  /** What the model plays; otherwise it says “Done.” */
  readonly script?: ModelScript;
  readonly project?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface Asked extends Ended {
  readonly requests: readonly ModelRequest[];
}

/** A home and a project in which clients are set up as a user would do it. */
export interface ClientWorld {
  readonly place: Place;
  readonly model: FakeModel;
  readonly program: string;
  /** `recollect init` for these clients, and the steps that it leaves to the user. */
  setUp(...rows: readonly ClientRow[]): Promise<void>;
  /** One prompt, unattended. */
  ask(row: ClientRow, prompt: string, options?: AskOptions): Promise<Asked>;
  recollect(...args: readonly string[]): Promise<Ended>;
  /** Writes a file of the project. */
  put(path: string, text: string, mode?: number): void;
  envOf(row: ClientRow): NodeJS.ProcessEnv;
  close(): Promise<void>;
}

export async function openWorld({ prefix, program }: Tools): Promise<ClientWorld> {
  const base = mkdtempSync(join(tmpdir(), "recollect-client-"));
  const [home, project] = [join(base, "home"), join(base, "project")];
  for (const folder of [home, project]) mkdirSync(folder);
  execFileSync("git", ["init", "-q", project]);
  const model = await openFakeModel();
  const place = { home, project, model: model.origin, prefix };
  // Nothing of the machine's own settings; the program that `init` names is that of the build under test.
  const env = {
    PATH: `${join(process.execPath, "..")}:${process.env["PATH"]}`,
    HOME: home,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
  };
  const envOf = (row: ClientRow) => ({ ...env, ...row.env(place) });
  const recollect = (...args: readonly string[]) =>
    runToEnd(process.execPath, [program, ...args], { cwd: project, env });
  return {
    place,
    model,
    program,
    setUp: async (...rows) => {
      for (const row of rows) row.prepare(place);
      const { code, out, err } = await recollect("init", ...rows.flatMap(({ id }) => ["--client", id]), "--yes");
      if (code !== 0) throw new Error(`init ended with ${code}: ${out}${err}`);
      for (const row of rows) await row.trust(place, envOf(row));
    },
    ask: async (
      row,
      prompt,
      { isContinued = false, isStreamed = false, script, project: folder = project, env: extra } = {},
    ) => {
      const from = model.requests.length;
      model.play(script ?? (() => ({ text: "Done." })));
      const binary = binaryOf(row, prefix);
      const { args, input } = isStreamed ? row.streamed(prompt) : { args: row.printed(prompt, isContinued) };
      const ended = await runToEnd(binary, args, { cwd: folder, env: { ...envOf(row), ...extra }, input });
      return { ...ended, requests: model.requests.slice(from) };
    },
    recollect,
    put: (path, text, mode = 0o644) => {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text, { mode });
    },
    envOf,
    close: async () => {
      await model.close();
      rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
