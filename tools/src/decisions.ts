// Owns docs/decisions/README.md, which is generated from the pages next to it. A page is `NNNN-name.md`: its title, and
// in the third line the date, followed by what changed or replaced it since.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "docs/decisions";
const INDEX = `${FOLDER}/README.md`;
const TITLE = /^# (\d{4}) (.+)$/;
const DATE = /^(\d{4}-\d\d-\d\d)(?:\. ((?:Changed|Replaced) by (?:\[\d{4}\]\(\d{4}-[\w-]+\.md\)(?:, )?)+)\.)?$/;

const listPages = (root: string): readonly string[] =>
  readdirSync(join(root, FOLDER))
    .filter((name) => /^\d{4}-.+\.md$/.test(name))
    .sort();

const linesOf = (root: string, name: string): readonly string[] =>
  readFileSync(join(root, FOLDER, name), "utf8").split("\n");

export const renderDecisions = (root: string): string => {
  const rows = listPages(root).map((name) => {
    const [first = "", , third = ""] = linesOf(root, name);
    const [, number = "", title = ""] = TITLE.exec(first) ?? [];
    const [, date = "", since = ""] = DATE.exec(third) ?? [];
    return `| [${number}](${name}) | ${title} | ${date} | ${since} |`;
  });
  return [
    "# Decisions",
    "",
    "One page a decision: what was chosen, why, what would make us choose again. Generated from the pages by `npm run docs`.",
    "",
    "| number | decision | date | since |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
};

const judgePage = (root: string, name: string): readonly string[] => {
  const path = `${FOLDER}/${name}`;
  const [first = "", second = "", third = ""] = linesOf(root, name);
  const number = name.slice(0, 4);
  const dated = second === "" ? DATE.exec(third) : null;
  const later = [...(dated?.[2] ?? "").matchAll(/\[(\d{4})\]/g)].map(([, other = ""]) => other);
  return [
    ...(TITLE.exec(first)?.[1] === number ? [] : [`${path}: the first line is no "# ${number} Title"`]),
    ...(dated === null ? [`${path}: the third line is no date, such as "2026-11-15. Changed by [0054](…)."`] : []),
    ...later.filter((other) => other <= number).map((other) => `${path}: ${other} is not later and cannot change it`),
  ];
};

/** Every page has a title and a date, and the index lists them as they are. */
export const checkDecisions = (root: string): readonly string[] => {
  if (!existsSync(join(root, FOLDER))) return [];
  const problems = listPages(root).flatMap((name) => judgePage(root, name));
  const index = existsSync(join(root, INDEX)) ? readFileSync(join(root, INDEX), "utf8") : "";
  return index === renderDecisions(root) ? problems : [...problems, `${INDEX} is not current: run npm run docs`];
};

/** The day a page came into the history, today for one that is new. */
const dayOf = (root: string, path: string): string =>
  execFileSync("git", ["log", "--diff-filter=A", "--format=%as", "--", path], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n")
    .at(-1) || new Date().toISOString().slice(0, 10);

export const writeDecisions = (root: string): void => {
  for (const name of listPages(root)) {
    const [first = "", second = "", third = "", ...rest] = linesOf(root, name);
    if (second === "" && DATE.test(third)) continue;
    const day = dayOf(root, `${FOLDER}/${name}`);
    writeFileSync(
      join(root, FOLDER, name),
      [first, "", day, "", ...(second === "" ? [] : [second]), third, ...rest].join("\n"),
    );
  }
  writeFileSync(join(root, INDEX), renderDecisions(root));
};
