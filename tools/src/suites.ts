// Owns the list of test suites: which files belong to which, in the order they run. vitest.config.ts reads it too.

export interface Suite {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly timeoutMs: number;
  /** Browsers and servers in one file at a time: two cores are few. */
  readonly isSerial: boolean;
  readonly needs: readonly ("build" | "chromium" | "postgres")[];
}

const PACKAGES = "{kit,core,domains,ui,tools,bench,apps/web,apps/server}";

export const SUITES: readonly Suite[] = [
  {
    name: "unit",
    include: [`${PACKAGES}/src/**/*.test.{ts,tsx}`],
    exclude: ["**/*.slice.test.ts", "**/node_modules/**"],
    timeoutMs: 30_000,
    isSerial: false,
    needs: [],
  },
  {
    name: "slice",
    include: ["{domains,apps/server}/src/**/*.slice.test.ts"],
    exclude: ["**/node_modules/**"],
    timeoutMs: 60_000,
    isSerial: false,
    needs: ["postgres"],
  },
  {
    name: "sim",
    include: ["sim/src/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    timeoutMs: 300_000,
    isSerial: false,
    needs: [],
  },
  {
    name: "browser",
    include: ["e2e/src/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    timeoutMs: 120_000,
    isSerial: true,
    needs: ["build", "chromium"],
  },
];
