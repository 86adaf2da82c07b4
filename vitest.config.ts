// One project per kind of test; `npm test` runs them one after another with a progress line each.
import { defineConfig } from "vitest/config";
import { SUITES } from "./tools/src/suites.ts";

export default defineConfig({
  test: {
    projects: SUITES.map(({ name, include, exclude, timeoutMs, isSerial }) => ({
      test: {
        name,
        include: [...include],
        exclude: [...exclude],
        environment: "node",
        testTimeout: timeoutMs,
        hookTimeout: timeoutMs,
        fileParallelism: !isSerial,
      },
    })),
  },
});
