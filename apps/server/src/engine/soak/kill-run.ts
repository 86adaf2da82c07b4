// Owns one kill test: start the load, kill -9 it at a random moment, restart, and compare with what was acknowledged.
// Must fail on the first acknowledged command that is lost, moved or applied twice.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeCommand } from "@clockwork/core/protocol/codec";
import { later } from "@clockwork/host/time/background";
import { localFiles } from "../journal/files.ts";
import { FrameReader } from "../journal/frame.ts";
import { listSegments, readBatches } from "../journal/segments.ts";
import { type MachineFactory, recover } from "../recovery/recovery.ts";

export interface KillOptions {
  readonly folder: string;
  readonly run: number;
  /** Milliseconds after the load's first acknowledgements, or after the start of the process when `early`. */
  readonly delayMs: number;
  readonly early: boolean;
  readonly factory: MachineFactory;
}

export interface KillResult {
  readonly acknowledged: number;
  readonly sequence: number;
  readonly stateHash: string;
}

const LOAD = new URL("./kill-load.ts", import.meta.url).pathname;

/** Acknowledgements of earlier runs, by client order id; every run checks all of them again. */
export async function runKill(options: KillOptions, answer: Map<string, number>): Promise<KillResult> {
  const pathOfAnswer = join(options.folder, `told-${options.run}.txt`);
  await killLoad(options, pathOfAnswer);
  const lines = existsSync(pathOfAnswer) ? readFileSync(pathOfAnswer, "utf8").split("\n") : [];
  // The last line may be cut by the kill; it was then not acknowledged.
  lines.pop();
  let acknowledged = 0;
  for (const line of lines) {
    const [id, sequence] = line.split(" ");
    if (id === undefined || sequence === undefined) continue;
    answer.set(id, Number(sequence));
    acknowledged++;
  }
  const { sequence, stateHash } = comeBack(options);
  checkAnswers(options.folder, answer, sequence);
  return { acknowledged, sequence, stateHash };
}

function killLoad(options: KillOptions, pathOfAnswer: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LOAD, options.folder, String(options.run), pathOfAnswer], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let problem = "";
    let killed = false;
    const kill = (): void => {
      later(
        "kill",
        () => {
          killed = true;
          child.kill("SIGKILL");
        },
        options.delayMs,
      );
    };
    if (options.early) kill();
    // The load prints one word, when its first orders were acknowledged.
    child.stdout.once("data", () => {
      if (!options.early) kill();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      problem += text;
    });
    child.on("close", (code, signal) => {
      if (killed && signal === "SIGKILL") resolve();
      else reject(new Error(`the load ended by itself with ${code ?? signal}: ${problem}`));
    });
  });
}

/** The state by snapshot and by the whole journal; they must agree. */
function comeBack(options: KillOptions): { sequence: number; stateHash: string } {
  const places = {
    files: localFiles,
    journalFolder: join(options.folder, "journal"),
    snapshotFolder: join(options.folder, "snapshots"),
    factory: options.factory,
  };
  const short = recover(places).machine;
  const whole = recover({ ...places, withoutSnapshots: true }).machine;
  const [sequence, stateHash] = [whole.sequence, whole.stateHash()];
  if (short.sequence !== sequence || short.stateHash() !== stateHash) {
    throw new Error(`snapshot and journal disagree at ${short.sequence} and ${sequence}`);
  }
  return { sequence, stateHash };
}

function checkAnswers(folder: string, answer: ReadonlyMap<string, number>, lastSequence: number): void {
  const found = new Map<string, number>();
  const reader = new FrameReader();
  for (const batch of readBatches(localFiles, listSegments(localFiles, join(folder, "journal")), 1, lastSequence)) {
    reader.open(batch);
    while (reader.next() > 0) {
      const command = decodeCommand(reader.bytes);
      if (command.kind !== "placeOrder") continue;
      if (found.has(command.clientOrderId)) throw new Error(`order ${command.clientOrderId} is in the journal twice`);
      found.set(command.clientOrderId, command.sequence);
    }
  }
  for (const [id, sequence] of answer) {
    const at = found.get(id);
    if (at !== sequence) throw new Error(`order ${id} was acknowledged at ${sequence} but is at ${at ?? "no place"}`);
  }
}
