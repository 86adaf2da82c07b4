import { describe, expect, it } from "vitest";
import { judgeReleases, type Release } from "./releases.ts";

const LAYOUTS = { journal: 1, snapshot: 14, snapshotOldest: 10 };
const COMMIT = "0123456789012345678901234567890123456789";

const release = (version: string, more: Partial<Release> = {}): Release => ({
  version,
  commit: COMMIT,
  date: "2026-11-20",
  rules: [1],
  layouts: LAYOUTS,
  ...more,
});
const open = (version: string, more: Partial<Release> = {}): Release =>
  release(version, { commit: "unreleased", date: null, ...more });

describe("the list of releases", () => {
  it("[OPS-6] the version of the sources is the newest release, which alone may be unreleased", () => {
    expect(judgeReleases([open("1.1.0"), release("1.0.0"), release("1.0.0-rc")], "1.1.0", LAYOUTS, [1])).toEqual([]);
    expect(judgeReleases([open("1.1.0"), release("1.0.0")], "1.2.0", LAYOUTS, [1])).toEqual([
      "package.json is 1.2.0, the newest release 1.1.0",
    ]);
    expect(judgeReleases([release("1.1.0"), open("1.0.0")], "1.1.0", LAYOUTS, [1])).toEqual([
      "docs/releases.json: 1.0.0: only the newest may be unreleased",
    ]);
    expect(judgeReleases([release("1.0.0-rc"), release("1.0.0")], "1.0.0-rc", LAYOUTS, [1])).toEqual([
      "docs/releases.json: 1.0.0-rc stands before 1.0.0, the newest comes first",
    ]);
  });

  it("[OPS-6] a release states its commit, its day, its rules and its layouts", () => {
    const broken = release("1.0", { commit: "HEAD", date: null, rules: [], layouts: { ...LAYOUTS, journal: 0 } });
    expect(judgeReleases([broken], "1.0", LAYOUTS, [1])).toHaveLength(5);
    const other = open("1.0.0", { layouts: { ...LAYOUTS, snapshot: 13 } });
    expect(judgeReleases([other], "1.0.0", LAYOUTS, [1])).toEqual([
      "docs/releases.json: the layouts of 1.0.0 are not those of the sources: npm run docs",
    ]);
    expect(judgeReleases([open("1.0.0")], "1.0.0", LAYOUTS, [1, 2])).toEqual([
      "docs/releases.json: the rules of 1.0.0 are not those of the sources: npm run docs",
    ]);
  });
});
