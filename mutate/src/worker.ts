// Owns the process that runs tests with mutants active: starts it, sends requests, ends it when a test never ends,
// restarts it.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Answer, Step, Task } from "./runner.ts";

/** The time limit of a test as a factor of its unchanged time: the machine may be busy, and the compiler cold. */
const TIMEOUT_FACTOR = 20;
const TIMEOUT_MORE_MS = 15_000;
/** Time limit of reading the tests: at the lowest priority on a busy machine it has taken six minutes. */
const LOADING_MS = 1_200_000;
/** Time is counted in steps of this, so that a stall of this process itself is one step. */
const TICK_MS = 1_000;
const ANSWERS = 3;
const AFRESH = "-1";

export interface Verdict {
  /**
   * Unclear: the process ended though it catches what tests throw, so that the cause is unknown. Late: it met too little
   * to be endless and took too long all the same, which may be due to the machine.
   */
  readonly kind: "killed" | "never ended" | "survived" | "unclear" | "late";
  readonly by: string;
  /** The test that noticed it. */
  readonly at?: Pick<Step, "file" | "test"> | undefined;
}

type How = "answered" | "ended" | "late";

function verdictOf(how: How, failure: string | undefined, child: ChildProcess): Verdict {
  if (how === "late") return { kind: "late", by: "" };
  if (failure === "never ends") return { kind: "never ended", by: "" };
  // The runtime gives up by this signal when a loop has filled the memory it is given.
  if (how === "ended" && child.signalCode === "SIGABRT") return { kind: "never ended", by: "" };
  if (how === "ended") return { kind: "unclear", by: `ended with ${child.exitCode ?? child.signalCode}` };
  return failure === undefined ? { kind: "survived", by: "" } : { kind: "killed", by: failure };
}

export class Worker {
  readonly #planFile: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #usualMs: (file: number, test: number) => number;
  #child: ChildProcess | undefined;

  constructor(planFile: string, env: NodeJS.ProcessEnv, usualMs: (file: number, test: number) => number) {
    this.#planFile = planFile;
    this.#env = env;
    this.#usualMs = usualMs;
  }

  #start(awake: string): ChildProcess {
    const runner = join(import.meta.dirname, "runner.ts");
    const child = spawn(process.execPath, ["--max-old-space-size=1024", runner, this.#planFile, awake], {
      env: { ...process.env, ...this.#env },
      stdio: ["pipe", "ignore", "ignore", "pipe"],
      // Its own group, so that what tests start ends with it.
      detached: true,
    });
    child.stdin?.on("error", () => {
      // It ended before it had read everything; its exit is what counts.
    });
    this.#child = child;
    return child;
  }

  /** Hands every answer on until one is the last; false when the process ended or a test took too long. */
  #ask(child: ChildProcess, task: Task, take: (answer: Answer) => boolean): Promise<How> {
    return new Promise((done) => {
      const lines = createInterface({ input: child.stdio[ANSWERS] as Readable });
      let leftMs = LOADING_MS;
      const timer = setInterval(() => {
        leftMs -= TICK_MS;
        if (leftMs <= 0) end("late");
      }, TICK_MS);
      const end = (how: How): void => {
        clearInterval(timer);
        child.off("exit", onExit);
        lines.close();
        done(how);
      };
      const onExit = (): void => end("ended");
      child.on("exit", onExit);
      lines.on("line", (line) => {
        const answer = JSON.parse(line) as Answer;
        if (answer.kind === "running") {
          leftMs = this.#usualMs(answer.file, answer.test) * TIMEOUT_FACTOR + TIMEOUT_MORE_MS;
        } else if (take(answer)) end("answered");
      });
      child.stdin?.write(`${JSON.stringify(task)}\n`);
    });
  }

  /** Runs every test unchanged and reports the mutants it reached; false when that could not be finished. */
  async record(take: (answer: Answer) => void): Promise<boolean> {
    const how = await this.#ask(this.#start(AFRESH), { record: true }, (answer) => {
      take(answer);
      return answer.kind === "recorded";
    });
    this.stop();
    return how === "answered";
  }

  async #judgeIn(child: ChildProcess, mutant: number, steps: readonly Step[]) {
    let verdict: Extract<Answer, { kind: "verdict" }> | undefined;
    const how = await this.#ask(child, { mutant, steps }, (answer) => {
      if (answer.kind !== "verdict") return false;
      verdict = answer;
      return true;
    });
    if (how !== "answered") this.stop();
    const { failure, spoiled = false, at } = verdict ?? {};
    return { ...verdictOf(how, failure, child), spoiled, at };
  }

  /**
   * Whether a test notices a mutant. `afresh`: in a new process in which it is active from the first import on. A
   * process in which a mutant leaves something behind judges no other, and its verdict is requested again in a new one.
   */
  async judge(mutant: number, steps: readonly Step[], afresh: boolean): Promise<Verdict> {
    if (afresh) {
      // The warm one is kept for the next.
      const warm = this.#child;
      const verdict = await this.#judgeIn(this.#start(String(mutant)), mutant, steps);
      this.stop();
      this.#child = warm;
      return verdict;
    }
    const first = await this.#judgeIn(this.#child ?? this.#start(AFRESH), mutant, steps);
    if (!first.spoiled) return first;
    this.stop();
    const second = await this.#judgeIn(this.#start(AFRESH), mutant, steps);
    if (second.spoiled) this.stop();
    return second;
  }

  stop(): void {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, "SIGKILL");
  }
}
