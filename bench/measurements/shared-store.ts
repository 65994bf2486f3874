import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Measurement, Row } from "../measurement.ts";
import type { Peer } from "../peers/install.ts";
import { connect } from "../peers/stdio-client.ts";
import { fileSystemWorkload, memoryWorkload, ourWorkload, type Workload } from "../peers/workloads.ts";
import { type Summary, summarize } from "../statistics.ts";
import { withWorkFolder } from "../work-folder.ts";

const clients = 2;
const writesEach = 100;

interface Result {
  readonly name: string;
  readonly acknowledged: number;
  readonly kept: number;
  readonly write: Summary;
  readonly read: Summary;
}

/** Two clients with a server each on one store, as two windows of an editor are: what was acknowledged, what is kept. */
export const sharedStore: Measurement = {
  name: "shared-store",
  run: (context) => {
    const peers = context.peers();
    return withWorkFolder(async (folder) => {
      const ours = await measure(ourWorkload(inside(folder, "ours")));
      const others: Result[] = [];
      for (const peer of peers) others.push(await measure(workloadOf(peer, inside(folder, peer.name))));
      return [lossRow(ours), ...others.flatMap((other) => peerRows(ours, other))];
    });
  },
};

function inside(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

function workloadOf(peer: Peer, folder: string): Workload {
  return peer.name === "server-memory" ? memoryWorkload(peer, folder) : fileSystemWorkload(peer, folder);
}

async function measure(workload: Workload): Promise<Result> {
  const servers = await Promise.all(Array.from({ length: clients }, () => connect(workload.command)));
  try {
    const [first] = servers;
    if (!first) throw new Error("no server");
    await workload.prepare(first);
    const writes: number[] = [];
    const reads: number[] = [];
    let acknowledged = 0;
    await Promise.all(
      servers.map(async (server, client) => {
        for (let number = 0; number < writesEach; number += 1) {
          const start = performance.now();
          // A write that is refused is no loss: its client knows.
          if (await workload.write(server, `entry-${client}-${number}.`).then(yes, no)) acknowledged += 1;
          writes.push(performance.now() - start);
        }
      }),
    );
    for (let number = 0; number < writesEach; number += 1) {
      const start = performance.now();
      await workload.read(first);
      reads.push(performance.now() - start);
    }
    const text = await workload.read(first);
    const kept = new Set(text.match(/entry-\d+-\d+\./g)).size;
    return { name: workload.name, acknowledged, kept, write: summarize(writes), read: summarize(reads) };
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

function lossRow(result: Result): Row {
  return {
    measurement: `${result.acknowledged} writes of two clients acknowledged by ours`,
    unit: "lost",
    ours: result.acknowledged - result.kept,
    limit: 0,
    details: { ...result },
  };
}

function peerRows(ours: Result, peer: Result): Row[] {
  const latency = (measurement: string, { median, p90 }: Summary, other: Summary): Row => ({
    measurement,
    unit: "ms",
    ours: median,
    p90,
    reference: { name: peer.name, value: other.median, p90: other.p90 },
  });
  return [
    {
      measurement: `${peer.acknowledged} writes acknowledged by ${peer.name}`,
      unit: "lost",
      ours: ours.acknowledged - ours.kept,
      reference: { name: peer.name, value: peer.acknowledged - peer.kept },
      details: { ...peer },
    },
    latency("a write, two clients at once", ours.write, peer.write),
    latency("a read afterwards", ours.read, peer.read),
  ];
}

const yes = () => true;
const no = () => false;
