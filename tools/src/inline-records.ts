// Owns how the core's described records become plain array accesses in a build: `getWord(words, at, MEMBER)` is
// `words[at + MEMBER]`. The compiler of the engine would inline the calls too, but counts them against what it inlines of
// the functions around them. Changes nothing about what the text means; unbuilt it runs as it is written.
import type { Plugin } from "rolldown";
import { parseSync } from "rolldown/utils";
import { isNode, type Node } from "./syntax.ts";

/** The functions of core/src/memory/record.ts, by name. */
const ACCESSES: Readonly<Record<string, (args: readonly string[]) => string>> = {
  getWord: ([words, at, member]) => `${words}[${at} + ${member}]`,
  setWord: ([words, at, member, value]) => `(${words}[${at} + ${member}] = ${value})`,
  addWord: ([words, at, member, value]) => `(${words}[${at} + ${member}] += ${value})`,
  getDouble: ([doubles, at, member]) => `${doubles}[(${at} >> 1) + ${member}]`,
  setDouble: ([doubles, at, member, value]) => `(${doubles}[(${at} >> 1) + ${member}] = ${value})`,
  addDouble: ([doubles, at, member, value]) => `(${doubles}[(${at} >> 1) + ${member}] += ${value})`,
};

interface Call {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly args: readonly Node[];
}

/** What a module imports of them; one of its own may have the same name. */
const IMPORT = /^import \{([^}]*)\} from "[^"]*memory\/record\.ts";$/m;

const findCalls = (node: Node, names: ReadonlySet<string>, found: Call[]): Call[] => {
  const { type, callee, start, end } = node as Node & { readonly callee?: { readonly name?: string } };
  const args = (node as Node & { readonly arguments?: readonly Node[] }).arguments;
  const name = callee?.name;
  if (type === "CallExpression" && name !== undefined && names.has(name) && args !== undefined)
    found.push({ start, end, name, args });
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) findCalls(child, names, found);
  return found;
};

/** The text from `start` to `end` with every access in it written out. */
const writeOut = (code: string, calls: readonly Call[], start: number, end: number): string => {
  let text = "";
  let at = start;
  for (const call of calls) {
    if (call.start < at || call.end > end) continue;
    const args = call.args.map((arg) => `(${writeOut(code, calls, arg.start, arg.end)})`);
    text += code.slice(at, call.start) + (ACCESSES[call.name] as (args: readonly string[]) => string)(args);
    at = call.end;
  }
  return text + code.slice(at, end);
};

export const inlineRecords = (): Plugin => ({
  name: "inline-records",
  transform(code, id) {
    if (!/\/core\/src\//.test(id) || !id.endsWith(".ts")) return undefined;
    const imported =
      IMPORT.exec(code)?.[1]
        ?.split(",")
        .map((name) => name.trim()) ?? [];
    const names = new Set(imported.filter((name) => Object.hasOwn(ACCESSES, name)));
    if (names.size === 0) return undefined;
    const calls = findCalls(parseSync(id, code).program as unknown as Node, names, []);
    return { code: writeOut(code, calls, 0, code.length), map: null };
  },
});
