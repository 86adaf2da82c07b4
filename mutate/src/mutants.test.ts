import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync } from "rolldown/utils";
import { expect, test } from "vitest";
import { mutantsOf, mutate, switchable } from "./mutants.ts";
import { FOLDERS, filesOf } from "./rooms.ts";
import { nameOf, readSurvivors } from "./survivors.ts";

const ROOT = resolve(import.meta.dirname, "../..");

const changed = (text: string): string[] => mutantsOf("a.ts", text).map((mutant) => mutate(text, mutant));

test("operators, conditions, literals and statements each get their changes", () => {
  expect(changed("const a = b + c;")).toEqual(["const a = ((b) - (c));"]);
  expect(changed("a(b < 1);")).toEqual([";", "a(((b) <= (1)));", "a(((b) >= (1)));", "a(b < (2));"]);
  expect(changed("if (a) b();")).toEqual(["if ((true)) b();", "if ((false)) b();", "if (a) ;"]);
  expect(changed("const a = b ? c : d;")).toEqual(["const a = (!(b)) ? c : d;"]);
  expect(changed("a += !b && true ? 1n : -c;")).toContain("a += !b && true ? (2n) : -c;");
  expect(changed("await a(b);")).toEqual([";"]);
  expect(changed("a = { 1: b, c: 2 };")).toEqual(["a = { 2: b, c: 2 };", "a = { 1: b, c: (3) };"]);
});

/** What a function's text gives for some arguments; an error by its name. */
function resultsOf(text: string): string[] {
  const made = new Function(`${text}\nreturn f;`)() as (a: number, b: number, c: boolean) => unknown;
  return [0, 1, 2, 5].flatMap((a) =>
    [-1, 1, 2].flatMap((b) =>
      [true, false].map((c) => {
        try {
          return JSON.stringify(made(a, b, c)) ?? "undefined";
        } catch (error) {
          return (error as Error).name;
        }
      }),
    ),
  );
}

test("with all mutants inactive a text does what it did, and with one active what it does with that one alone", () => {
  const text = `function f(a, b, c) {
  const told = [];
  const tell = (one) => told.push(one);
  tell(a + b * 3 - 1);
  if (a < b || (c && !(a >= 2))) tell({ 1: -a, b });
  else if (c) tell(a === b ? "same" : a ?? b);
  for (let i = 0; i < a && told.length < 20; i++) tell(i % 2);
  let sum = a;
  sum += b > 0 ? b : 0 - b;
  sum -= told[0]?.[a & 1] ?? 7;
  switch (a) {
    case 1:
      tell(sum);
      break;
    default:
      sum *= b << 1;
  }
  return [told, sum, c !== true];
}`;
  const mutants = mutantsOf("a.js", text);
  const awake = (id: number): string[] => {
    Object.assign(globalThis, { $mutant: (requested: number) => requested === id });
    return resultsOf(switchable(text, mutants, 10));
  };
  expect(mutants.length).toBeGreaterThan(50);
  expect(awake(0)).toEqual(resultsOf(text));
  for (const [index, mutant] of mutants.entries())
    expect([mutant.change, ...awake(10 + index)]).toEqual([mutant.change, ...resultsOf(mutate(text, mutant))]);
  Reflect.deleteProperty(globalThis, "$mutant");
});

test("every room's sources can be read with their mutants in them", () => {
  for (const { sources } of Object.values(FOLDERS))
    for (const file of filesOf(ROOT, sources, false)) {
      const text = readFileSync(join(ROOT, file), "utf8");
      expect([file, parseSync(file, switchable(text, mutantsOf(file, text), 0)).errors]).toEqual([file, []]);
    }
});

test("types, imports, assertions and thrown errors are unchanged", () => {
  expect(changed('import a from "a";\nlet b: 1 | 2;\nassert(b > 1, "R", "c");\nthrow new Error(1 + 2);')).toEqual([]);
  expect(changed("const a = b as 1;")).toEqual([]);
});

test("a mutant is named by its line's text and its change", () => {
  const [mutant] = mutantsOf("a.ts", "\n\n  const a = b * c;");
  expect(mutant).toMatchObject({ line: 3, code: "const a = b * c;", change: "* → /" });
  const twice = mutantsOf("a.ts", "a = b + c + d;").map(({ change }) => change);
  expect(twice).toEqual(["+ → -", "+ → - (2)"]);
});

test("every explained survivor is still a mutant of its file and has a reason", () => {
  const names = new Map<string, Set<string>>();
  for (const { file, code, change, reason } of readSurvivors()) {
    const known = names.get(file) ?? new Set(mutantsOf(file, readFileSync(join(ROOT, file), "utf8")).map(nameOf));
    names.set(file, known);
    expect([nameOf({ file, code, change }), known.has(nameOf({ file, code, change }))]).toEqual([
      expect.anything(),
      true,
    ]);
    expect(reason.length).toBeGreaterThan(10);
  }
});
