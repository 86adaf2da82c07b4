// Owns one worker of the mutation run: keeps vitest warm and, for each mutant it is sent, runs the room's tests with that
// one file changed on its way to them. The file on disk is never touched. Ended from outside when a mutant never ends.
import { join } from "node:path";
import process from "node:process";
import { BaseSequencer, createVitest, type TestSpecification } from "vitest/node";

/** `text` undefined runs the sources as they are. */
export interface Task {
  readonly file: string;
  readonly text: string | undefined;
}

const [root = "", ...tests] = process.argv.slice(2);
const order = tests.map((path) => join(root, path));
let changed: Task = { file: "", text: undefined };

class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => order.indexOf(a.moduleId) - order.indexOf(b.moduleId));
  }
}

const vitest = await createVitest(
  {
    ...{ root, config: false, watch: false, include: tests, environment: "node", bail: 1, reporters: [{}] },
    ...{ maxWorkers: 1, testTimeout: 300_000, hookTimeout: 300_000, silent: true, printConsoleTrace: false },
    // Modules kept on disk would be found by the text of the file there, which does not change.
    fsModuleCache: false,
    sequence: { sequencer: NearestFirst },
  },
  {
    plugins: [
      {
        name: "mutant",
        enforce: "pre",
        load: (id) => (id === join(root, changed.file) && changed.text !== undefined ? changed.text : undefined),
      },
    ],
  },
);
await vitest.standalone();
const specifications = await vitest.globTestSpecifications();

process.on("message", (task: Task) => {
  void (async () => {
    for (const { file } of [changed, task]) if (file !== "") vitest.invalidateFile(join(root, file));
    changed = task;
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    const passed =
      testModules.length > 0 && testModules.every((one) => one.state() !== "failed") && unhandledErrors.length === 0;
    process.send?.({ passed, files: testModules.length });
  })();
});
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: specifications.length });
