// Owns the project's rules that no linter has: the names of tables, whose contract a feature reads, which words are
// banned.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Tables carry their slice's name, so that a glance at the database shows whose they are. */
export const checkTables = (root: string, files: readonly string[]): readonly string[] =>
  files.flatMap((path) => {
    const [, slice = ""] = /^areas\/[^/]+\/src\/([^/]+)\/[^/]+\.sql$/.exec(path) ?? [];
    if (slice === "") return [];
    const created = readFileSync(join(root, path), "utf8").matchAll(
      /^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?["`]?(\w+)/gim,
    );
    return [...created]
      .map(([, table = ""]) => table)
      .filter((table) => !table.startsWith(`${slice.replaceAll("-", "_")}_`))
      .map((table) => `${path}: table ${table} must be called ${slice}_…`);
  });

/**
 * Slices that are a gate in front of others: every feature that requires a code, a password or a fresh proof uses them.
 */
const GATE_SLICES: ReadonlySet<string> = new Set(["captcha", "passkeys", "security"]);

/** Screens that by their nature show several businesses at once, each with those it may read. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  home: ["articles", "campaigns", "college", "markets", "recommend"],
  orders: ["spot", "futures", "wallet"],
  portfolio: ["markets", "spot"],
  spot: ["articles", "coupons", "markets", "wallet"],
  grid: ["markets", "positions", "rebalance", "spot"],
  futures: ["liquidations", "markets", "positions", "premiums", "wallet"],
  articles: ["markets"],
  // One product in four slices: ads, orders, people, providers; its coins come from the wallet.
  otc: ["otcads", "otcorders", "otcpeople", "otcproviders", "wallet"],
  // Launches, and the console that creates them.
  launchpad: ["launchdesk", "seeds"],
  reverse: ["markets"],
  college: ["articles"],
  // The security centre also changes the password and the contacts; signing in may be by a picture.
  security: ["credentials"],
  sessions: ["qr"],
  users: ["credentials"],
  wallet: ["profit"],
  copy: ["comments", "futures", "positions", "wallet"],
  rewards: ["bonus"],
  // The bubble and the panel of the own chat, whose conversations are tickets.
  chat: ["support"],
  // The console: one person with all that is theirs, the exchange as a whole, a withdrawal beside its person.
  people: [
    ...["apikeys", "custody", "earn", "futures", "letters", "operators", "otcorders", "positions", "restrictions"],
    ...["sessions", "spot", "wallet", "withdrawals"],
  ],
  overview: ["operators", "treasury"],
  exchange: ["custody", "exchangeledger", "markets", "treasury", "withdrawals"],
  withdrawals: ["custody", "people", "proposals"],
};

/** A feature reads its own slice's contract and no other, but for gates and views: the same noun on both sides. */
export const checkFeatures = (root: string, files: readonly string[]): readonly string[] =>
  files.flatMap((path) => {
    const [, feature = ""] = /^apps\/web\/src\/features\/([^/]+)\/.+\.tsx?$/.exec(path) ?? [];
    if (feature === "") return [];
    return [...readFileSync(join(root, path), "utf8").matchAll(/["']@clockwork\/[^/"']+\/([^/"']+)\/contract["']/g)]
      .map(([, slice = ""]) => slice)
      .filter((slice) => slice !== feature && !GATE_SLICES.has(slice) && !VIEWS[feature]?.includes(slice))
      .map((slice) => `${path}: the feature ${feature} reads the contract of ${slice}`);
  });

const NAMELESS = new Set(["util", "utils", "helper", "helpers", "common", "manager", "misc", "shared", "stuff"]);

/** Meaningless names: what has no name has no reason to be together. */
export const checkNames = (files: readonly string[]): readonly string[] =>
  files
    .filter((path) => path.includes("/src/"))
    .flatMap((path) => {
      const word = path
        .split(/[/.-]/)
        .map((part) => part.toLowerCase())
        .find((part) => NAMELESS.has(part));
      return word === undefined ? [] : [`${path}: "${word}" says nothing; name the thing`];
    });

const word = (...parts: readonly string[]): string => parts.join("");
const BANNED: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    // Only as a mark in a comment: the same letters may be data, such as the currency of no country.
    new RegExp(
      `(?://|/\\*|^\\s*\\*|#|--)\\s*@?(?:${word("TO", "DO")}|${word("FIX", "ME")}|${word("XX", "X")}|${word("HA", "CK")})\\b`,
    ),
    "finish it, or write the decision down",
  ],
  [new RegExp(word("not ", "implemented"), "i"), "nothing pretends to be there"],
  [new RegExp(word("lorem ", "ipsum"), "i"), "write the real text"],
  [new RegExp(word("/wo", "rk/(?:main|shared)")), "a path of one machine"],
  [new RegExp(word("(?:^|[\"'`\\s(])/ro", "ot/")), "a path of one machine"],
  [new RegExp(word("regis", "try\\.(?:npmjs|yarnpkg)")), "the address of a registry"],
  [new RegExp(word("\\bvi\\.(?:mo", "ck|doMo", "ck|hois", "ted|spy", "On)\\b")), "no mocking: pass another argument"],
  [new RegExp(word("@ts-(?:igno", "re|expect-er", "ror|nocheck)")), "fix the type"],
];
const TEXT = /\.(?:ts|tsx|mjs|css|sql|md|json|html)$/;

export const checkWords = (root: string, files: readonly string[]): readonly string[] =>
  files
    .filter((path) => TEXT.test(path) && basename(path) !== "package-lock.json")
    .flatMap((path) => {
      const lines = readFileSync(join(root, path), "utf8").split("\n");
      return lines.flatMap((line, at) =>
        BANNED.filter(([pattern]) => pattern.test(line)).map(
          ([pattern, why]) => `${path}:${at + 1} has ${pattern.exec(line)?.[0].trim()}: ${why}`,
        ),
      );
    });

/**
 * An error thrown in a bare timer ends the process: timers go through `time/background.ts` of host, which reports it. A
 * worker's parent observes its end.
 */
export const checkTimers = (root: string, files: readonly string[]): readonly string[] =>
  files
    .filter((path) => /^(?:apps\/server|areas\/[^/]+)\/src\/.+\.ts$/.test(path))
    .filter((path) => !/\.test\.ts$|-(?:fixture|worker)\.ts$|\/simulation\//.test(path))
    .filter((path) =>
      /(?<![.\w])(?:setInterval\(|setTimeout\(\s*(?:async )?\(\) =>)/.test(readFileSync(join(root, path), "utf8")),
    )
    .map((path) => `${path}: a bare timer ends the process when it throws: use time/background.ts of host`);

/** Each file opens with what it owns; a reader should not have to guess. */
export const checkOpenings = (root: string, files: readonly string[]): readonly string[] =>
  files
    .filter((path) => /\/src\/.+\.(?:ts|tsx|mjs)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => !/^(?:#!.*\n)?\s*(?:\/\/|\/\*)/.test(readFileSync(join(root, path), "utf8")))
    .map((path) => `${path}: opens without saying what it owns`);

/** Properties are written where they belong: in a spread of a literal the compiler does not see one too many. */
export const checkSpreads = (root: string, files: readonly string[]): readonly string[] =>
  files
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, at) =>
          /\.\.\.\{/.test(line) ? [`${path}:${at + 1} spreads a literal: write its properties out`] : [],
        ),
    );
