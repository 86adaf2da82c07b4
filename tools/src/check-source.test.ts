import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkCommits } from "./check-commits.ts";
import { checkFaults, checkLinks, checkWalk } from "./check-documents.ts";
import { checkLockEntries } from "./check-lock.ts";
import { checkLastPrices, checkPriceReaders } from "./check-prices.ts";
import { checkFolders, checkServices } from "./check-rooms.ts";
import {
  checkFeatures,
  checkNames,
  checkOpenings,
  checkSpreads,
  checkTables,
  checkTimers,
  checkWords,
} from "./check-source.ts";
import { checkTexts } from "./check-texts.ts";
import { checkCoverage } from "./coverage.ts";
import { checkDecisions, renderDecisions } from "./decisions.ts";
import { listFiles } from "./files.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cw-rules-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

describe("[HOUSE-5] coverage is true", () => {
  const cover = (...rows: readonly object[]): readonly string[] => {
    put("docs/coverage.json", JSON.stringify(rows));
    return checkCoverage(root, listFiles(root)).filter((problem) => !problem.startsWith("docs/coverage.md"));
  };

  it("accepts a working row with a test of its number or one it names, and rows that claim nothing", () => {
    put("core/src/book/book.test.ts", 'test("[BOOK-1] older orders trade first", () => undefined);\n');
    const named = "core/src/book/book.test.ts: older orders trade first";
    expect(
      cover(
        { row: "BOOK-1", asks: "matching", state: "works" },
        { row: "BOOK-2", asks: "amends", state: "missing" },
        { row: "BOOK-3", asks: "age", state: "works", tests: [named] },
      ),
    ).toEqual([]);
  });

  it("reports a test that is gone and a title that no test has", () => {
    put("core/src/book/book.test.ts", "");
    const tests = ["core/src/gone.test.ts", "core/src/book/book.test.ts: older orders trade first"];
    expect(cover({ row: "BOOK-1", asks: "matching", state: "works", tests })).toEqual([
      "docs/coverage.json: BOOK-1 names core/src/gone.test.ts, which does not exist",
      'docs/coverage.json: BOOK-1 names "older orders trade first", which is no test of core/src/book/book.test.ts',
    ]);
  });

  it("reports a working row without a test, an unknown state, a missing text, a long row and a duplicate", () => {
    expect(
      cover(
        { row: "A-1", asks: "x", state: "works" },
        { row: "A-2", asks: "x", state: "done" },
        { row: "A-3", asks: "x".repeat(200), state: "missing" },
        { row: "A-4", asks: "x", state: "partly" },
        { row: "A-4", asks: "x", state: "missing" },
      ),
    ).toEqual([
      "docs/coverage.json: A-4 stands there twice",
      'docs/coverage.json: A-1 says "works" and has no test',
      "docs/coverage.json: A-2 has no state: a row says works, partly, missing",
      "docs/coverage.json: A-3 is no single line of at most 140 characters",
      'docs/coverage.json: A-4 says "partly" and not what is left',
    ]);
  });

  it("reports a table that is missing or lost its rows, and a page that is not current", () => {
    expect(checkCoverage(root, [])).toEqual(["docs/coverage.json is missing"]);
    expect(cover()).toEqual(["docs/coverage.json has no row"]);
    put("docs/coverage.json", JSON.stringify([{ row: "A-1", asks: "x", state: "missing" }]));
    expect(checkCoverage(root, [])).toEqual(["docs/coverage.md is not current: run npm run docs"]);
  });
});

describe("[HOUSE-5] decisions are dated", () => {
  it("reports a page without a date, one changed by an older one, and an index that is not current", () => {
    put("docs/decisions/0001-a.md", "# 0001 A\n\n2026-11-15. Changed by [0002](0002-b.md).\n\nText\n");
    put("docs/decisions/0002-b.md", "# 0002 B\n\n2026-11-16\n");
    put("docs/decisions/README.md", renderDecisions(root));
    expect(checkDecisions(root)).toEqual([]);
    put("docs/decisions/0002-b.md", "# 0002 B\n\n2026-11-16. Replaced by [0001](0001-a.md).\n");
    put("docs/decisions/0003-c.md", "# 0003 C\n\nText\n");
    expect(checkDecisions(root)).toEqual([
      "docs/decisions/0002-b.md: 0001 is not later and cannot change it",
      'docs/decisions/0003-c.md: the third line is no date, such as "2026-11-15. Changed by [0054](…)."',
      "docs/decisions/README.md is not current: run npm run docs",
    ]);
  });
});

