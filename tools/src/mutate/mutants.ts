// Owns the making of mutants: every place of a source file where a small change should make a test fail, as offsets and
// replacement. Never runs anything and never writes a file.
import { parseSync } from "rolldown/utils";

export interface Mutant {
  readonly file: string;
  /** The line it stands in, trimmed, and what becomes of it: together its name, which outlives moved lines. */
  readonly code: string;
  readonly change: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

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
/** Calls whose absence no test should see: they say what must hold anyway, or speak to a person. */
const SPOKEN = /^(?:assert|say|console\.|expect)/;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

type Add = (node: { readonly start: number; readonly end: number }, replacement: string) => void;

/** Where an operator stands between two operands. */
function operatorAt(text: string, left: Node, right: Node, operator: string): { start: number; end: number } {
  const start = text.indexOf(operator, left.end);
  return { start: start < right.start ? start : left.end, end: start + operator.length };
}

function mutateOperator(text: string, node: Node, add: Add): void {
  const [left, right, operator] = [node.left as Node, node.right as Node, String(node.operator)];
  const found =
    node.type === "BinaryExpression"
      ? (BINARY[operator] ?? [])
      : [(node.type === "LogicalExpression" ? LOGICAL : ASSIGNED)[operator] ?? ""];
  for (const other of found) if (other !== "") add(operatorAt(text, left, right, operator), other);
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

/** Whether nothing below a node is looked at: types have no behaviour, imports and what is thrown or asserted no rule. */
function isSkipped(text: string, node: Node): boolean {
  if (node.type.startsWith("TS") && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return true;
  if (node.type === "ImportDeclaration" || node.type === "ThrowStatement") return true;
  return node.type === "CallExpression" && SPOKEN.test(text.slice(node.start, node.end));
}

/** Every mutant of a file, in the order of the text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const found: Mutant[] = [];
  const lines = text.split("\n");
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const add: Add = ({ start, end }, replacement) => {
    const line = lineAt(start);
    const before = text.slice(start, end).replace(/\s+/g, " ");
    const short = before.length > 60 ? `${before.slice(0, 57)}…` : before;
    const after = replacement.replace(/\s+/g, " ");
    const change = `${short} → ${after.length > 60 ? `${after.slice(0, 57)}…` : after}`;
    found.push({ file, line, start, end, replacement, change, code: (lines[line - 1] ?? "").trim() });
  };
  const walk = (node: Node): void => {
    if (isSkipped(text, node)) return;
    mutateNode(text, node, add);
    for (const [key, value] of Object.entries(node)) {
      if (key === "typeAnnotation" || key === "returnType" || key === "typeArguments") continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child);
    }
  };
  walk(parseSync(file, text).program as unknown as Node);
  return found.sort((a, b) => a.start - b.start);
}

export function mutate(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
