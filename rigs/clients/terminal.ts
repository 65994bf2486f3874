import { execFileSync, spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { NeverCame } from "./assertion.ts";

/** A client as a person has it before them. */
export interface Terminal {
  /** Types a prompt and sends it. */
  enter(text: string): Promise<void>;
  /** What the screen shows once it shows this; throws where it does not within a minute. */
  waitFor(sight: RegExp): Promise<string>;
  close(): void;
}

interface TerminalOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const patienceMs = 60_000;
const settledMs = 3000;
let opened = 0;

export function openTerminal(command: readonly string[], options: TerminalOptions): Terminal {
  opened += 1;
  const socket = `recollect-rig-${process.pid}-${opened}`;
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], { ...options, encoding: "utf8" });
  tmux("new-session", "-d", "-x", "180", "-y", "50", ...command);
  const screen = () => tmux("capture-pane", "-p", "-J");
  const client = Number(tmux("list-panes", "-F", "#{pane_pid}"));
  return {
    enter: async (text) => {
      // Its screen is there before it listens, and what comes too quickly it takes for something pasted.
      await sleep(settledMs);
      tmux("send-keys", "-l", text);
      await sleep(settledMs);
      tmux("send-keys", "Enter");
    },
    waitFor: async (sight) => {
      const end = Date.now() + patienceMs;
      while (Date.now() < end) {
        const shown = screen();
        if (sight.test(shown)) return shown;
        await sleep(200);
      }
      throw new NeverCame(`The screen never showed ${sight}:\n${screen().trim()}`);
    },
    close: () => {
      spawnSync("tmux", ["-L", socket, "kill-server"], options);
      // Some clients outlive their terminal, with the servers that they started. It is the leader of its own group.
      try {
        process.kill(-client, "SIGKILL");
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
      }
    },
  };
}
