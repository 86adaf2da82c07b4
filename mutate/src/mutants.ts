// Owns the making of mutants: every place of a source file where a small change should make a test fail, and the text in
// which all of them wait behind a switch. Never runs anything and never writes a file.

import { isNode, type Node } from "@clockwork/tools/syntax";
import { parseSync } from "rolldown/utils";

export interface Mutant {
  readonly file: string;
  /**
   * Its line, trimmed, and the change: together its name, which outlives moved lines. The second of
   * that name in a file is marked as such.
   */
  readonly code: string;
  readonly change: string;
  readonly line: number;
  /** The whole expression or statement that is exchanged, and for what. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly place: Place;
}

type Place = "expression" | "statement" | "key";

const BINARY: Readonly<Record<string, readonly string[]>> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&": ["|"],
  "<<": [">>"],
  ">>>": ["<<"],
};
const LOGICAL: Readonly<Record<string, string>> = { "&&": "||", "||": "&&", "??": "&&" };
const ASSIGNED: Readonly<Record<string, string>> = { "+=": "-=", "-=": "+=", "*=": "/=", "|=": "&=", "&=": "|=" };
/** Calls whose absence no test should see: they state what must hold anyway, or print. */
const SPOKEN = /^(?:assert|say|console\.|expect)/;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Exchanges a node for a text. What is seen to change may be less of it: an operator; with what it becomes. */
type Add = (node: Range, replacement: string, seen?: Range, becomes?: string) => void;

/** Where an operator is between two operands. */
function operatorAt(text: string, left: Node, right: Node, operator: string): Range {
  const start = text.indexOf(operator, left.end);
  return { start: start < right.start ? start : left.end, end: start + operator.length };
}

function mutateOperator(text: string, node: Node, add: Add): void {
  const [left, right, operator] = [node.left as Node, node.right as Node, String(node.operator)];
  const [first, second] = [left, right].map(({ start, end }) => text.slice(start, end));
  const assigns = node.type === "AssignmentExpression";
  const found =
    node.type === "BinaryExpression"
      ? (BINARY[operator] ?? [])
      : [(node.type === "LogicalExpression" ? LOGICAL : ASSIGNED)[operator] ?? ""];
  for (const other of found)
    if (other !== "")
      add(
        node,
        assigns ? `${first} ${other} ${second}` : `(${first}) ${other} (${second})`,
        operatorAt(text, left, right, operator),
        other,
      );
}

function mutateLiteral({ start, end, value }: Node, add: Add): void {
  if (typeof value === "boolean") add({ start, end }, String(!value));
  if (typeof value === "number") add({ start, end }, String(value + 1));
  if (typeof value === "bigint") add({ start, end }, `${value + 1n}n`);
}

/** A statement that only calls something may be gone. */
function mutateStatement(text: string, node: Node, add: Add): void {
  const expression = node.expression as Node;
  const called = expression.type === "AwaitExpression" ? (expression.argument as Node) : expression;
  if (called.type === "CallExpression" && !SPOKEN.test(text.slice(called.start, called.end))) add(node, ";");
}

function mutateNode(text: string, node: Node, add: Add): void {
  const source = (part: unknown): string => text.slice((part as Node).start, (part as Node).end);
  const { type } = node;
  if (type === "BinaryExpression" || type === "LogicalExpression" || type === "AssignmentExpression")
    mutateOperator(text, node, add);
  if (type === "IfStatement") for (const outcome of ["true", "false"]) add(node.test as Node, outcome);
  if (type === "ConditionalExpression") add(node.test as Node, `!(${source(node.test)})`);
  if (type === "UnaryExpression" && (node.operator === "!" || node.operator === "-")) add(node, source(node.argument));
  if (type === "UpdateExpression")
    add(
      node,
      source(node).replace(/\+\+|--/, (operator) => (operator === "++" ? "--" : "++")),
    );
  if (type === "Literal") mutateLiteral(node, add);
  if (type === "ExpressionStatement") mutateStatement(text, node, add);
}

/**
 * Whether a node is skipped with everything below it: types have no behaviour, imports and what is thrown or asserted
 * no rule.
 */
function isSkipped(text: string, node: Node): boolean {
  if (node.type.startsWith("TS") && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return true;
  if (node.type === "ImportDeclaration" || node.type === "ThrowStatement") return true;
  return node.type === "CallExpression" && SPOKEN.test(text.slice(node.start, node.end));
}

/** Every mutant of a file, in the order of the text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const found: (Mutant & { readonly at: number })[] = [];
  const lines = text.split("\n");
  const ends: number[] = [];
  for (const line of lines) ends.push((ends.at(-1) ?? -1) + 1 + line.length);
  const lineAt = (offset: number): number => ends.findIndex((end) => offset <= end) + 1;
  const keys = new Set<number>();
  const add: Add = ({ start, end }, replacement, seen = { start, end }, becomes = replacement) => {
    const line = lineAt(seen.start);
    const before = text.slice(seen.start, seen.end).replace(/\s+/g, " ");
    const short = before.length > 60 ? `${before.slice(0, 57)}…` : before;
    const after = becomes.replace(/\s+/g, " ");
    const change = `${short} → ${after.length > 60 ? `${after.slice(0, 57)}…` : after}`;
    const place = replacement === ";" ? "statement" : keys.has(start) ? "key" : "expression";
    const code = (lines[line - 1] ?? "").trim();
    found.push({ file, line, start, end, replacement, place, change, code, at: seen.start });
  };
  const walk = (node: Node): void => {
    if (isSkipped(text, node)) return;
    if (node.key !== undefined && node.computed === false) keys.add((node.key as Node).start);
    mutateNode(text, node, add);
    for (const [key, value] of Object.entries(node)) {
      if (key === "typeAnnotation" || key === "returnType" || key === "typeArguments") continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child);
    }
  };
  walk(parseSync(file, text).program as unknown as Node);
  const times = new Map<string, number>();
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ at: _, change, ...mutant }) => {
      const name = `${mutant.code} ${change}`;
      times.set(name, (times.get(name) ?? 0) + 1);
      const nth = times.get(name) ?? 1;
      return { ...mutant, change: nth === 1 ? change : `${change} (${nth})` };
    });
}

/** The text with one mutant in it. */
export function mutate(text: string, { start, end, replacement, place }: Mutant): string {
  const inside = place === "expression" ? `(${replacement})` : replacement;
  return text.slice(0, start) + inside + text.slice(end);
}

/**
 * The text with all of a file's mutants in it at once, each inactive until `$mutant(its number)` is true; numbers are
 * consecutive from `first`. Only one is ever active, so that what replaces an expression is its plain text, and mutants
 * within an expression are in its original alone.
 */
export function switchable(text: string, mutants: readonly Mutant[], first: number): string {
  const groups = new Map<string, { start: number; end: number; place: Place; choices: string }>();
  for (const [index, { start, end, replacement, place }] of mutants.entries()) {
    const group = groups.get(`${start} ${end}`) ?? { start, end, place, choices: "" };
    group.choices +=
      place === "statement" ? `!$mutant(${first + index})` : `$mutant(${first + index}) ? (${replacement}) : `;
    groups.set(`${start} ${end}`, group);
  }
  // Outer ones before those within them.
  const order = [...groups.values()].sort((a, b) => a.start - b.start || b.end - a.end);
  let next = 0;
  const render = (from: number, to: number): string => {
    let [written, at] = ["", from];
    for (let group = order[next]; group !== undefined && group.start < to; group = order[next]) {
      next++;
      written += text.slice(at, group.start);
      const original = render(group.start, group.end);
      if (group.place === "statement") written += `{ if (${group.choices}) ${original} }`;
      else written += group.place === "key" ? `[${group.choices}${original}]` : `(${group.choices}(${original}))`;
      at = group.end;
    }
    return written + text.slice(at, to);
  };
  return `const $mutant = globalThis.$mutant; ${render(0, text.length)}`;
}
