// Owns docs/releases.json: which releases there are, newest first, with the rules and layouts each of them reads and writes.
// Only the newest may be without a commit, while it is being made.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RELEASES = "docs/releases.json";

export interface Layouts {
  readonly journal: number;
  /** The one that is written. */
  readonly snapshot: number;
  /** The oldest that is read. */
  readonly snapshotOldest: number;
}

export interface Release {
  readonly version: string;
  /** The commit on the main branch, or `unreleased`. */
  readonly commit: string;
  /** The day, or null while it is being made. */
  readonly date: string | null;
  /** Numbers of the rules that it can replay. */
  readonly rules: readonly number[];
  readonly layouts: Layouts;
}

const UNRELEASED = "unreleased";
const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[0-9a-z.-]+)?$/;

/** Below zero where the left version comes first; a pre-release comes before its release. */
const compare = (left: string, right: string): number => {
  const [a, b] = [VERSION.exec(left) ?? [], VERSION.exec(right) ?? []];
  for (const at of [1, 2, 3]) if (a[at] !== b[at]) return Number(a[at]) - Number(b[at]);
  if (a[4] === b[4]) return 0;
  if (a[4] === undefined || b[4] === undefined) return a[4] === undefined ? 1 : -1;
  return a[4] < b[4] ? -1 : 1;
};

const isInteger = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;

const judgeShape = (release: Partial<Release>, isNewest: boolean): readonly string[] => {
  const { version = "", commit = "", date, rules, layouts } = release;
  const here = `${RELEASES}: ${version === "" ? "a release without a version" : version}`;
  const isOpen = commit === UNRELEASED;
  return [
    ...(VERSION.test(version) ? [] : [`${here}: is not a version`]),
    ...(isOpen || /^[0-9a-f]{40}$/.test(commit) ? [] : [`${here}: its commit is neither 40 digits nor ${UNRELEASED}`]),
    ...(isOpen && !isNewest ? [`${here}: only the newest may be ${UNRELEASED}`] : []),
    ...((isOpen ? date === null : /^\d{4}-\d\d-\d\d$/.test(date ?? ""))
      ? []
      : [`${here}: its date does not fit its commit`]),
    ...(Array.isArray(rules) && rules.length > 0 && rules.every(isInteger) ? [] : [`${here}: names no rules`]),
    ...([layouts?.journal, layouts?.snapshot, layouts?.snapshotOldest].every(isInteger)
      ? []
      : [`${here}: its layouts are not whole`]),
  ];
};

/** What is wrong with the list, given the version, the layouts and the rules of the sources. */
export const judgeReleases = (
  releases: readonly Release[],
  version: string,
  layouts: Layouts,
  rules: readonly number[],
): readonly string[] => {
  const [newest] = releases;
  if (newest === undefined) return [`${RELEASES}: lists no release`];
  const problems = releases.flatMap((release, at) => judgeShape(release, at === 0));
  for (const [at, { version: later }] of releases.slice(0, -1).entries()) {
    const earlier = releases[at + 1]?.version ?? "";
    if (compare(earlier, later) >= 0)
      problems.push(`${RELEASES}: ${later} stands before ${earlier}, the newest comes first`);
  }
  if (newest.version !== version) problems.push(`package.json is ${version}, the newest release ${newest.version}`);
  if (newest.commit === UNRELEASED && JSON.stringify(newest.layouts) !== JSON.stringify(layouts))
    problems.push(`${RELEASES}: the layouts of ${newest.version} are not those of the sources: npm run docs`);
  if (newest.commit === UNRELEASED && newest.rules.join() !== rules.join())
    problems.push(`${RELEASES}: the rules of ${newest.version} are not those of the sources: npm run docs`);
  return problems;
};

const readReleases = (root: string): readonly Release[] =>
  (JSON.parse(readFileSync(join(root, RELEASES), "utf8")) as { releases: readonly Release[] }).releases;

const readVersion = (root: string): string =>
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

const readConstant = (root: string, path: string, name: string): number => {
  const found = new RegExp(`^(?:export )?const ${name} = (\\d+);`, "m").exec(readFileSync(join(root, path), "utf8"));
  if (found === null) throw new Error(`${path} has no constant ${name}`);
  return Number(found[1]);
};

const readLayouts = (root: string): Layouts => ({
  journal: readConstant(root, "apps/server/src/engine/journal/journal-format.ts", "FORMAT"),
  snapshot: readConstant(root, "core/src/machine/snapshot.ts", "VERSION"),
  snapshotOldest: readConstant(root, "core/src/machine/snapshot.ts", "OLDEST_VERSION"),
});

/** Numbers of the rules that the core knows. */
const readRules = (root: string): readonly number[] =>
  [...readFileSync(join(root, "core/src/protocol/rules.ts"), "utf8").matchAll(/\{ number: (\d+),/g)].map((found) =>
    Number(found[1]),
  );

/** A commit must be one of this branch; a shallow clone may not have it. */
const judgeCommits = (root: string, releases: readonly Release[]): readonly string[] =>
  releases.flatMap(({ version, commit }) => {
    if (commit === UNRELEASED || !existsSync(join(root, ".git"))) return [];
    try {
      execFileSync("git", ["merge-base", "--is-ancestor", commit, "HEAD"], { cwd: root, stdio: "ignore" });
      return [];
    } catch (error) {
      return (error as { status?: number }).status === 1
        ? [`${RELEASES}: ${version} names ${commit}, which is not on this branch`]
        : [];
    }
  });

export const checkReleases = (root: string): readonly string[] => {
  const releases = readReleases(root);
  return [...judgeReleases(releases, readVersion(root), readLayouts(root), readRules(root)), ...judgeCommits(root, releases)];
};

/** The layouts and rules of a release that is being made follow the sources. */
export const writeReleases = (root: string): void => {
  const [layouts, rules] = [readLayouts(root), readRules(root)];
  const releases = readReleases(root).map((one, at) =>
    at === 0 && one.commit === UNRELEASED ? { ...one, rules, layouts } : one,
  );
  // As the formatter writes a short list.
  const text = JSON.stringify({ releases }, undefined, 2).replace(
    /\[\s+([\d,\s]+?)\s+\]/g,
    (_, list: string) => `[${list.replace(/\s+/g, " ")}]`,
  );
  writeFileSync(join(root, RELEASES), `${text}\n`);
};
