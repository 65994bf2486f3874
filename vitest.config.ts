import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Begun first, while a worker is small: to start a process costs several times as much once it holds half a gigabyte.
 * They are among the slowest, too, so that no worker is left alone with one of them at the end.
 */
const startsGitOften = [
  "notes/agents/cache-in-roots",
  "notes/bank/gitignore",
  "cli/(?!embeddings)",
  "fixtures/",
  "history/",
  "http/api/(conflicts|hostile)",
  "sync/",
  "notes/topics/(external|move-over)",
  "roots/foreign-topics",
  "workspace/hidden-folders",
];
const startsProcesses = [
  "cli/embeddings",
  "e2e/",
  "http/dashboard/decided-by-sync",
  "mcp/(authors|resources)",
  "notes/memories/concurrency",
  "care/migrate/",
  "backends/files/(exclusion|plain-roots|recovery)",
  "notes/topics/(concurrency|killed-store|move-entries)",
];

/** Slow for their size, by which vitest orders files as long as it has not seen them run. */
const slow = [
  "attacks/hostile-paths",
  "contract/postgres",
  "guard/hostile",
  "http/dashboard/",
  "notes/memories/regex-runner",
  "search/index/staying-reader",
  "search/whole/(broken-table|equals-rebuild)",
  "search/service/(build-elsewhere|index-thread)",
  "settings/workspace-trust",
];

const order = [startsGitOften, startsProcesses, slow].map((names) => new RegExp(`/test/(${names.join("|")})`));

class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = order.findIndex((names) => names.test(moduleId));
      return found < 0 ? order.length : found;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/helpers/quick-folder.ts", "test/helpers/shared-postgres.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // The processes beside the workers need the processors: threads of V8's own in each worker cost more than they bring.
    execArgv: ["--v8-pool-size=1"],
    // One more than processors: a fifth of the time, both of two would wait for other processes and for the disk.
    maxWorkers: 3,
    // Loading the sources anew for each of hundreds of files is a fifth of the whole run. They keep no state, and tests
    // leave none behind.
    isolate: false,
    // Half of a short process that runs the sources goes into taking the types off them, each time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "recollect-tests") },
    sequence: { sequencer: HeavyFirst },
    // How soon is for benchmarks to say: a busy machine is none of the tests' business.
    expect: { poll: { timeout: 20_000 } },
  },
});
