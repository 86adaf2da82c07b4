// Owns the list of test suites: which files belong to which, in the order they run. vitest.config.ts reads it too.
import { availableParallelism } from "node:os";

export interface Suite {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly timeoutMs: number;
  /** A process for each file; else those of a suite share a few, and what they have loaded. */
  readonly isolate: boolean;
  /** Started before the first file of the suite and ended after the last. */
  readonly setup?: string;
  readonly needs: readonly ("build" | "chromium" | "linters" | "postgres")[];
  /** Up to this many failed files are run once more, on their own, and named flaky where they pass (decision 0047). */
  readonly repeatsMax?: number;
  /** Each of its expectations has to run; a journey may end one way or another, so theirs need not. */
  readonly reachesAll: boolean;
}

/**
 * Files run side by side: one more than there are cores, because tests wait for disks, databases and browsers; more
 * than four browsers with a site each would need more memory than a small machine has.
 */
export const WORKERS = Math.min(4, availableParallelism() + 1);

/** Small files that take long: started last, as is vitest's default, they would keep one worker busy and no other. */
export const LONG_FILES = [
  "e2e/src/auth-gates.test.ts",
  "e2e/src/axe.test.ts",
  "e2e/src/axe-second.test.ts",
  "e2e/src/auth-pages.test.ts",
  "apps/server/src/http/fuzz.slice.test.ts",
  "apps/server/src/simulation/system.slice.test.ts",
  "areas/trading/src/market/simulation.slice.test.ts",
  "apps/server/src/clock/dev-clock.slice.test.ts",
  "areas/trading/src/spot/restart.slice.test.ts",
] as const;

const PACKAGES = "{kit,core,host,areas/*,ui,tools,mutate,devchain,bench,apps/web,apps/server}";

export const SUITES: readonly Suite[] = [
  {
    name: "unit",
    reachesAll: true,
    isolate: false,
    include: [`${PACKAGES}/src/**/*.test.{ts,tsx}`],
    exclude: ["**/*.{slice,deploy}.test.ts", "**/node_modules/**"],
    // Some start processes of the lowest priority, which a busy machine keeps waiting.
    timeoutMs: 120_000,
    needs: [],
  },
  {
    name: "slice",
    reachesAll: true,
    isolate: false,
    include: ["{areas/*,apps/server}/src/**/*.slice.test.ts"],
    exclude: ["**/node_modules/**"],
    // Some start the whole exchange more than once, in parallel with others that do the same.
    timeoutMs: 180_000,
    // The built server, for those that start it as a process.
    needs: ["build", "postgres"],
  },
  {
    name: "deploy",
    reachesAll: true,
    isolate: true,
    include: ["tools/src/**/*.deploy.test.ts"],
    exclude: ["**/node_modules/**"],
    timeoutMs: 180_000,
    // The release is made of what was built.
    needs: ["build", "linters"],
  },
  {
    name: "sim",
    reachesAll: true,
    isolate: true,
    include: ["sim/src/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    timeoutMs: 300_000,
    needs: [],
  },
  {
    name: "browser",
    reachesAll: false,
    isolate: false,
    include: ["e2e/src/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    timeoutMs: 600_000,
    setup: "e2e/src/joined-site.ts",
    needs: ["build", "chromium"],
    repeatsMax: 2,
  },
];
