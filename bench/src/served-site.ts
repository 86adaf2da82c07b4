// A served process for benchmarks: built, on a free port, with a data folder of its own that goes with it. Its market is
// quiet unless the settings say otherwise: it would take the processor time that is measured.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

export interface Site {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

export async function startSite(name: string, settings: Readonly<Record<string, string>> = {}): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), `clockwork-${name}-`));
  const child = spawn(process.execPath, ["apps/server/build/main.js"], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: "0",
      HOST: "127.0.0.1",
      CW_DATA: folder,
      CW_LOG_LEVEL: "error",
      CW_MARKET: "off",
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const origin = await new Promise<string>((done, fail) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const port = /http:\/\/[^\s:]+:(\d+)/.exec(said)?.[1];
      if (port !== undefined) done(`http://127.0.0.1:${port}`);
    });
    child.once("exit", (code) => fail(new Error(`the site ended with ${code}:\n${said}`)));
  });
  return {
    origin,
    stop: async () => {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
