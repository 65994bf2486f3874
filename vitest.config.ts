import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Slow for their size, by which vitest orders files as long as it has not seen them run: begun first, so that no worker is
 * left alone with one of them at the end.
 */
const slow = [
  "guard/hostile",
  "history/verify-corruptions",
  "http/dashboard/everybody",
  "http/dashboard/slow-notes",
  "http/dashboard/many-memories",
  "workspace/build-elsewhere",
  "workspace/workspace-trust",
  "memories/concurrency",
  "memories/regex-runner",
  "stores/files/exclusion",
  "search/whole/broken-table",
  "search/whole/equals-rebuild",
  "search/index/staying-reader",
  "topics/concurrency",
  "sync/killed-syncs",
  "contract/postgres",
].map((name) => `/test/${name}.test.ts`);

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/helpers/shared-postgres.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // One more than processors: a fifth of the time, both of two would wait for other processes and for the disk.
    maxWorkers: 3,
    // Loading the sources anew for each of hundreds of files is a fifth of the whole run. They keep no state, and tests
    // leave none behind.
    isolate: false,
    // Half of a short process that runs the sources goes into taking the types off them, each time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "recollect-tests") },
    sequence: { sequencer: SlowFirst },
    // How soon is for benchmarks to say: a busy machine is none of the tests' business.
    expect: { poll: { timeout: 20_000 } },
  },
});
