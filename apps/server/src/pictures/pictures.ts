// The one place where pictures of strangers are unpacked: a single process beside the server, at the lowest priority,
// with a bounded queue in front and bounds of pixels, time and memory. A picture that breaks it harms nobody else.
import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Redrawn } from "@clockwork/kit/picture";
import { readPictureHead } from "./picture-size.ts";
import type { PictureAnswer, PictureTask } from "./picture-task.ts";

export interface Pictures {
  /** Draws a picture anew, so that nothing hidden in the file survives. */
  redraw(bytes: Uint8Array): Promise<Redrawn>;
  /** True while a process lives. */
  readonly isAwake: boolean;
  close(): void;
}

export interface PictureBounds {
  readonly pixelsMax: number;
  readonly waitingMax: number;
  /** Of one picture, from when it is begun. */
  readonly drawMsMax: number;
  readonly memoryBytesMax: number;
  /** A process without work for so long ends; the next picture begins it again. */
  readonly restMs: number;
}

const DEFAULTS: PictureBounds = {
  pixelsMax: 50_000_000,
  waitingMax: 8,
  drawMsMax: 15_000,
  memoryBytesMax: 900 * 1024 * 1024,
  restMs: 20_000,
};
/** It may read programs and nothing may be written, started or listened to. */
const WORKER_FLAGS = ["--max-old-space-size=64", "--permission", "--allow-addons", "--allow-fs-read=*"];

interface Waiting {
  readonly task: PictureTask;
  readonly done: (redrawn: Redrawn) => void;
}

export function openPictures(bounds: Partial<PictureBounds> = {}): Pictures {
  return new PictureDesk({ ...DEFAULTS, ...bounds });
}

class PictureDesk implements Pictures {
  readonly #bounds: PictureBounds;
  readonly #queue: Waiting[] = [];
  #current: Waiting | undefined;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 1;
  #isClosed = false;

  constructor(bounds: PictureBounds) {
    this.#bounds = bounds;
  }

  get isAwake(): boolean {
    return this.#child !== undefined;
  }

  async redraw(bytes: Uint8Array): Promise<Redrawn> {
    const head = readPictureHead(bytes);
    if (head === undefined || head.width * head.height > this.#bounds.pixelsMax) return "invalid";
    if (this.#isClosed || this.#queue.length >= this.#bounds.waitingMax) return "busy";
    return new Promise((done) => {
      this.#queue.push({ task: { id: this.#nextId, bytes }, done });
      this.#nextId += 1;
      this.#feed();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const { done } of this.#queue.splice(0)) done("busy");
    this.#lose("busy");
  }

  #feed(): void {
    if (this.#current !== undefined) return;
    const next = this.#queue.shift();
    clearTimeout(this.#timer);
    if (next === undefined) {
      this.#timer = setTimeout(() => this.#lose("busy"), this.#bounds.restMs);
      this.#timer.unref();
      return;
    }
    this.#current = next;
    this.#child ??= this.#spawn();
    this.#timer = setTimeout(() => this.#lose("invalid"), this.#bounds.drawMsMax);
    this.#child.send(next.task, (error) => {
      if (error !== null && this.#current === next) this.#lose("busy");
    });
  }

  #spawn(): ChildProcess {
    const { pixelsMax, memoryBytesMax } = this.#bounds;
    const child = fork(
      fileURLToPath(new URL("./picture-worker.ts", import.meta.url)),
      [String(pixelsMax), String(memoryBytesMax)],
      {
        execArgv: WORKER_FLAGS,
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        // Of the settings, which hold secrets, it is told nothing.
        env: {},
      },
    );
    lowerPriority(child.pid);
    child.unref();
    child.channel?.unref();
    child.on("message", (answer) => this.#settle(child, answer as PictureAnswer));
    // What has broken it would break it again.
    child.on("exit", () => this.#lose("invalid", child));
    child.on("error", () => this.#lose("busy", child));
    return child;
  }

  #settle(child: ChildProcess, { id, bytes, mediaType }: PictureAnswer): void {
    const waiting = this.#current;
    if (child !== this.#child || waiting?.task.id !== id) return;
    this.#current = undefined;
    waiting.done(bytes === undefined || mediaType === undefined ? "invalid" : { bytes, mediaType });
    this.#feed();
  }

  /** Ends the process with the picture it has; whoever waits behind gets another. */
  #lose(redrawn: "invalid" | "busy", child = this.#child): void {
    if (child !== this.#child || child === undefined) return;
    clearTimeout(this.#timer);
    this.#child = undefined;
    child.kill("SIGKILL");
    const waiting = this.#current;
    this.#current = undefined;
    waiting?.done(redrawn);
    if (this.#queue.length > 0) this.#feed();
  }
}

/** Whoever trades comes first. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system does not let us; the bounds hold all the same.
  }
}
