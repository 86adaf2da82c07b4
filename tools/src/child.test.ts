import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const PARENT_WATCH = resolve(import.meta.dirname, "parent-watch.mjs");
const CHILD = pathToFileURL(resolve(import.meta.dirname, "child.mjs")).href;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-child-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A launcher as small as possible around a server that counts the signals it gets and leaves with code 7. */
const launch = (): { launcher: ChildProcess; ended: Promise<number | null>; file: (name: string) => string } => {
  const file = (name: string): string => join(folder, name);
  writeFileSync(
    file("server.mjs"),
    `import { appendFileSync, writeFileSync } from "node:fs";
     for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => {
       appendFileSync(${JSON.stringify(file("signals"))}, name + " ");
       setTimeout(() => process.exit(7), 300);
     });
     setInterval(() => undefined, 1000);
     writeFileSync(${JSON.stringify(file("ready"))}, String(process.pid));`,
  );
  writeFileSync(
    file("launcher.mjs"),
    `import { run } from ${JSON.stringify(CHILD)};
     const args = ["--import", ${JSON.stringify(pathToFileURL(PARENT_WATCH).href)}, ${JSON.stringify(file("server.mjs"))}];
     process.exitCode = await run(process.execPath, args, { detached: true });`,
  );
  // In its own group, as a terminal or a service manager would start it.
  const launcher = spawn(process.execPath, [file("launcher.mjs")], { detached: true, stdio: "ignore" });
  return { launcher, ended: new Promise((done) => launcher.once("exit", (code) => done(code))), file };
};

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((done) => setTimeout(done, 20));
};

describe.skipIf(process.platform === "win32")("[START-5] the server stops with its launcher", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "hands on %s to the whole group exactly once, and the exit code back",
    async (signal) => {
      const { launcher, ended, file } = launch();
      await until(() => existsSync(file("ready")));
      process.kill(-Number(launcher.pid), signal);
      expect(await ended).toBe(7);
      expect(readFileSync(file("signals"), "utf8")).toBe(`${signal} `);
    },
  );

  it("stops the server when the launcher is killed and can say nothing", async () => {
    const { launcher, ended, file } = launch();
    await until(() => existsSync(file("ready")));
    launcher.kill("SIGKILL");
    await ended;
    // The file is there before its first word is.
    await until(() => existsSync(file("signals")) && readFileSync(file("signals"), "utf8") !== "");
    expect(readFileSync(file("signals"), "utf8")).toBe("SIGTERM ");
  });
});
