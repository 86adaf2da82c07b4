// Owns the truth of the documents: every fault of faults.md has a test of that title, every hop of order-path.md is in a file
// there is, and every link leads somewhere. Coverage and decisions are generated: coverage.ts, decisions.ts.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const FAULTS = "docs/faults.md";

/** A row is `| fault | the test's title | file |`: the file has a test of that title. */
export const checkFaults = (root: string): readonly string[] => {
  if (!existsSync(join(root, FAULTS))) return [];
  const problems: string[] = [];
  for (const [index, line] of readFileSync(join(root, FAULTS), "utf8").split("\n").entries()) {
    const [, , title = "", path = ""] = line.split("|").map((cell) => cell.trim());
    if (!path.includes(".test.")) continue;
    const here = `${FAULTS}:${index + 1}`;
    if (!existsSync(join(root, path))) problems.push(`${here} names ${path}, which does not exist`);
    else if (title === "" || !readFileSync(join(root, path), "utf8").includes(title))
      problems.push(`${here}: ${path} has no test "${title}"`);
  }
  return problems;
};

const WALK = "docs/order-path.md";

/** A hop is ``| 7 | `file` | `function` | …``: numbered one after another, each in a file there is, which has such a function. */
export const checkWalk = (root: string): readonly string[] => {
  if (!existsSync(join(root, WALK))) return [];
  const hops = [...readFileSync(join(root, WALK), "utf8").matchAll(/^\| (\d+) \| `([^`]+)` \| `([^`]+)` \|/gm)];
  return hops.flatMap(([, number = "", path = "", name = ""], at) => {
    const here = `${WALK}: hop ${number}`;
    const problems = Number(number) === at + 1 ? [] : [`${here} comes where ${at + 1} should`];
    if (!existsSync(join(root, path))) return [...problems, `${here} is in ${path}, which does not exist`];
    const head = new RegExp(`(?<![\\w.#])${name}(?: = (?:async )?|: (?:async )?)?[(<]`);
    return head.test(readFileSync(join(root, path), "utf8"))
      ? problems
      : [...problems, `${here}: ${path} has no function ${name}`];
  });
};

/** The anchor GitHub gives a heading. */
const slug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[`*_]|\[|\]\([^)]*\)/g, "")
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .replace(/\s/g, "-");

const withoutCode = (text: string): string => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");

const anchors = (text: string): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const [, heading = ""] of text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").matchAll(/^#{1,6}\s+(.+)$/gm))
    found.add(slug(heading));
  for (const [, id = ""] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) found.add(id);
  return found;
};

const checkLink = (root: string, from: string, link: string): string | undefined => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link) || link.startsWith("//")) return undefined;
  const [path = "", anchor] = decodeURI(link).split("#");
  const target = path === "" ? from : normalize(path.startsWith("/") ? path.slice(1) : join(dirname(from), path));
  if (!existsSync(join(root, target))) return `${from} links to ${link}, which does not exist`;
  if (anchor === undefined || !target.endsWith(".md")) return undefined;
  return anchors(readFileSync(join(root, target), "utf8")).has(anchor)
    ? undefined
    : `${from} links to ${link}, but ${target} has no such heading`;
};

/** What is written for readers of the site links to its pages; a crawler walks those in the browser suite. */
export const checkLinks = (root: string, files: readonly string[]): readonly string[] =>
  files
    .filter((path) => path.endsWith(".md") && !path.startsWith("content/"))
    .flatMap((from) => {
      const text = withoutCode(readFileSync(join(root, from), "utf8"));
      const links = [
        ...[...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)].map(([, link = ""]) => link),
        ...[...text.matchAll(/<(?:img|a)\s[^>]*?(?:src|href)="([^"]+)"/g)].map(([, link = ""]) => link),
      ];
      return links.flatMap((link) => checkLink(root, from, link) ?? []);
    });