it("[HOUSE-5] a commit's subject has at most 72 characters", () => {
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  const commit = (subject: string) =>
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--allow-empty", "-m", subject);
  expect(checkCommits(root)).toEqual([]);
  git("init");
  commit("x".repeat(73));
  expect(checkCommits(root)).toHaveLength(1);
  commit("x".repeat(72));
  expect(checkCommits(root)).toEqual([]);
});

describe("[HOUSE-5] document links resolve", () => {
  it("reports a missing file and a missing heading, and follows neither code nor the web", () => {
    put("docs/map.md", "# The map\n\n## One order, from click to screen\n");
    put(
      "README.md",
      "[a](docs/map.md) [b](docs/map.md#one-order-from-click-to-screen) [c](docs/gone.md) [d](docs/map.md#gone) `[e](x.md)` [f](https://example.com/x)\n",
    );
    expect(checkLinks(root, listFiles(root))).toEqual([
      "README.md links to docs/gone.md, which does not exist",
      "README.md links to docs/map.md#gone, but docs/map.md has no such heading",
    ]);
  });
});

describe("[HOUSE-5] slices have one layout", () => {
  it("reports a table without its slice's name", () => {
    put(
      "areas/trading/src/spot/001-orders.sql",
      "CREATE TABLE spot_order (id integer);\ncreate table trades (id integer);\n",
    );
    expect(checkTables(root, listFiles(root))).toEqual([
      "areas/trading/src/spot/001-orders.sql: table trades must be called spot_…",
    ]);
  });

  it("reports a feature that reads the contract of another slice", () => {
    put(
      "apps/web/src/features/spot/form.tsx",
      'import "@clockwork/trading/spot/contract";\nimport "@clockwork/earning/earn/contract";\nimport "@clockwork/identity/captcha/contract";\n',
    );
    expect(checkFeatures(root, listFiles(root))).toEqual([
      "apps/web/src/features/spot/form.tsx: the feature spot reads the contract of earn",
    ]);
  });
});

it("[HOUSE-5] every hop of an order is an existing function, one after another", () => {
  put("kit/src/money.ts", "export function count(units: number) {}\n");
  const rows = [
    "1 | `kit/src/money.ts` | `count` ",
    "3 | `kit/src/gone.ts` | `count` ",
    "3 | `kit/src/money.ts` | `spend` ",
  ];
  put("docs/order-path.md", rows.map((row) => `| ${row}| main | x |\n`).join(""));
  expect(checkWalk(root)).toEqual([
    "docs/order-path.md: hop 3 comes where 2 should",
    "docs/order-path.md: hop 3 is in kit/src/gone.ts, which does not exist",
    "docs/order-path.md: hop 3: kit/src/money.ts has no function spend",
  ]);
});

it("[HOUSE-5] a recorded fault names an existing test", () => {
  put("kit/src/money.test.ts", 'test("[MONEY-1] half a unit is refused", () => undefined);\n');
  put(
    "docs/faults.md",
    "| fault | test | in |\n|---|---|---|\n| a half | half a unit is refused | kit/src/money.test.ts |\n",
  );
  expect(checkFaults(root)).toEqual([]);
  put(
    "docs/faults.md",
    "| x | two units are refused | kit/src/money.test.ts |\n| y | half a unit is refused | kit/src/gone.test.ts |\n",
  );
  expect(checkFaults(root)).toEqual([
    'docs/faults.md:1: kit/src/money.test.ts has no test "two units are refused"',
    "docs/faults.md:2 names kit/src/gone.test.ts, which does not exist",
  ]);
});

