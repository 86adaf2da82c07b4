import { defineConfig } from "vitest/config";

// One project per kind of test; `npm test` runs them one after another with a progress line each.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{kit,core,domains,ui,tools,apps/web,apps/server}/src/**/*.test.{ts,tsx}"],
          exclude: ["**/*.slice.test.ts", "**/node_modules/**"],
          environment: "node",
        },
      },
      {
        test: {
          name: "slice",
          include: ["{domains,apps/server}/src/**/*.slice.test.ts"],
          environment: "node",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: "sim", include: ["sim/src/**/*.test.ts"], environment: "node", testTimeout: 300_000 } },
      {
        test: {
          name: "browser",
          include: ["e2e/src/**/*.test.ts"],
          environment: "node",
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
