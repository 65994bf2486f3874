import type { TrailRecord } from "../../kernel/trail.ts";

/** The records of one operation: one alone, or all of a batch. */
export interface RecordGroup {
  readonly records: readonly TrailRecord[];
}

interface Node {
  readonly records: TrailRecord[];
  readonly time: number;
  readonly folders: Set<string>;
  isDone: boolean;
}

/**
 * Operations in the order in which they happened: as each folder's journal has it, and between folders by time.
 * Clocks may be wrong, so time never goes before a journal's order.
 */
export function orderRecords(records: readonly TrailRecord[]): RecordGroup[] {
  const queues = queuesOf(records);
  const ordered: RecordGroup[] = [];
  for (;;) {
    const heads = new Set([...queues.values()].flatMap((queue) => headOf(queue) ?? []));
    if (heads.size === 0) return ordered;
    const isReady = (node: Node) => [...node.folders].every((folder) => headOf(queues.get(folder) ?? noQueue) === node);
    const ready = [...heads].filter(isReady);
    // Batches whose journals contradict each other came from somebody else; then the earliest goes first.
    const next = earliest(ready.length > 0 ? ready : [...heads]);
    next.isDone = true;
    ordered.push({ records: next.records });
  }
}

interface Queue {
  readonly nodes: Node[];
  at: number;
}

const noQueue: Queue = { nodes: [], at: 0 };

function queuesOf(records: readonly TrailRecord[]): Map<string, Queue> {
  const queues = new Map<string, Queue>();
  const batches = new Map<string, Node>();
  for (const record of records) {
    const known = record.batch === undefined ? undefined : batches.get(record.batch);
    const node = known ?? { records: [], time: Date.parse(record.time) || 0, folders: new Set(), isDone: false };
    if (record.batch !== undefined) batches.set(record.batch, node);
    node.records.push(record);
    if (node.folders.has(record.folder)) continue;
    node.folders.add(record.folder);
    const queue = queues.get(record.folder);
    if (queue) queue.nodes.push(node);
    else queues.set(record.folder, { nodes: [node], at: 0 });
  }
  return queues;
}

function headOf(queue: Queue): Node | undefined {
  while (queue.nodes[queue.at]?.isDone) queue.at += 1;
  return queue.nodes[queue.at];
}

function earliest(nodes: readonly Node[]): Node {
  return nodes.reduce((first, node) => (node.time < first.time ? node : first));
}