describe("[HOUSE-4] names and words", () => {
  it("reports names that say nothing", () => {
    expect(checkNames(["kit/src/utils.ts", "kit/src/order-helpers/x.ts", "kit/src/money.ts"])).toEqual([
      'kit/src/utils.ts: "utils" says nothing; name the thing',
      'kit/src/order-helpers/x.ts: "helpers" says nothing; name the thing',
    ]);
  });

  it("reports folders that import each other in a circle, and lets a test reach anywhere", () => {
    put("core/src/book/book.ts", 'import { a } from "../ledger/a.ts";\n');
    put("core/src/ledger/a.ts", "export const a = 1;\n");
    put("core/src/ledger/a.test.ts", 'import { b } from "../book/book.ts";\n');
    expect(checkFolders(root, listFiles(root))).toEqual([]);
    put("core/src/ledger/b.ts", 'import type { C } from "../spot/c.ts";\n');
    put("core/src/spot/c.ts", 'export {\n  d,\n} from "../book/book.ts";\n');
    expect(checkFolders(root, listFiles(root))).toEqual([
      "core/src/book → core/src/ledger → core/src/spot → core/src/book: folders import each other in a circle",
    ]);
  });

  it("holds for every package, the folder of the sources itself counted, and lets fixtures reach anywhere", () => {
    put("apps/server/src/part.ts", 'import type { Hub } from "./socket/hub.ts";\n');
    put("apps/server/src/socket/hub.ts", "export interface Hub {}\n");
    put("apps/server/src/socket/socket-fixture.ts", 'import type { Part } from "../part.ts";\n');
    expect(checkFolders(root, listFiles(root))).toEqual([]);
    put("apps/server/src/socket/gate.ts", 'import type { Part } from "../part.ts";\n');
    expect(checkFolders(root, listFiles(root))).toEqual([
      "apps/server/src → apps/server/src/socket → apps/server/src: folders import each other in a circle",
    ]);
  });

  it("follows the web app's aliases and what is fetched late", () => {
    put("apps/web/src/boot/state.ts", 'const later = () => import("#shell/menu.tsx");\n');
    put("apps/web/src/shell/menu.tsx", 'import { state } from "#boot/state.ts";\n');
    expect(checkFolders(root, listFiles(root)).filter((line) => line.startsWith("apps/web"))).toEqual([
      "apps/web/src/boot → apps/web/src/shell → apps/web/src/boot: folders import each other in a circle",
    ]);
  });

  it("reports a service that is a factory, and lets functions of other names be", () => {
    put("areas/site/src/notes/service.ts", "export function noteService(store: NoteStore) {}\n");
    put("areas/site/src/notes/open-service.ts", "export function openKind() {}\n");
    expect(checkServices(root, listFiles(root))).toEqual([
      "areas/site/src/notes/service.ts: noteService is a factory; a service is a class with #private members",
    ]);
  });

  it("reports unfinished work, mocks and silenced types", () => {
    // Spelled in pieces, or this file would report itself.
    put("kit/src/a.ts", ["// TO", "DO later\n// @ts-igno", "re\nvi.mo", "ck('x');\n"].join(""));
    expect(checkWords(root, listFiles(root)).map((line) => line.slice(0, 14))).toEqual([
      "kit/src/a.ts:1",
      "kit/src/a.ts:2",
      "kit/src/a.ts:3",
    ]);
  });

  it("reports a literal that is spread, and lets values be spread", () => {
    // Spelled in pieces, or this file would report itself.
    put("kit/src/a.ts", ["export const a = { ...one, ..", ".{ b, c } };\n"].join(""));
    put("kit/src/b.ts", "export const b = { ...one };\n");
    expect(checkSpreads(root, listFiles(root))).toEqual(["kit/src/a.ts:1 spreads a literal: write its properties out"]);
  });

  it("reports a file that does not say what it owns", () => {
    put("kit/src/a.ts", "export const a = 1;\n");
    put("kit/src/b.ts", "// Owns b.\nexport const b = 1;\n");
    expect(checkOpenings(root, listFiles(root))).toEqual(["kit/src/a.ts: opens without saying what it owns"]);
  });
});

describe("[LEDGER-27] nothing is valued by the last trade", () => {
  it("refuses a new reader in the core, a slice or the server, but no test, and a listed one without a read", () => {
    const read = "const worth = units * lastTicks(market);\n";
    put("core/src/account/worth.ts", "const worth = core.books.topWords[T_LAST];\n");
    put("core/src/perp/margin/worth.ts", "const worth = sourcePrice(core, market, SOURCE_LAST);\n");
    put("areas/growth/src/vip/rules.ts", read);
    put("apps/server/src/vip/worth.ts", "const worth = pairs.lastTicks(market) * units;\n");
    for (const path of ["vip/worth.test.ts", "vip/worth-fixture.ts", "alerts/needs.ts"])
      put(`apps/server/src/${path}`, read);
    put("core/src/testing/worth.ts", read);
    put("areas/trading/src/market/pairs.ts", "export const pairs = 1;\n");
    const files = listFiles(root);
    expect(checkLastPrices(root, files).map((line) => line.split(" ")[0])).toEqual([
      "apps/server/src/vip/worth.ts",
      "areas/growth/src/vip/rules.ts",
      "core/src/account/worth.ts",
      "core/src/perp/margin/worth.ts",
    ]);
    const struck = checkPriceReaders(root, files).map((line) => line.split(" ")[0]);
    expect([struck.includes("market/pairs.ts"), struck.includes("alerts/needs.ts")]).toEqual([true, false]);
  });
});

