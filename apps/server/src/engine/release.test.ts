import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { nameRelease } from "./release.ts";

const root = mkdtempSync(join(tmpdir(), "cw-release-"));
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("[JOURNAL-20] a release is named by its version and by what the machine is made of, tests left out", () => {
  expect(nameRelease("1.2.3", root)).toBe("1.2.3");
  for (const folder of ["core/src/book", "kit/src"]) mkdirSync(join(root, folder), { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  write("core/src/book/match.ts", "a");
  write("kit/src/money.ts", "b");
  const first = nameRelease("1.2.3", root);
  expect(first).toMatch(/^1\.2\.3\+[0-9a-f]{12}$/);
  write("core/src/book/match.test.ts", "c");
  expect(nameRelease("1.2.3", root)).toBe(first);
  write("core/src/book/match.ts", "d");
  expect(nameRelease("1.2.3", root)).not.toBe(first);
});
