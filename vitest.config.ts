// One project per kind of test; `npm test` runs them one after another with a progress line each.
import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { markExpectations } from "./tools/src/check-tests.ts";
import { LONG_FILES, SUITES, WORKERS } from "./tools/src/suites.ts";
import { moveWorkers } from "./tools/src/worker-places.ts";

// Threads and processes that tests start read TypeScript; kept between them, it costs half the time of their starts.
process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, "node_modules/.cache/compiled");

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG_FILES.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const BUILD = pathToFileURL(resolve(import.meta.dirname, "apps/server/build/")).href;

/**
 * `npm test` has built these very sources: threads that tests start are read from there, each in one file, which takes a
 * third of a whole exchange's start away. Run by itself vitest reads the sources and needs no build.
 */
const builtWorkers = {
  name: "built-workers",
  transform: (code: string, id: string) =>
    process.env.CW_BUILT_WORKERS === "1" && /\/(?:apps\/server|areas\/[a-z]+)\/src\//.test(id)
      ? moveWorkers(code, (worker) => `new URL("${BUILD}/${worker}.js")`)
      : undefined,
};

/**
 * `npm test` asks which expectations its run reached: one that never runs proves nothing. Marked in every run, because
 * vitest keeps what was transformed.
 */
const reachedExpectations = {
  name: "reached-expectations",
  enforce: "pre" as const,
  transform: (code: string, id: string) =>
    /\.test\.tsx?$/.test(id) ? markExpectations(relative(import.meta.dirname, id), code) : undefined,
};

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    sequence: { sequencer: LongFirst },
    // A failure's first line is what a log keeps of it: it says what was found, not how many.
    chaiConfig: { truncateThreshold: 0 },
    projects: SUITES.map(({ name, include, exclude, timeoutMs, setup, needs, isolate }) => ({
      plugins: [reachedExpectations, ...(needs.includes("build") ? [builtWorkers] : [])],
      test: {
        name,
        include: [...include],
        exclude: [...exclude],
        setupFiles: ["tools/src/file-costs.ts"],
        ...(setup === undefined ? {} : { globalSetup: setup }),
        environment: "node",
        testTimeout: timeoutMs,
        hookTimeout: timeoutMs,
        maxWorkers: WORKERS,
        isolate,
        // What is waited for comes at once or never; a busy machine only makes it come later.
        expect: { poll: { timeout: 120_000, interval: 50 } },
      },
    })),
  },
});
