// Owns what the core's benchmarks share: an engine in its own process, its sources bundled first as the production
// build bundles them, and the printed lines. Never measures anything itself.
import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inlineRecords } from "@clockwork/tools/inline-records";

/** The flags of the core's thread in production, and one more that only a separate process can have. */
export const HOST_FLAGS = ["--max-inlined-bytecode-size=2000", "--max-inlined-bytecode-size-cumulative=12000"];
export const CORE_FLAGS = [...HOST_FLAGS, "--no-maglev"];

/** Large tables on large pages, where Linux gives them on request; the recommended setting of a busy exchange. */
export const HUGE_PAGES = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" };

export interface Child {
  ask<T>(request: Record<string, string | number>): Promise<T>;
  end(): void;
}

export function startChild(file: string, flags: readonly string[], env: NodeJS.ProcessEnv = {}): Child {
  const child: ChildProcess = fork(file, [], {
    env: { ...process.env, ...env },
    execArgv: ["--expose-gc", ...flags],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        const lost = (code: number | null): void => reject(new Error(`the engine's process ended with ${code}`));
        child.once("exit", lost);
        child.once("message", (message: { result?: never; error?: string }) => {
          child.off("exit", lost);
          if (message.error === undefined) resolve(message.result as never);
          else reject(new Error(message.error));
        });
        child.send(request);
      }),
    end: () => child.disconnect(),
  };
}

/** Joins a child into one file with constants in place, so that the compiler sees what production's does. */
export async function withBundle<T>(child: string, work: (file: string) => Promise<T>): Promise<T> {
  // The bundler of the production build, used the same way.
  const { rolldown } = await import("rolldown");
  // Next to the sources' packages, so that the peers are found from it.
  const cache = join(import.meta.dirname, "../../.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bench-"));
  try {
    const bundle = await rolldown({
      input: join(import.meta.dirname, `${child}.ts`),
      platform: "node",
      external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("@clockwork/"),
      optimization: { inlineConst: { mode: "all", pass: 3 } },
      plugins: [inlineRecords()],
      onLog: () => {},
    });
    const file = join(folder, `${child}.mjs`);
    await bundle.write({ file, format: "esm" });
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The child's side: answers one request at a time, and ends with its parent. */
export function answerParent<R>(answer: (request: R) => unknown): void {
  const serve = async (request: R): Promise<void> => {
    try {
      process.send?.({ result: await answer(request) });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  };
  process.on("message", (request: R) => void serve(request));
  process.on("disconnect", () => process.exit(0));
}

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

export interface Line {
  readonly case: string;
  readonly opsPerSec: number;
  /** What is compared with the bar: a ratio, or a figure in the unit the case names. */
  readonly ratio: number;
  readonly must: string;
  readonly kept: boolean;
}

export type Report = (name: string, opsPerSec: number, ratio: number, must: string, kept: boolean) => void;

/** Prints each line as it comes and remembers whether every bar was kept. */
export class Reporter {
  readonly lines: Line[] = [];
  readonly #isJson: boolean;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  readonly report: Report = (name, opsPerSec, ratio, must, kept) => {
    const line: Line = {
      case: name.trim(),
      opsPerSec: Math.round(opsPerSec),
      ratio: Math.round(ratio * 1_000) / 1_000,
      must,
      kept,
    };
    this.lines.push(line);
    const speed = opsPerSec === 0 ? "" : `${(opsPerSec / 1e6).toFixed(3)} M/s`;
    const bar = must === "-" ? "" : `must ${must.padEnd(6)} ${kept ? "kept" : "MISSED"}`;
    const text = `${name.padEnd(58)} ${speed.padStart(11)} ${ratio.toFixed(2).padStart(8)}  ${bar}`;
    process.stdout.write(`${this.#isJson ? JSON.stringify(line) : text.trimEnd()}\n`);
  };

  get kept(): boolean {
    return this.lines.every(({ kept }) => kept);
  }
}
