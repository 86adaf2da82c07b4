// Owns what keeps a test from passing on nothing: a claim about every item of a list needs an item, and each
// expectation in a test file runs at least once in a run of its suite.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";
import { isNode, type Node } from "./syntax.ts";

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.startsWith("e2e/src/seed/");

const walk = (node: Node, visit: (node: Node) => void): void => {
  visit(node);
  for (const member of Object.values(node)) {
    if (isNode(member)) walk(member, visit);
    else if (Array.isArray(member)) for (const one of member) if (isNode(one)) walk(one, visit);
  }
};

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** Calls of `list.every(condition)`, which hold for a list that is empty; a list written out on the spot has its items. */
const everyCalls = (path: string, text: string): readonly Node[] => {
  const found: Node[] = [];
  walk(parseSync(path, text).program as unknown as Node, (node) => {
    if (node.type !== "CallExpression") return;
    const callee = node.callee as Node;
    if (callee.type !== "MemberExpression" || (node.arguments as readonly Node[]).length !== 1) return;
    const [object, property] = [callee.object as Node, callee.property as Node];
    if (property.name === "every" && object.type !== "ArrayExpression") found.push(node);
  });
  return found;
};

export const checkClaims = (root: string, files: readonly string[]): readonly string[] =>
  files.filter(isTest).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    if (!text.includes(".every(")) return [];
    return everyCalls(path, text).map(
      ({ start }) =>
        `${path}:${lineOf(text, start)} [empty-list] every() holds for an empty list: use allOf of kit/all-of`,
    );
  });

/**
 * Where each `expect` of a test file starts that is called with a value: `expect(…)`, `expect.poll(…)`,
 * `expect.soft(…)`.
 */
export const listExpectations = (path: string, text: string): readonly number[] => {
  const found: number[] = [];
  walk(parseSync(path, text).program as unknown as Node, (node) => {
    if (node.type !== "CallExpression") return;
    const callee = node.callee as Node;
    const name = callee.type === "MemberExpression" ? (callee.object as Node) : callee;
    const method = callee.type === "MemberExpression" ? (callee.property as Node).name : "poll";
    if (name.type === "Identifier" && name.name === "expect" && (method === "poll" || method === "soft"))
      found.push(name.start);
  });
  return found;
};

/** Marks each expectation of a test file, so that a run writes down once which of them it reached. */
export const markExpectations = (path: string, text: string): string => {
  const starts = listExpectations(path, text);
  let marked = text;
  for (const start of starts.toReversed()) {
    marked = `${marked.slice(0, start)}(__reached(${lineOf(text, start)}), expect)${marked.slice(start + "expect".length)}`;
  }
  const write = `process.getBuiltinModule("node:fs").appendFileSync(file, \`${path}:\${line}\\n\`)`;
  const note = `(line) => { if (file !== undefined && !lines.has(line)) { lines.add(line); ${write}; } }`;
  return `const __reached = ((file, lines) => ${note})(process.env.CW_REACHED, new Set()); ${marked}`;
};

/** The expectations of these files that a run did not reach, given what it wrote down. */
export const listUnreached = (root: string, paths: readonly string[], reached: string): readonly string[] => {
  const known = new Set(reached.split("\n"));
  return paths.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const places = new Set(listExpectations(path, text).map((start) => `${path}:${lineOf(text, start)}`));
    return [...places].filter((place) => !known.has(place));
  });
};
