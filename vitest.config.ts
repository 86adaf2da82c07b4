// One project per kind of test; `npm test` runs them one after another with a progress line each.
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONG_FILES, SUITES, WORKERS } from "./tools/src/suites.ts";

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG_FILES.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    sequence: { sequencer: LongFirst },
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
