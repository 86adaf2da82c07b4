// The served process as visitors meet it: built, with the simulated market running, in a throwaway folder.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const MARKET_TRIES = 200;

export async function startServer(): Promise<{ readonly origin: string; readonly stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "clockwork-visitors-"));
  const child = spawn(process.execPath, ["apps/server/build/main.js"], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: "0",
      HOST: "127.0.0.1",
      CW_DATA: folder,
      CW_LOG_LEVEL: "error",
      // One machine plays all visitors; the limit per address is another test's.
      CW_RATE_WEIGHT_PER_MINUTE: "0",
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
  await waitForMarket(origin);
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

async function waitForMarket(origin: string): Promise<void> {
  for (let tries = 0; tries < MARKET_TRIES; tries++) {
    const response = await fetch(`${origin}/api/v1/spot/quotations`);
    const { data } = (await response.json()) as { readonly data?: readonly { readonly last: string }[] | null };
    if ((data?.length ?? 0) > 0 && data?.every(({ last }) => Number(last) > 0)) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error("the market did not begin");
}