describe("[HOUSE-7] a timer ends no process", () => {
  it("refuses bare timers of the server and its slices, but not of workers, tests and waits", () => {
    put("apps/server/src/a.ts", "setInterval(() => go(), 1);\n");
    put("apps/server/src/b.ts", "setTimeout(\n  () => go(),\n  1,\n);\n");
    put("areas/trading/src/spot/service.ts", "setTimeout(async () => go(), 1);\n");
    for (const name of ["c-worker.ts", "c.test.ts", "c-fixture.ts"])
      put(`apps/server/src/${name}`, "setInterval(go, 1);\n");
    put("apps/server/src/d.ts", "await new Promise((done) => setTimeout(done, 1));\n");
    expect(checkTimers(root, listFiles(root)).map((line) => line.split(":")[0])).toEqual([
      "apps/server/src/a.ts",
      "apps/server/src/b.ts",
      "areas/trading/src/spot/service.ts",
    ]);
  });
});

describe("[HOUSE-8] the lock file installs anywhere", () => {
  const sound = {
    "": { optionalDependencies: { tool: "1.0.0" } },
    "node_modules/tool": { version: "1.0.0", integrity: "x", optionalDependencies: { "tool-arm64": "1.0.0" } },
    "node_modules/tool-arm64": { version: "1.0.0", integrity: "x" },
  };

  it("accepts entries that all resolve", () => {
    expect(checkLockEntries(sound)).toEqual([]);
  });

  it("reports a platform that is missing, one of another version, an address and a missing integrity", () => {
    const { "node_modules/tool-arm64": _, ...without } = sound;
    expect(checkLockEntries(without)).toHaveLength(1);
    expect(
      checkLockEntries({ ...sound, "node_modules/tool-arm64": { version: "2.0.0", integrity: "x" } }),
    ).toHaveLength(1);
    expect(
      checkLockEntries({ "node_modules/a": { resolved: "https://example.com/a.tgz", integrity: "x" } }),
    ).toHaveLength(1);
    expect(checkLockEntries({ "node_modules/a": {} })).toEqual(["node_modules/a: has no integrity"]);
  });
});

describe("[SITE-3] retired phrases stay out of every text a person reads", () => {
  const CLEAN = [
    ["apps/web/src/locales/en-us-wallet.ts", 'export const texts = { "send.nobody": "No recipient selected" };\n'],
    ["areas/trading/src/spot/refusals.ts", 'export const REFUSALS = { NONE: [404, "Order not found."] };\n'],
    ["areas/messaging/src/messages/text-rules.ts", 'export const NOTICE = "Your password was changed.";\n'],
    ["content/help/fees.md", "Fees are at least 0.1%.\n"],
  ] as const;
  const PLANTED = [
    [
      "apps/web/src/locales/en-us-wallet.ts",
      'export const texts = { done: "your withdrawal was taken." };\n',
      "was taken",
    ],
    [
      "areas/trading/src/spot/refusals.ts",
      'export const R = { A: [404, "There is no such order."] };\n',
      "There is no such",
    ],
    [
      "areas/messaging/src/messages/text-rules.ts",
      "export const n = (a: string) => a + `Withdrawals rest now`;\n",
      "Withdrawals rest",
    ],
    ["areas/site/src/ops/service.ts", 'export const a = "Somebody else has decided.";\n', "Somebody"],
    ["apps/web/src/features/copy/card.tsx", "export const A = () => <p>Most slippage is 1%</p>;\n", "Most slippage"],
    ["content/help/fees.md", "Whoever takes an ad pays nothing.\n", "Whoever"],
  ] as const;
  const plant = () => {
    for (const [path, text] of CLEAN) put(path, text);
  };

  it("accepts texts without them, whatever keys, names and comments say", () => {
    plant();
    put("areas/site/src/ops/service.ts", "// Whoever reads this.\nexport const nobody = 'somebody';\n");
    expect(checkTexts(root, listFiles(root))).toEqual([]);
  });

  it.each(PLANTED)("reports one in %s", (path, text, phrase) => {
    plant();
    put(path, text);
    expect(checkTexts(root, listFiles(root))).toEqual([expect.stringContaining(`${path}: "${phrase}"`)]);
  });

  it("reports a group whose texts it does not find", () => {
    plant();
    rmSync(join(root, "areas/trading"), { recursive: true });
    expect(checkTexts(root, listFiles(root))).toEqual([
      "No text of refusals was found: the check reads the wrong place",
    ]);
  });
});
