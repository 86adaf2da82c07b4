// Owns what keeps the exchange exact: money is never tested for truth, mixed with fractions or made a float; chance and
// time come in as data. Reads the syntax of every source; never changes a file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";
import { isNode, type Node } from "./syntax.ts";

const MONEY = /^[A-Za-z0-9_$.?#]*(?:[Uu]nits|[Ll]ots|[Tt]icks|[Pp]pm)$/;
const FRACTION = /^(?:[0-9_]*\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[0-9_]+[eE]-[0-9]+)$/;
const CHANCE = /^Math\.random$/;
/** A command's or an event's member by a number instead of its name. */
const PLACE =
  /^(?:[\w.]*events\.(?:i32|f64|bytes)\[|[\w.]*\.(?:read|input)(?:Word|Double|Byte|Half|Id|Slot)\(\d|[\w.]*\.set(?:Word|Double|Byte|Half|Id)\(record, \d)/;
/** The buffer of events itself, and what writes whole records into it. */
const RECORDS_RAW =
  /^core\/src\/(?:protocol\/event-log\.ts|machine\/machine\.ts|testing\/|state\/views\.ts|order\/(?:entry|plan)\/)/;
/** The results of these differ between engines. */
const INEXACT = /^Math\.(?:random|a?(?:sin|cos|tan)h?|atan2|exp|expm1|log|log1p|log2|log10|pow|cbrt|hypot)$/;
const CLOCK = /^(?:Date|performance)\.now$/;
const FLOATS = new Set(["parseFloat", "Number.parseFloat", "Number"]);
const ROUNDINGS = new Set(["toFixed", "toPrecision"]);

const WHY = {
  "money-truth": "never test money for truth: compare it with zero, or with undefined",
  "money-float": "a float near money loses money: use the exact functions of kit/money",
  "money-cast": "a float near money loses money: use the exact functions of kit/money",
  "pure-math": "the machine is exact: take chance from a seeded source and compute with integers",
  "seeded-chance": "take chance from a seeded source (kit/random) or from crypto",
  "record-place": "name the member: commandPlaces, eventPlaces or the record's own constant says where it is",
  "one-clock": "read the clock that comes in; measure with measureMs or wallMs of host/time/measure",
} as const;
type Rule = keyof typeof WHY;

const isTest = (path: string): boolean => path.includes(".test.");
const APPLIES: Readonly<Record<Rule, (path: string) => boolean>> = {
  "money-truth": () => true,
  "money-float": (path) => path !== "kit/src/money.ts",
  "money-cast": (path) => path !== "kit/src/money.ts",
  "pure-math": (path) => /^(?:core|kit)\/src\//.test(path) && !isTest(path),
  "record-place": (path) => /^core\/src\//.test(path) && !isTest(path) && !RECORDS_RAW.test(path),
  "seeded-chance": (path) => /^(?:areas|sim|apps|ui|e2e|bench|tools)\//.test(path) || isTest(path),
  "one-clock": (path) =>
    /^(?:apps\/server|areas\/[^/]+)\/src\//.test(path) &&
    !isTest(path) &&
    !path.endsWith("-fixture.ts") &&
    path !== "host/src/time/measure.ts",
};

class Reader {
  readonly #path: string;
  readonly #text: string;
  readonly problems: string[] = [];

  constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
  }

  #textOf({ start, end }: Node): string {
    return this.#text.slice(start, end);
  }

  #isMoney(node: unknown): boolean {
    return isNode(node) && MONEY.test(this.#textOf(node));
  }

  #report(rule: Rule, node: Node): void {
    if (!APPLIES[rule](this.#path)) return;
    const line = this.#text.slice(0, node.start).split("\n").length;
    this.problems.push(`${this.#path}:${line} [${rule}] ${this.#textOf(node)}: ${WHY[rule]}`);
  }

  /** An expression used only for its truth. */
  #readTest(node: unknown): void {
    if (!isNode(node)) return;
    if (node.type === "ParenthesizedExpression") this.#readTest(node.expression);
    // Its left side is always tested for truth.
    else if (node.type === "LogicalExpression" && node.operator !== "??") this.#readTest(node.right);
    else if (this.#isMoney(node)) this.#report("money-truth", node);
  }

  #readCall(node: Node): void {
    const [callee, given] = [node.callee as Node, (node.arguments as readonly Node[])[0]];
    const name = this.#textOf(callee);
    if (name === "Boolean") this.#readTest(given);
    if (PLACE.test(this.#textOf(node))) this.#report("record-place", node);
    if (FLOATS.has(name) && given !== undefined && this.#isMoney(given)) this.#report("money-cast", given);
    if (callee.type !== "MemberExpression" || !this.#isMoney(callee.object)) return;
    if (ROUNDINGS.has(this.#textOf(callee.property as Node))) this.#report("money-cast", callee.object as Node);
  }

  #readMember(node: Node): void {
    const name = this.#textOf(node);
    if (INEXACT.test(name)) this.#report("pure-math", node);
    if (CHANCE.test(name)) this.#report("seeded-chance", node);
    if (PLACE.test(name)) this.#report("record-place", node);
    if (CLOCK.test(name)) this.#report("one-clock", node);
  }

  /** Whether the expression is added to money, multiplied with it or assigned to it. */
  #isNearMoney(node: Node): boolean {
    if (node.type === "BinaryExpression") return this.#isMoney(node.left) || this.#isMoney(node.right);
    if (node.type === "AssignmentExpression") return this.#isMoney(node.left);
    if (node.type === "VariableDeclarator") return this.#isMoney(node.id);
    return node.type === "Property" && this.#isMoney(node.key);
  }

  #readNode(node: Node, isNear: boolean): void {
    const { type } = node;
    if (type === "IfStatement" || type === "WhileStatement" || type === "DoWhileStatement") this.#readTest(node.test);
    else if (type === "ConditionalExpression") this.#readTest(node.test);
    else if (type === "UnaryExpression" && node.operator === "!") this.#readTest(node.argument);
    else if (type === "LogicalExpression" && node.operator !== "??") this.#readTest(node.left);
    else if (type === "CallExpression") this.#readCall(node);
    else if (type === "MemberExpression") this.#readMember(node);
    else if (type === "NewExpression" && this.#textOf(node) === "new Date()") this.#report("one-clock", node);
    else if (type === "Literal" && isNear && FRACTION.test(this.#textOf(node))) this.#report("money-float", node);
  }

  read(node: Node, isNear = false): void {
    this.#readNode(node, isNear);
    const near = isNear || this.#isNearMoney(node);
    for (const member of Object.values(node)) {
      if (isNode(member)) this.read(member, near);
      else if (Array.isArray(member)) for (const one of member) if (isNode(one)) this.read(one, near);
    }
  }
}

/** What breaks a rule, one line each, starting with the file. */
export const checkExact = (root: string, files: readonly string[]): readonly string[] =>
  files
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const reader = new Reader(path, text);
      reader.read(parseSync(path, text).program as unknown as Node);
      return reader.problems;
    });
