import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { mutantsOf, mutate } from "./mutants.ts";
import { readSurvivors } from "./survivors.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

const changed = (text: string): string[] => mutantsOf("a.ts", text).map((mutant) => mutate(text, mutant));

test("operators, conditions, literals and statements each get their changes", () => {
  expect(changed("const a = b + c;")).toEqual(["const a = b - c;"]);
  expect(changed("a(b < 1);")).toEqual([";", "a(b <= 1);", "a(b >= 1);", "a(b < 2);"]);
  expect(changed("if (a) b();")).toEqual(["if (true) b();", "if (false) b();", "if (a) ;"]);
  expect(changed("const a = b ? c : d;")).toEqual(["const a = !(b) ? c : d;"]);
  expect(changed("a += !b && true ? 1n : -c;")).toContain("a += !b && true ? 2n : -c;");
  expect(changed("await a(b);")).toEqual([";"]);
});

test("types, imports, assertions and thrown errors stay as they are", () => {
  expect(changed('import a from "a";\nlet b: 1 | 2;\nassert(b > 1, "R", "c");\nthrow new Error(1 + 2);')).toEqual([]);
  expect(changed("const a = b as 1;")).toEqual([]);
});

test("a mutant is named by its line's text and its change", () => {
  const [mutant] = mutantsOf("a.ts", "\n\n  const a = b * c;");
  expect(mutant).toMatchObject({ line: 3, code: "const a = b * c;", change: "* → /" });
});

test("every explained survivor is still a mutant of its file and has a reason", () => {
  for (const { file, code, change, reason } of readSurvivors()) {
    const names = mutantsOf(file, readFileSync(join(ROOT, file), "utf8")).map((one) => `${one.code} ${one.change}`);
    expect([file, names.includes(`${code} ${change}`)], `${file}: ${code} ${change}`).toEqual([file, true]);
    expect(reason.length).toBeGreaterThan(10);
  }
});
