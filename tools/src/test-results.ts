// Owns the counting of a suite's results: what vitest wrote, read with distrust.

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Report {
  readonly testResults: readonly {
    readonly name?: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName?: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/**
 * Counts tests; a file that could not be loaded is one failure, and so is a run that failed without naming a test, or
 * that ran nothing although its suite has files.
 */
export const countResults = (text: string | undefined, code: number, mustRun: boolean): Count => {
  if (text === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const { testResults } = JSON.parse(text) as Report;
  const tests = testResults.flatMap((file) => file.assertionResults);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const brokenTests = tests.filter(({ status }) => status === "failed").length;
  const brokenFiles = testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
  ).length;
  const skipped = tests.length - passed - brokenTests;
  const known = brokenTests + brokenFiles;
  const isSilent = known === 0 && (code !== 0 || (mustRun && passed === 0));
  return { passed, failed: known + (isSilent ? 1 : 0), skipped };
};

const pathOf = (name: string, root: string): string =>
  name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;

/** The files that cost most processor time and more than a bound, the most expensive first, each with its time. */
export const listCostly = (
  lines: string,
  root: string,
  { overMs, most }: { readonly overMs: number; readonly most: number },
): readonly { readonly path: string; readonly costMs: number }[] =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ path: pathOf(line.slice(line.indexOf(" ") + 1), root), costMs: Number.parseInt(line, 10) }))
    .filter(({ costMs }) => costMs > overMs)
    .sort((a, b) => b.costMs - a.costMs)
    .slice(0, most);

/** The files with a failure of any kind, by their paths. */
export const listFailedFiles = (text: string | undefined, root: string): readonly string[] => {
  if (text === undefined) return [];
  const { testResults } = JSON.parse(text) as Report;
  return testResults
    .filter((file) => file.status === "failed" || file.assertionResults.some(({ status }) => status === "failed"))
    .map(({ name = "" }) => pathOf(name, root));
};

/** A report without some files, as if they had never been run. */
export const leaveOut = (text: string, root: string, paths: readonly string[]): string => {
  const { testResults } = JSON.parse(text) as Report;
  return JSON.stringify({ testResults: testResults.filter(({ name = "" }) => !paths.includes(pathOf(name, root))) });
};

export const addCounts = (one: Count, other: Count): Count => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
});

const firstLine = (text: string | undefined): string => (text ?? "").trim().split("\n", 1)[0] ?? "";

/** A line for each failure: where it is, and the first line of its message. */
export const listFailures = (text: string | undefined, root: string): readonly string[] => {
  if (text === undefined) return [];
  const { testResults } = JSON.parse(text) as Report;
  return testResults.flatMap(({ name = "", status, message, assertionResults }) => {
    const file = pathOf(name, root);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [`${file}: ${firstLine(message)}`] : [];
    return failed.map(
      ({ fullName = "", failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages?.[0])}`,
    );
  });
};
