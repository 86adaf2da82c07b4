// Owns the list of test suites: which files belong to which, in the order they run. vitest.config.ts reads it too.
import { availableParallelism } from "node:os";

export interface Suite {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly timeoutMs: number;
  readonly needs: readonly ("build" | "chromium" | "postgres")[];
}

/**
 * Files run side by side. Tests wait at least as much as they work, so two even on one core; more than four browsers with
 * a site each would want more memory than a small machine has.
 */
export const WORKERS = Math.min(4, Math.max(2, availableParallelism()));

/** Small files that take minutes: begun last, as vitest would have it, they would keep one worker busy and no other. */
export const LONG_FILES = ["e2e/src/axe.test.ts", "e2e/src/auth-pages.test.ts"] as const;

const PACKAGES = "{kit,core,domains,ui,tools,bench,apps/web,apps/server}";

export const SUITES: readonly Suite[] = [
  {
    name: "unit",
    include: [`${PACKAGES}/src/**/*.test.{ts,tsx}`],
    exclude: ["**/*.slice.test.ts", "**/node_modules/**"],
    timeoutMs: 30_000,
    needs: [],
  },
  {
    name: "slice",
    include: ["{domains,apps/server}/src/**/*.slice.test.ts"],
    exclude: ["**/node_modules/**"],
    timeoutMs: 60_000,
    needs: ["postgres"],
  },
  {
    name: "sim",
    include: ["sim/src/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    timeoutMs: 300_000,
    needs: [],
  },
  {
    name: "browser",
    include: ["e2e/src/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    timeoutMs: 300_000,
    needs: ["build", "chromium"],
  },
];
