import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { remember, stale } from "./build.mjs";
import { emptyFolder } from "./fresh.ts";
import { isInstalled, lockHash, needsInstall } from "./install.mjs";
import { isNewEnough } from "./runtime.mjs";
import { addCounts, countResults, leaveOut, listCostly, listFailedFiles, listFailures } from "./test-results.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cw-launch-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

describe("[START-1] installs only when the lock file requires something else", () => {
  const lock = (version: string): string =>
    JSON.stringify({ packages: { "": {}, kit: {}, "node_modules/a": { version, integrity: `sha-${version}` } } });

  it("installs a fresh clone", () => {
    put("package-lock.json", lock("1.0.0"));
    expect(needsInstall(root)).toBe(true);
  });

  it("skips when the stamp has the hash of the lock file, and not after the lock file changed", () => {
    put("package-lock.json", lock("1.0.0"));
    put("node_modules/.clockwork-lock", lockHash(root));
    expect(needsInstall(root)).toBe(false);
    put("package-lock.json", lock("1.0.1"));
    expect(needsInstall(root)).toBe(true);
  });

  it("trusts npm's own record after a manual install", () => {
    put("package-lock.json", lock("1.0.0"));
    put("node_modules/.package-lock.json", lock("1.0.0"));
    expect(needsInstall(root)).toBe(false);
    rmSync(join(root, "node_modules/.clockwork-lock"));
    put("node_modules/.package-lock.json", lock("0.9.0"));
    expect(needsInstall(root)).toBe(true);
  });

  it("misses a binary of this machine, but none of another", () => {
    const entry = (os: string) => ({
      "node_modules/b": { version: "1.0.0", optional: true, os: [os], cpu: [process.arch] },
    });
    expect(isInstalled(entry("plan9"), {})).toBe(true);
    expect(isInstalled(entry(process.platform), {})).toBe(false);
  });
});

describe("[START-2] builds only what changed", () => {
  const names = (): readonly string[] => stale(root, ["web", "server"]).map(({ target }) => target.name);
  const builtAll = (): void => {
    for (const { target, hash } of stale(root, ["web", "server"])) {
      put(target.proof, "");
      remember(root, target, hash);
    }
  };
  beforeEach(() => {
    put("apps/web/src/root.tsx", "1");
    put("apps/server/src/process/main.ts", "1");
    put("areas/trading/src/spot/contract.ts", "1");
    put("areas/trading/src/spot/service.ts", "1");
  });

  it("builds both at first and none the second time", () => {
    expect(names()).toEqual(["web", "server"]);
    builtAll();
    expect(names()).toEqual([]);
  });

  it("builds the part whose sources changed", () => {
    builtAll();
    put("areas/trading/src/spot/service.ts", "2");
    expect(names()).toEqual(["server"]);
    put("apps/web/src/root.tsx", "2");
    expect(names()).toEqual(["web", "server"]);
    builtAll();
    put("areas/trading/src/spot/contract.ts", "2");
    expect(names()).toEqual(["web", "server"]);
  });

  it("does not build for a test, and builds again when the output is gone", () => {
    builtAll();
    put("apps/web/src/root.test.ts", "1");
    expect(names()).toEqual([]);
    rmSync(join(root, "apps/web/build"), { recursive: true });
    expect(names()).toEqual(["web"]);
  });
});

describe("[START-3] --fresh removes what is ours and nothing else", () => {
  const data = (): string => join(root, "data");
  const code = (): string => join(root, "code");
  beforeEach(() => put("code/package.json", "{}"));

  it("has nothing to do without a folder or with an empty one", () => {
    expect(emptyFolder(data(), code()).state).toBe("nothing");
    mkdirSync(data());
    expect(emptyFolder(data(), code()).state).toBe("nothing");
  });

  it("empties a folder that carries the mark", () => {
    put("data/clockwork.lock", "");
    put("data/journal/0001", "x");
    expect(emptyFolder(data(), code()).state).toBe("emptied");
    expect(existsSync(join(root, "data/journal"))).toBe(false);
    expect(existsSync(join(root, "data/clockwork.lock"))).toBe(false);
    expect(existsSync(data())).toBe(true);
  });

  it("refuses a folder without the mark", () => {
    put("data/thesis.txt", "x");
    expect(emptyFolder(data(), code())).toMatchObject({
      state: "refused",
      reason: expect.stringContaining("not made by Clockwork"),
    });
    expect(existsSync(join(root, "data/thesis.txt"))).toBe(true);
  });

  it("refuses a folder that holds the code or foreign files, mark or not", () => {
    put("clockwork.lock", "");
    expect(emptyFolder(root, code()).state).toBe("refused");
    put("data/clockwork.lock", "");
    put("data/.git/HEAD", "x");
    expect(emptyFolder(data(), code()).state).toBe("refused");
    expect(existsSync(join(root, "data/.git/HEAD"))).toBe(true);
  });

  it("refuses a mark that is something else", () => {
    put(
      "data/clockwork.lock",
      "a recipe for bread, much longer than an empty file and certainly no database".repeat(20),
    );
    expect(emptyFolder(data(), code()).state).toBe("refused");
  });

  it("refuses a folder a running process holds", () => {
    mkdirSync(data());
    const holder = new DatabaseSync(join(data(), "clockwork.lock"));
    holder.exec("PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE");
    expect(emptyFolder(data(), code())).toMatchObject({ state: "refused", reason: expect.stringContaining("running") });
    holder.close();
    expect(emptyFolder(data(), code()).state).toBe("emptied");
  });
});

