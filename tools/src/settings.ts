// Owns the reference of the settings: writes the tables of docs/runbook.md and deploy/clockwork.sample.yaml from their
// declarations (`npm run docs`), and checks that code, declarations and documents name the same ones.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const RUNBOOK = "docs/runbook.md";
const SAMPLE = "deploy/clockwork.sample.yaml";
const MARKS = ["<!-- settings, made by npm run docs -->\n", "<!-- end of settings -->\n"] as const;
const DECLARED = "host/src/settings/";

/** Variables of tests, benchmarks and examples; no part of the served process reads them. */
const DEVELOPMENT: ReadonlySet<string> = new Set([
  "CW_CHROMIUM",
  "CW_SEED",
  "CW_SEEDS",
  "CW_COSTS",
  "CW_REACHED",
  "CW_COSTS",
  "CW_BUILT_WORKERS",
  "CW_LOOK_FOLDER",
  "CW_URL",
  "CW_KEY",
  "CW_SECRET",
  "CW_API_KEY",
  "CW_API_SECRET",
  "CW_SYMBOL",
  "CW_AMOUNT",
  "CW_ROUNDS",
  "CW_PAUSE_MS",
]);
const DEVELOPMENT_LIKE = /^CW_(?:TEST|E2E|BENCH)_/;

interface Reference {
  readonly tables: string;
  readonly sample: string;
  /** What code calls it, by the name of the variable: its key in the config. */
  readonly keys: Readonly<Record<string, string>>;
}

interface Declared {
  readonly name: string;
  readonly isVariableOnly?: boolean;
}

const loadReference = async (root: string): Promise<Reference> => {
  const load = <Module>(path: string) => import(pathToFileURL(join(root, path)).href) as Promise<Module>;
  const { renderSample, renderTables } = await load<{ renderSample(): string; renderTables(): string }>(
    "host/src/settings/reference.ts",
  );
  const { ALL_SETTINGS } = await load<{ ALL_SETTINGS: Readonly<Record<string, Declared>> }>(
    "host/src/settings/all-settings.ts",
  );
  const keys = Object.fromEntries(
    // One that is read before there is a config is read by its own name.
    Object.entries(ALL_SETTINGS).map(([key, { name, isVariableOnly }]) => [name, isVariableOnly === true ? name : key]),
  );
  return { tables: renderTables(), sample: renderSample(), keys };
};

const placeTables = (runbook: string, tables: string): string | undefined => {
  const [start, end] = MARKS.map((mark) => runbook.indexOf(mark));
  if (start === undefined || end === undefined || start < 0 || end < start) return undefined;
  return `${runbook.slice(0, start)}${MARKS[0]}\n${tables}\n${runbook.slice(end)}`;
};

const read = (root: string, path: string): string => {
  const full = join(root, path);
  return existsSync(full) ? readFileSync(full, "utf8") : "";
};

export const writeSettings = async (root: string): Promise<void> => {
  const { tables, sample } = await loadReference(root);
  const runbook = placeTables(read(root, RUNBOOK), tables);
  if (runbook === undefined) throw new Error(`${RUNBOOK} has no place for the settings: ${MARKS.join("")}`);
  writeFileSync(join(root, RUNBOOK), runbook);
  mkdirSync(dirname(join(root, SAMPLE)), { recursive: true });
  writeFileSync(join(root, SAMPLE), sample);
};

/** What names a variable that is no setting, and settings that no code uses. */
export const judgeUse = (
  keys: Readonly<Record<string, string>>,
  texts: Iterable<readonly [path: string, text: string]>,
): readonly string[] => {
  const problems: string[] = [];
  const unused = new Map(Object.entries(keys).map(([name, key]) => [name, new RegExp(`\\b${key}\\b`)]));
  for (const [path, text] of texts) {
    for (const [name] of text.matchAll(/\bCW_[A-Z0-9_]*[A-Z0-9]\b(?!\*|_)/g)) {
      if (keys[name] !== undefined || DEVELOPMENT.has(name) || DEVELOPMENT_LIKE.test(name)) continue;
      problems.push(`${path}: ${name} is no setting; declare it in ${DECLARED}`);
    }
    if (!/\.(?:ts|mjs)$/.test(path) || (path.startsWith(DECLARED) && path.endsWith("-settings.ts"))) continue;
    for (const [name, pattern] of unused) if (pattern.test(text)) unused.delete(name);
  }
  return [...problems, ...[...unused.keys()].map((name) => `${DECLARED}: nothing reads ${name}`)];
};

const isRead = (path: string): boolean =>
  /\.(?:ts|tsx|mjs|md|yaml|service|timer|conf|cfg|sh)$/.test(path) && !/\.test\.tsx?$/.test(path);

export const checkSettings = async (root: string, files: readonly string[]): Promise<readonly string[]> => {
  if (!existsSync(join(root, DECLARED))) return [];
  const { tables, sample, keys } = await loadReference(root);
  const runbook = read(root, RUNBOOK);
  const texts = files.filter(isRead).map((path) => [path, read(root, path)] as const);
  return [
    ...(placeTables(runbook, tables) === runbook ? [] : [`${RUNBOOK}: the settings are not current: npm run docs`]),
    ...(read(root, SAMPLE) === sample ? [] : [`${SAMPLE} is not current: npm run docs`]),
    ...judgeUse(keys, texts),
  ];
};
