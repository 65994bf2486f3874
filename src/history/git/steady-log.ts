import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { LogPage, LogRequest } from "../../kernel/root-history.ts";
import { parseToken, readLog } from "./read-log.ts";
import type { Git } from "./run-git.ts";

interface Opened {
  readonly tip: string;
  readonly git: Git;
}

const mostAttempts = 3;

/**
 * A page of the log. Whoever drops what is old, or purges a value, takes away what a reader began with: then it is read
 * anew, and nothing is called damaged. `open` gives nothing where nothing was recorded yet.
 */
export async function readSteadyLog(
  request: LogRequest,
  open: () => Opened | undefined,
  onDamage: () => void,
): Promise<LogPage> {
  for (let attempt = 1; ; attempt += 1) {
    const opened = open();
    if (!opened) return { operations: [], next: undefined };
    const { page, error, isDamaged } = await tryRead(request, opened);
    const isMoved = attempt < mostAttempts && open()?.tip !== opened.tip;
    if (isMoved && (isDamaged || error !== undefined)) continue;
    if (isDamaged) onDamage();
    if (page) return page;
    if (await isPageGone(request, opened.git)) throw pageGone();
    throw error;
  }
}

async function tryRead(request: LogRequest, { tip, git }: Opened) {
  let isDamaged = false;
  const noteDamage = () => {
    isDamaged = true;
  };
  try {
    const page = await readLog(request, tip, git, noteDamage);
    return { page, isDamaged };
  } catch (error) {
    if (!isRecollectError(error) || error.code !== "STORAGE_FAILED") throw error;
    return { error, isDamaged };
  }
}

async function isPageGone({ after }: LogRequest, git: Git): Promise<boolean> {
  return (
    after !== undefined && (await git.attempt(["cat-file", "-e", `${parseToken(after).from}^{commit}`])).code !== 0
  );
}

function pageGone(): RecollectError {
  return new RecollectError("CONFLICT", "History was rewritten since that page was read. Begin with the first one.");
}