describe("[START-4] the launcher speaks clearly", () => {
  const launch = (...args: readonly string[]): Promise<{ code: number; reply: string }> =>
    new Promise((done) => {
      execFile(process.execPath, [resolve(import.meta.dirname, "launch.mjs"), ...args], (error, _stdout, stderr) =>
        done({ code: typeof error?.code === "number" ? error.code : 0, reply: stderr }),
      );
    });

  it("refuses an unknown command and an unknown option with one line", async () => {
    const command = await launch("begin");
    expect(command.code).toBe(1);
    expect(command.reply.trim().split("\n")).toHaveLength(1);
    const option = await launch("start", "--frech");
    expect(option).toEqual({ code: 1, reply: "Unknown option --frech. Known: --fresh --help.\n" });
  });

  it("refuses a benchmark that is not there", async () => {
    expect(await launch("bench", "../x")).toMatchObject({ code: 1 });
    expect(await launch("bench", "no-such")).toEqual({
      code: 1,
      reply: "No such benchmark: there is no bench/src/no-such.ts.\n",
    });
  });

  it("falls back only to a Node that strips types", () => {
    expect([isNewEnough("v20.20.2"), isNewEnough("v22.21.9"), isNewEnough("v22.22.0"), isNewEnough("v24.0.0")]).toEqual(
      [false, false, true, true],
    );
  });
});

describe("[TEST-1] results are counted with distrust", () => {
  const report = (...files: readonly (readonly string[])[]): string =>
    JSON.stringify({
      testResults: files.map((tests) => ({
        status: tests.length > 0 && !tests.some((status) => status !== "passed") ? "passed" : "failed",
        assertionResults: tests.map((status) => ({ status })),
      })),
    });

  it("counts tests, and a file that could not be loaded as one failure", () => {
    expect(countResults(report(["passed", "passed"], ["passed", "failed"], []), 1, true)).toEqual({
      passed: 3,
      failed: 2,
      skipped: 0,
    });
  });

  it("fails a run that ran nothing, printed nothing or failed without naming a test", () => {
    expect(countResults(JSON.stringify({ testResults: [] }), 0, true).failed).toBe(1);
    expect(countResults(JSON.stringify({ testResults: [] }), 0, false).failed).toBe(0);
    expect(countResults(undefined, 0, true).failed).toBe(1);
    expect(countResults(report(["passed"]), 1, true)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it("names each failure in one line, a file that could not be loaded too", () => {
    const text = JSON.stringify({
      testResults: [
        { name: "/project/a/one.test.ts", status: "failed", message: "No such module\nat x", assertionResults: [] },
        {
          name: "/project/a/two.test.ts",
          status: "failed",
          assertionResults: [
            { status: "passed", fullName: "adds" },
            { status: "failed", fullName: "sums to zero", failureMessages: ["expected 1 to be 0\nat y"] },
          ],
        },
        {
          name: "/project/a/three.test.ts",
          status: "passed",
          assertionResults: [{ status: "passed", fullName: "is" }],
        },
      ],
    });
    expect(listFailures(text, "/project")).toEqual([
      "a/one.test.ts: No such module",
      "a/two.test.ts > sums to zero: expected 1 to be 0",
    ]);
    expect(listFailures(undefined, "/project")).toEqual([]);
    // What is run again replaces what failed, and nothing else.
    const failed = listFailedFiles(text, "/project");
    expect(failed).toEqual(["a/one.test.ts", "a/two.test.ts"]);
    expect(listFailedFiles(undefined, "/project")).toEqual([]);
    const rest = countResults(leaveOut(text, "/project", failed), 0, false);
    expect(rest).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(addCounts(rest, { passed: 2, failed: 1, skipped: 3 })).toEqual({ passed: 3, failed: 1, skipped: 3 });
  });

  it("names the files that cost most processor time, the most expensive first, and none that was cheap", () => {
    const lines = "21000 /project/a/one.test.ts\n20000 /project/a/two.test.ts\n90000 /project/a/three.test.ts\n";
    const bounds = { overMs: 20_000, most: 5 };
    expect(listCostly(lines, "/project", bounds)).toEqual([
      { path: "a/three.test.ts", costMs: 90_000 },
      { path: "a/one.test.ts", costMs: 21_000 },
    ]);
    expect(listCostly(lines, "/project", { ...bounds, most: 1 })).toHaveLength(1);
    expect(listCostly("", "/project", bounds)).toEqual([]);
  });
});
