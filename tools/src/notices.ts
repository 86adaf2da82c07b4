// Owns THIRD-PARTY-NOTICES.md: every package of the lock file with its licence, the copyright lines and texts of those that
// are delivered, and the allowed licences. `npm run docs` writes it, `npm run check` compares it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NOTICES = "THIRD-PARTY-NOTICES.md";

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly os?: unknown;
  readonly cpu?: unknown;
}

type LockEntries = Readonly<Record<string, LockEntry>>;

/** Licences that permit distribution under Apache-2.0. Files under MPL-2.0 keep their licence and are used unchanged. */
const ALLOWED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "PSF-2.0",
  "Unlicense",
]);

/** Allowed for these packages alone: a library that sharp loads at run time, unchanged, and that can be replaced. */
const EXCEPTIONS: readonly (readonly [licence: string, name: RegExp])[] = [["LGPL-3.0-or-later", /^@img\/sharp-/]];

/** Pictures and texts that are kept in the repository itself. */
const KEPT = [
  ["ui/src/coins/*.svg", "web3icons 4.0.56", "MIT", "Copyright (c) 0xa3k5 and the contributors of web3icons"],
  ["ui/src/coins/doge.svg", "cryptocurrency-icons 0.18.1", "CC0-1.0", "dedicated to the public domain"],
] as const;

const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

const isAllowedKind = (name: string, kind: string): boolean =>
  ALLOWED.has(kind) || EXCEPTIONS.some(([licence, pattern]) => licence === kind && pattern.test(name));

/** One alternative of an OR must be allowed, every part of an AND. */
const isAllowed = (name: string, licence: string): boolean =>
  licence
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((kind) => isAllowedKind(name, kind)));

const listPackages = (entries: LockEntries) =>
  Object.entries(entries)
    .filter(([path, entry]) => path.includes("node_modules/") && entry.link !== true)
    .map(([path, entry]) => ({ path, name: nameOf(path), ...entry }));

export const checkLicences = (entries: LockEntries): readonly string[] =>
  Object.entries(entries).flatMap(([path, entry]) => {
    if (entry.link === true) return [];
    const licence = entry.license;
    if (!path.includes("node_modules/"))
      return licence === "Apache-2.0" ? [] : [`${path === "" ? "the root" : path}: its licence is not Apache-2.0`];
    if (licence === undefined) return [`${path}: has no licence`];
    return isAllowed(nameOf(path), licence) ? [] : [`${path}: ${licence} is not an allowed licence`];
  });

/** Who holds it, and not what a licence says about holders. */
const isCopyright = (line: string): boolean =>
  !/[[{]yyyy/.test(line) &&
  (/^\W*copyright\b.*(?:\(c\)|©|\d{4}|@)/i.test(line) ||
    /^\W*(?:\(c\)|©)\s*\d{4}/i.test(line) ||
    /^\W*Copyright (?!Holder|Notice|License|Owner)[A-Z][a-z]+,? [A-Z]/.test(line));

interface Found {
  readonly copyright: readonly string[];
  readonly text: string;
}

/** What a package says about itself: the copyright lines of its licence file, and the rest of that file. */
const readLicence = (root: string, path: string): Found => {
  const folder = join(root, path);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying)/i.test(name)) : [];
  const [name] = files.sort();
  if (name === undefined) return { copyright: [], text: "" };
  const lines = readFileSync(join(folder, name), "utf8").replace(/\r/g, "").split("\n");
  const copyright = lines.filter(isCopyright).map((line) => line.replace(/^[\s*>#]+|[\s*]+$/g, ""));
  const text = lines
    .filter((line) => !isCopyright(line))
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
  return { copyright: [...new Set(copyright)].slice(0, 6), text };
};

const flatten = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^\W*(?:the )?(?:mit|isc) licen[cs]e\W*(?:\(mit\)|\(isc\))?/i, "")
    .replace(/[^a-z0-9]+/g, " ")
    .trim();

const renderKept = (): readonly string[] => [
  "## Kept in this repository",
  "",
  "| files | from | licence | notice |",
  "|---|---|---|---|",
  ...KEPT.map((row) => `| ${row.join(" | ")} |`),
];

export const renderNotices = (root: string, entries: LockEntries): string => {
  const packages = listPackages(entries);
  const rows = new Map<string, { readonly versions: Set<string>; use: string }>();
  for (const { name, version = "", license = "", dev } of packages) {
    const key = `${name} | ${license}`;
    const row = rows.get(key) ?? { versions: new Set<string>(), use: "development" };
    row.versions.add(version);
    if (dev !== true) row.use = "run time";
    rows.set(key, row);
  }
  const texts = new Map<string, { readonly text: string; readonly owners: string[] }>();
  // Packages for one platform are not installed on the others: what is written must be the same everywhere.
  for (const { path, name, version = "", dev, os, cpu, license } of packages) {
    if (dev === true || os !== undefined || cpu !== undefined) continue;
    const { copyright, text } = readLicence(root, path);
    // Its text is the file LICENSE.
    const key = license === "Apache-2.0" ? "apache" : flatten(text);
    const known = texts.get(key) ?? { text: key === "apache" ? "" : text, owners: [] };
    known.owners.push(`${name} ${version}${copyright.length === 0 ? "" : `: ${copyright.join("; ")}`}`);
    texts.set(key, known);
  }
  const sections = [...texts]
    .sort(([, left], [, right]) => ((left.owners[0] ?? "") < (right.owners[0] ?? "") ? -1 : 1))
    .flatMap(([key, { text, owners }], at) => [
      `### Text ${at + 1}`,
      "",
      "```text",
      ...[...new Set(owners)].sort(),
      "",
      ...(key === "apache"
        ? ["The Apache License 2.0 is the file LICENSE of this repository."]
        : [text === "" ? "These packages name their licence and contain no text of it." : text]),
      "```",
      "",
    ]);
  return [
    "# Third-party notices",
    "",
    "Clockwork is licensed under the Apache License 2.0 ([LICENSE](LICENSE)). The packages below keep their own licences; npm",
    "installs them from their publishers. Generated from the lock file and the installed packages by `npm run docs`; the",
    "allowed licences are listed in [tools/src/notices.ts](tools/src/notices.ts).",
    "",
    ...renderKept(),
    "",
    "## Packages",
    "",
    "| package | licence | versions | used at |",
    "|---|---|---|---|",
    ...[...rows]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, { versions, use }]) => `| ${key} | ${[...versions].sort().join(", ")} | ${use} |`),
    "",
    "## Copyright notices and texts of what is used at run time",
    "",
    ...sections,
  ].join("\n");
};

const readEntries = (root: string): LockEntries =>
  (JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: LockEntries }).packages;

export const writeNotices = (root: string): void =>
  writeFileSync(join(root, NOTICES), renderNotices(root, readEntries(root)));

/** Every manifest, every package and the committed page. */
export const checkNotices = (root: string, files: readonly string[]): readonly string[] => {
  const entries = readEntries(root);
  const manifests = files
    .filter((path) => /(?:^|\/)package\.json$/.test(path))
    .filter((path) => JSON.parse(readFileSync(join(root, path), "utf8")).license !== "Apache-2.0")
    .map((path) => `${path}: needs "license": "Apache-2.0"`);
  const committed = existsSync(join(root, NOTICES)) ? readFileSync(join(root, NOTICES), "utf8") : "";
  const stale = committed === renderNotices(root, entries) ? [] : [`${NOTICES} is not what is installed: npm run docs`];
  return [...checkLicences(entries), ...manifests, ...stale];
};
