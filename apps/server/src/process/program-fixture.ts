// The server's programs for tests that start them as processes: as built where the run has just built them, because the
// sources take several times as long to start.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { copyTables } from "../storage/test-template.ts";

const built = (name: string): string => join(import.meta.dirname, `../../build/${name}.js`);
const isBuilt = process.env.CW_E2E_BUILT === "1" && existsSync(built("main"));

export function programOf(name: "main" | "cli"): string[] {
  return isBuilt ? [built(name)] : ["--conditions=development", join(import.meta.dirname, `${name}.ts`)];
}

/**
 * None of the run's own settings, but a shared compile cache. Passwords and pages run at normal priority: among tests
 * that keep every core busy, low priority gets almost no time.
 */
export const PROGRAM_ENVIRONMENT: Readonly<Record<string, string>> = {
  CW_SETTINGS: "off",
  CW_PASSWORD_PRIORITY: "normal",
  CW_PAGE_PRIORITY: "normal",
  PATH: process.env.PATH ?? "",
  ...(process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  ...(isBuilt ? { NODE_ENV: "production" } : { CW_MODE: "development" }),
};

export interface ServedProgram {
  readonly url: string;
  /** The first operators with their passwords, a line each. */
  readonly announced: readonly string[];
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** The whole server in its own process, without a market and chains, over an existing folder or a new one. */
export async function serveProgram(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedProgram> {
  await copyTables(folder);
  const child = spawn(process.execPath, programOf("main"), {
    env: {
      ...PROGRAM_ENVIRONMENT,
      CW_DATA: folder,
      CW_CHAIN: "off",
      CW_MARKET: "off",
      CW_CAPTCHA: "off",
      CW_RATE_WEIGHT_PER_MINUTE: "0",
      HOST: "127.0.0.1",
      PORT: "0",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  let reply = "";
  const port = await new Promise<string>((done, fail) => {
    child.stdout.on("data", (part: Buffer) => {
      reply += part.toString();
      const found = /serving on http:\/\/[^:]+:(\d+)/.exec(reply)?.[1];
      if (found !== undefined) done(found);
    });
    child.once("exit", (code) => fail(new Error(`ended with ${code}: ${reply}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    get announced() {
      return reply.split("\n").filter((line) => /account \S+, password/.test(line));
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
