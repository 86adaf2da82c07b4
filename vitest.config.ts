// One project per kind of test; `npm test` runs them one after another with a progress line each.
import { defineConfig } from "vitest/config";
import { SUITES, WORKERS } from "./tools/src/suites.ts";

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    projects: SUITES.map(({ name, include, exclude, timeoutMs }) => ({
      test: {
        name,
        include: [...include],
        exclude: [...exclude],
        environment: "node",
        testTimeout: timeoutMs,
        hookTimeout: timeoutMs,
        maxWorkers: WORKERS,
        // What is waited for comes at once or never; a busy machine only makes it come later.
        expect: { poll: { timeout: 30_000, interval: 50 } },
      },
    })),
  },
});
