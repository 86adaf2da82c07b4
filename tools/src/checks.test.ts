// Proves the checks themselves: every rule of the project reports its planted violation and ignores the valid
// counterpart. Runs on a temporary miniature of the layout with the real biome.json, so a loosened rule fails here.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkArrows } from "./check-arrows.ts";
import { checkExact } from "./check-exact.ts";
import { listFiles } from "./files.ts";
import { ALLOWED, PLANTED } from "./planted.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const AREAS = readdirSync(join(ROOT, "areas"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const WORKSPACES = [
  ...["kit", "core", "host", "ui", "apps/server", "apps/web", "sim", "e2e", "bench", "tools", "mutate", "devchain"],
  ...AREAS.map(({ name }) => `areas/${name}`),
];

interface Diagnostic {
  readonly category: string;
  readonly severity: string;
  readonly location: { readonly path: string };
}

const KNIP_KINDS = ["exports", "unlisted", "dependencies"] as const;
type KnipIssue = { readonly file: string } & Readonly<
  Partial<Record<(typeof KNIP_KINDS)[number], readonly { readonly name: string }[]>>
>;

const folder = mkdtempSync(join(tmpdir(), "cw-checks-"));
let reported: readonly string[] = [];

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

const lint = (): Promise<readonly string[]> =>
  new Promise((done, fail) => {
    const args = ["lint", "--reporter=json", "--max-diagnostics=none", "--colors=off", "."];
    execFile(join(ROOT, "node_modules/.bin/biome"), args, { cwd: folder, maxBuffer: 1 << 26 }, (_error, stdout) => {
      try {
        const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] };
        const errors = diagnostics.filter(({ severity }) => severity === "error");
        done(errors.map(({ category, location }) => `${location.path} ${category.split("/").at(-1)}`));
      } catch (error) {
        fail(error);
      }
    });
  });

beforeAll(async () => {
  for (const path of ["biome.json", ".gitignore", "package.json"]) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  for (const workspace of WORKSPACES) {
    mkdirSync(join(folder, workspace), { recursive: true });
    cpSync(join(ROOT, workspace, "package.json"), join(folder, workspace, "package.json"));
  }
  for (const { path, text } of [...PLANTED, ...ALLOWED]) put(path, text);
  const inexact = checkExact(folder, listFiles(folder)).map((line) => line.replace(/:\d+ \[([a-z-]+)\].*/, " $1"));
  const arrows = checkArrows(folder, listFiles(folder)).map((line) => line.replace(/ \[(arrow)\].*/, " $1"));
  reported = [...(await lint()), ...inexact, ...arrows];
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("[HOUSE-5] nothing dead", () => {
  let dead: readonly string[] = [];
  const mini = mkdtempSync(join(tmpdir(), "cw-knip-"));
  afterAll(() => rmSync(mini, { recursive: true, force: true }));

  beforeAll(async () => {
    for (const path of [
      "knip.json",
      "package.json",
      "tsconfig.base.json",
      ...WORKSPACES.map((one) => `${one}/package.json`),
    ]) {
      cpSync(join(ROOT, path), join(mini, path), { recursive: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(mini, "node_modules"));
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(mini, path)), { recursive: true });
      writeFileSync(join(mini, path), text);
    };
    write("kit/src/money.ts", "export const used = 1;\nexport const unused = 2;\n");
    write(
      "core/src/machine/machine.ts",
      'import { used } from "../../../kit/src/money.ts";\nimport "left-pad";\nconsole.log(used);\n',
    );
    dead = await new Promise((done, fail) => {
      const args = [join(ROOT, "node_modules/knip/bin/knip.js"), "--reporter", "json", "--no-progress"];
      execFile(process.execPath, args, { cwd: mini, maxBuffer: 1 << 26 }, (_error, stdout, stderr) => {
        try {
          const { issues } = JSON.parse(stdout) as { issues: readonly KnipIssue[] };
          done(
            issues.flatMap((issue) =>
              KNIP_KINDS.flatMap((kind) => (issue[kind] ?? []).map(({ name }) => `${issue.file} ${kind} ${name}`)),
            ),
          );
        } catch {
          fail(new Error(stderr || stdout));
        }
      });
    });
  });

  it("an unused export is reported, a used one is not", () => {
    expect(dead).toContain("kit/src/money.ts exports unused");
    expect(dead).not.toContain("kit/src/money.ts exports used");
  });

  it("an unlisted dependency is reported", () => {
    expect(dead).toContain("core/src/machine/machine.ts unlisted left-pad");
  });

  it("an unused dependency is reported", () => {
    expect(dead).toContain("ui/package.json dependencies react-aria-components");
  });
});

describe("[HOUSE-5] lint walls", () => {
  it.each(PLANTED)("$title is reported as $rule", ({ path, rule }) => {
    expect(reported).toContain(`${path} ${rule}`);
  });

  it.each(ALLOWED)("$path is allowed", ({ path }) => {
    expect(reported.filter((line) => line.startsWith(`${path} `))).toEqual([]);
  });
});
