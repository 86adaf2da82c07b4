// A release is run as an operator runs it: from a folder of its own, without npm, without what is in the clone beside it.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listPackages, stageRelease } from "./release.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const ENVIRONMENT = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", CW_SETTINGS: "off", CW_LOG_LEVEL: "warn" };

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-release-"));
  stageRelease(ROOT, join(folder, "clockwork"));
  const bin = join(folder, "clockwork/deploy/bin");
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("[OPS-7] the archive holds what runs and nothing of tests and tools", () => {
  const within = (pattern: string) => globSync(pattern, { cwd: join(folder, "clockwork") });
  for (const path of ["deploy/systemd/clockwork.service", "content/company.json", "docs/runbook.md", "LICENSE"])
    expect(existsSync(join(folder, "clockwork", path)), path).toBe(true);
  expect(within("areas/*/src/*/*.sql").length).toBeGreaterThan(20);
  expect(within("{e2e,tools,bench,mutate}")).toEqual([]);
  expect(within("{core,kit,areas/*}/src/**/*.test.ts")).toEqual([]);
  const packages = listPackages(ROOT);
  expect(packages).toContain("node_modules/fastify");
  for (const name of ["vitest", "typescript", "@biomejs/biome", "playwright-core", "vite", "ccxt"])
    expect(packages).not.toContain(`node_modules/${name}`);
});

test("[OPS-7] the archive's journals have the name of the clone's, and it serves a page without a build", async () => {
  const bin = join(folder, "clockwork/deploy/bin");
  const version = (program: string, args: readonly string[]) =>
    String(execFileSync(program, args, { cwd: folder, env: ENVIRONMENT }));
  const own = version(process.execPath, [join(ROOT, "apps/server/build/cli.js"), "version"]);
  expect(version(join(bin, "clockwork"), ["version"])).toBe(own);

  const env = {
    ...ENVIRONMENT,
    PORT: "0",
    HOST: "127.0.0.1",
    CW_DATA: join(folder, "data"),
    CW_MARKET: "off",
    CW_CHAIN: "off",
  };
  const server = spawn(join(bin, "clockwork-server"), [], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const port = await new Promise<string>((done, fail) => {
      let text = "";
      server.stdout.on("data", (part: Buffer) => {
        text += part.toString();
        const found = /serving on http:\/\/[^:]+:(\d+)/.exec(text)?.[1];
        if (found !== undefined) done(found);
      });
      server.once("exit", (code) => fail(new Error(`ended with ${code}: ${text}`)));
    });
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([page.status, (await page.text()).includes("<h1")]).toEqual([200, true]);
    execFileSync(join(bin, "clockwork-health"), [], { env: { ...ENVIRONMENT, PORT: port } });
  } finally {
    server.removeAllListeners("exit");
    if (server.exitCode === null) {
      const ended = new Promise((done) => server.once("exit", done));
      server.kill("SIGTERM");
      await ended;
    }
  }
  // Stopped in order, its folder is read by the archive's own command line.
  const verified = version(join(bin, "clockwork"), ["verify", join(folder, "data")]);
  expect(verified).toMatch(/^tables {4}agree/m);
});
