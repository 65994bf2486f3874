import type { Standing } from "./measure-contestant.ts";

export const peerHeadings = [
  "server",
  "version",
  "R@5 as asked",
  "R@5 word by word",
  "search p50 / p95 ms",
  "start ms",
  "lost writes",
  "installed MB",
  "tools",
  "schema tokens",
];

export interface PeerResult {
  readonly name: string;
  readonly version?: string;
  readonly megabytes?: number;
  readonly standing?: Standing;
  /** Why there are no figures. */
  readonly why?: string;
}

export function cellsOfPeer({ name, version = "", megabytes, standing }: PeerResult): string[] {
  const { asAsked, byWord, search, start, lost, tools, schemaTokens } = standing ?? {};
  const percent = (value: number | undefined) => (value === undefined ? "–" : `${value.toFixed(0)} %`);
  return [
    name,
    version,
    percent(asAsked),
    percent(byWord),
    search ? `${search.median.toFixed(1)} / ${search.p95.toFixed(1)}` : "–",
    start ? start.median.toFixed(0) : "–",
    lost ? `${lost.lost} of ${lost.acknowledged}` : "–",
    megabytes === undefined ? "–" : megabytes.toFixed(0),
    tools === undefined ? "–" : String(tools),
    schemaTokens === undefined ? "–" : String(schemaTokens),
  ];
}
