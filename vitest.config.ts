import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/helpers/shared-postgres.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    // Loading the sources anew for each of hundreds of files is a fifth of the whole run. They keep no state, and tests
    // leave none behind.
    isolate: false,
  },
});
