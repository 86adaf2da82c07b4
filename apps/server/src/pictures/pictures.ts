// The one place where uploaded pictures are unpacked: a single process next to the server, at the lowest priority, with
// a bounded queue in front, a fair share of it per caller, and bounds of pixels, time and memory. A picture that
// crashes it affects no other.
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { readingCaller } from "@clockwork/host/reading";
import { later } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";
import type { Redrawn, RedrawOptions } from "@clockwork/kit/picture";
import { readPictureHead } from "./picture-size.ts";
import type { PictureAnswer, PictureTask } from "./picture-task.ts";

export interface Pictures {
  /** Draws a picture anew, so that nothing hidden in the file survives; a file that is something else besides is refused. */
  redraw(bytes: Uint8Array, options?: RedrawOptions): Promise<Redrawn>;
  /** True while a process lives. */
  readonly isAwake: boolean;
  close(): void;
}

export interface PictureBounds {
  readonly pixelsMax: number;
  /** Of PNG and WebP, which cost many times what a photograph of that size does; screenshots are smaller. */
  readonly drawnPixelsMax: number;
  readonly waitingMax: number;
  /** Of one caller. */
  readonly waitingEachMax: number;
  /** Processor time for one picture, from its start: at the lowest priority wall time is no measure of the picture. */
  readonly drawMsMax: number;
  /** By the clock: a machine that gives the process no time is busy, and the picture is not to blame. */
  readonly waitMsMax: number;
  readonly memoryBytesMax: number;
  /** A process idle for this long exits; the next picture starts it again. */
  readonly restMs: number;
}

const DEFAULTS: PictureBounds = {
  pixelsMax: 50_000_000,
  drawnPixelsMax: 24_000_000,
  waitingMax: 32,
  waitingEachMax: 3,
  drawMsMax: 15_000,
  waitMsMax: 60_000,
  memoryBytesMax: 900 * 1024 * 1024,
  restMs: 20_000,
};
/** It may read programs and nothing may be written, started or listened to. */
const WORKER_FLAGS = ["--max-old-space-size=64", "--permission", "--allow-addons", "--allow-fs-read=*"];

interface Waiting {
  readonly task: PictureTask;
  readonly caller: string;
  readonly pixels: number;
  readonly done: (redrawn: Redrawn) => void;
}

export function openPictures(bounds: Partial<PictureBounds> = {}): Pictures {
  return new PictureQueue({ ...DEFAULTS, ...bounds });
}

class PictureQueue implements Pictures {
  readonly #bounds: PictureBounds;
  readonly #queue: Waiting[] = [];
  #current: Waiting | undefined;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 1;
  /** Pixels drawn for those who wait or are drawn for, counted from what the one served last had: the least goes first. */
  readonly #drawn = new Map<string, number>();
  #clock = 0;
  #isClosed = false;

  constructor(bounds: PictureBounds) {
    this.#bounds = bounds;
  }

  get isAwake(): boolean {
    return this.#child !== undefined;
  }

  async redraw(bytes: Uint8Array, options: RedrawOptions = {}): Promise<Redrawn> {
    const { pixelsMax, drawnPixelsMax, waitingMax, waitingEachMax } = this.#bounds;
    const head = readPictureHead(bytes);
    if (head === undefined) return "invalid";
    const pixels = head.width * head.height;
    if (pixels > (head.kind === "jpeg" ? pixelsMax : drawnPixelsMax)) return "invalid";
    const caller = readingCaller()?.key ?? "";
    const own = this.#queue.filter((waiting) => waiting.caller === caller).length;
    if (this.#isClosed || this.#queue.length >= waitingMax || own >= waitingEachMax) return "busy";
    return new Promise((done) => {
      if (!this.#drawn.has(caller)) this.#drawn.set(caller, this.#clock);
      this.#queue.push({ task: { id: this.#nextId, bytes, ...options }, caller, pixels, done });
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
    const next = this.#takeNext();
    clearTimeout(this.#timer);
    if (next === undefined) {
      this.#timer = later("pictures.watch", () => this.#lose("busy"), this.#bounds.restMs);
      this.#timer.unref();
      return;
    }
    this.#current = next;
    this.#child ??= this.#spawn();
    this.#watch(this.#child, processorMs(this.#child.pid) ?? 0, measureMs());
    this.#child.send(next.task, (error) => {
      if (error !== null && this.#current === next) this.#lose("busy");
    });
  }

  /** The oldest picture of the caller served least. */
  #takeNext(): Waiting | undefined {
    const drawnFor = ({ caller }: Waiting): number => this.#drawn.get(caller) ?? 0;
    let next: Waiting | undefined;
    for (const waiting of this.#queue) if (next === undefined || drawnFor(waiting) < drawnFor(next)) next = waiting;
    if (next === undefined) return undefined;
    this.#queue.splice(this.#queue.indexOf(next), 1);
    this.#clock = drawnFor(next);
    this.#drawn.set(next.caller, this.#clock + next.pixels);
    const present = new Set([next.caller, ...this.#queue.map(({ caller }) => caller)]);
    // A caller with nothing queued starts level with the others.
    for (const caller of this.#drawn.keys()) if (!present.has(caller)) this.#drawn.delete(caller);
    return next;
  }

  /** Looks when the picture could have used up its time, and again for as long as it has not. */
  #watch(child: ChildProcess, startedMs: number, sinceMs: number, leftMs = this.#bounds.drawMsMax): void {
    this.#timer = later(
      "pictures.watch",
      () => {
        const usedMs = (processorMs(child.pid) ?? Number.POSITIVE_INFINITY) - startedMs;
        if (usedMs >= this.#bounds.drawMsMax) this.#lose("invalid", child);
        else if (measureMs() - sinceMs >= this.#bounds.waitMsMax) this.#lose("busy", child);
        else this.#watch(child, startedMs, sinceMs, this.#bounds.drawMsMax - usedMs);
      },
      Math.max(leftMs, TICK_MS),
    );
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
        // Settings contain secrets; the process receives none of them.
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

  #settle(child: ChildProcess, { id, bytes, mediaType, small, isMixed }: PictureAnswer): void {
    const waiting = this.#current;
    if (child !== this.#child || waiting?.task.id !== id) return;
    this.#current = undefined;
    const isDrawn = bytes !== undefined && mediaType !== undefined;
    const refused = isMixed === true ? "mixed" : "invalid";
    waiting.done(isDrawn ? { bytes, mediaType, ...(small === undefined ? {} : { small }) } : refused);
    this.#feed();
  }

  /** Ends the process with its current picture; the pictures queued behind get another process. */
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

/** The system counts a process's time in ticks. */
const TICK_MS = 10;

/** What a process has used of the processors so far; undefined once it has ended. */
function processorMs(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before the bracket may hold anything; user and system time are the twelfth and thirteenth after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Trading comes first. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system does not let us; the bounds hold all the same.
  }
}
