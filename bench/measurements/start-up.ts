import { spawn } from "node:child_process";
import { once } from "node:events";
import { interleave, type Subject } from "../interleave.ts";
import type { Measurement, Row } from "../measurement.ts";
import { ourCommand, peerCommand } from "../peers/commands.ts";
import { connect, type ServerCommand, type StdioClient } from "../peers/stdio-client.ts";
import { type Summary, summarize } from "../statistics.ts";
import { withWorkFolder } from "../work-folder.ts";

const rounds = { warmUp: 3, measured: 25 };

/** From the start of the process to the first answer to `tools/list`, as a client goes there. */
export const startUp: Measurement = {
  name: "start-up",
  run: (context) => {
    const peers = context.peers();
    return withWorkFolder(async (folder) => {
      const started: StdioClient[] = [];
      const subjects: Record<string, Subject> = {
        node: runNothing,
        ours: () => listTools(ourCommand(folder), started),
      };
      for (const peer of peers) subjects[peer.name] = () => listTools(peerCommand(peer, folder), started);
      // Ending a server is not part of its start, so it happens between two measurements.
      const times = await interleave(subjects, rounds, () => closeAll(started));
      const { ours, node } = times;
      if (!ours || !node) throw new Error("nothing was measured");
      const row = (name: string, { median, p90 }: Summary, limit?: number): Row => ({
        measurement: "start to the first tools/list answer",
        unit: "ms",
        ours: ours.median,
        p90: ours.p90,
        reference: { name, value: median, p90 },
        ...(limit === undefined ? {} : { limit }),
      });
      return [
        { ...row("node -e 0", node, 5), details: times },
        ...peers.map(({ name, version }) =>
          row(`${name} ${version}`, times[name] ?? summarize([]), name === "server-memory" ? 0.75 : undefined),
        ),
      ];
    });
  },
};

async function runNothing(): Promise<void> {
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
}

async function listTools(command: ServerCommand, started: StdioClient[]): Promise<void> {
  const client = await connect(command);
  started.push(client);
  const { error } = await client.request("tools/list");
  if (error) throw new Error(error.message);
}

async function closeAll(clients: StdioClient[]): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.close()));
}
