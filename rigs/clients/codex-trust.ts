import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message?: string };
}

interface ListedHooks {
  readonly data: readonly { readonly hooks: readonly { readonly key: string; readonly currentHash: string }[] }[];
}

/** Approves the hooks that Codex lists, by the calls with which its own `/hooks` screen does that. */
export async function trustCodexHooks(binary: string, project: string, env: NodeJS.ProcessEnv): Promise<void> {
  const server = spawn(binary, ["app-server"], { cwd: project, env, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface(server.stdout).on("line", (line) => {
    const answer = JSON.parse(line) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  const send = (message: object) => server.stdin.write(`${JSON.stringify(message)}\n`);
  const call = async (method: string, params: object): Promise<unknown> => {
    const id = waiting.size + 1;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    waiting.set(id, resolve);
    send({ id, method, params });
    const { result, error } = await promise;
    if (error) throw new Error(`Codex refused ${method}: ${error.message}`);
    return result;
  };
  try {
    await call("initialize", { clientInfo: { name: "rig", version: "1" } });
    send({ method: "initialized" });
    const { data } = (await call("hooks/list", { cwds: [project] })) as ListedHooks;
    const hooks = data.flatMap((listed) => listed.hooks);
    if (hooks.length === 0) return;
    const value = Object.fromEntries(hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]));
    const edits = [{ keyPath: "hooks.state", mergeStrategy: "upsert", value }];
    await call("config/batchWrite", { edits });
  } finally {
    server.kill();
  }
}
