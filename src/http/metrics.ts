/** What is counted for Prometheus. No label holds what a client chose: neither paths nor names of credentials. */
export interface Metrics {
  answered(about: { readonly route: string; readonly status: number; readonly seconds: number }): void;
  /** As Prometheus reads it (text format 0.0.4). */
  render(gauges: Readonly<Record<string, number>>): string;
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

export function createMetrics({ version, now }: { readonly version: string; readonly now: () => number }): Metrics {
  const started = now() / 1000;
  const requests = new Map<string, number>();
  const durations = new Map<string, Histogram>();

  function durationLines(): string[] {
    return [...durations].flatMap(([route, { counts, sum, count }]) => {
      const name = "recollect_http_request_duration_seconds";
      const label = `route="${route}"`;
      return [
        ...buckets.map((limit, index) => `${name}_bucket{${label},le="${limit}"} ${counts[index] ?? 0}`),
        `${name}_bucket{${label},le="+Inf"} ${count}`,
        `${name}_sum{${label}} ${sum}`,
        `${name}_count{${label}} ${count}`,
      ];
    });
  }

  return {
    answered: ({ route, status, seconds }) => {
      const labels = `route="${route}",status="${status}"`;
      requests.set(labels, (requests.get(labels) ?? 0) + 1);
      const histogram = durations.get(route) ?? { counts: buckets.map(() => 0), sum: 0, count: 0 };
      durations.set(route, histogram);
      histogram.sum += seconds;
      histogram.count += 1;
      for (const [index, limit] of buckets.entries()) {
        if (seconds <= limit) histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
      }
    },
    render: (gauges) => {
      const { rss, heapUsed } = process.memoryUsage();
      const all = {
        ...gauges,
        process_resident_memory_bytes: rss,
        nodejs_heap_size_used_bytes: heapUsed,
        process_start_time_seconds: started,
      };
      return `${[
        "# TYPE recollect_build_info gauge",
        `recollect_build_info{version="${version}",node="${process.versions.node}"} 1`,
        "# TYPE recollect_http_requests_total counter",
        ...[...requests].map(([labels, count]) => `recollect_http_requests_total{${labels}} ${count}`),
        "# TYPE recollect_http_request_duration_seconds histogram",
        ...durationLines(),
        ...Object.entries(all).flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`]),
      ].join("\n")}\n`;
    },
  };
}
