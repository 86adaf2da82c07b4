// Owns background work of a call: its progress, its result while it may be requested, and its cancellation. A task is
// visible only to the user who started it.

import { done, type Result, refused } from "../result.ts";

const TASKS_MAX = 256;
const RUNNING_MAX = 4;
/** Per user: running tasks, and stored results; the oldest result is evicted. */
const OWN_RUNNING_MAX = 2;
const OWN_KEPT_MAX = 8;
const TASK_KEPT_MS = 600_000;

const TASK_STATES = ["running", "done", "cancelled", "failed"] as const;

/** A task as its owner sees it. */
export interface TaskStatus<View> {
  readonly taskId: string;
  readonly state: (typeof TASK_STATES)[number];
  /** 0 to 1. */
  readonly progress: number;
  readonly result: View | null;
}

/** `onProgress` receives parts of 1; the signal ends it. Undefined when there is no result. */
export type RunTask<Made, Signal> = (onProgress: (part: number) => void, signal: Signal) => Promise<Made | undefined>;

/** Ends a running task, in the platform's form. */
export interface TaskEnd<Signal> {
  readonly signal: Signal;
  abort(): void;
}

export interface TaskNeeds<Made, About, View, Signal> {
  readonly now: () => number;
  readonly randomId: () => string;
  readonly newEnd: () => TaskEnd<Signal>;
  /** The view of a result and its subject. */
  readonly describe: (made: Made, about: About) => View;
}

interface Kept<Made, About> {
  readonly id: string;
  readonly about: About;
  readonly userId: number;
  readonly startedMs: number;
  readonly end: () => void;
  state: (typeof TASK_STATES)[number];
  progress: number;
  result: Made | undefined;
}

export class BackgroundTasks<Made, About, View, Signal> {
  readonly #needs: TaskNeeds<Made, About, View, Signal>;
  readonly #tasks = new Map<string, Kept<Made, About>>();

  constructor(needs: TaskNeeds<Made, About, View, Signal>) {
    this.#needs = needs;
  }

  /** Whether a user has to wait: for others, or for their own tasks. */
  isFullFor(userId: number): boolean {
    for (const [id, { state, startedMs }] of this.#tasks)
      if (state !== "running" && this.#needs.now() - startedMs > TASK_KEPT_MS) this.#tasks.delete(id);
    const running = [...this.#tasks.values()].filter(({ state }) => state === "running");
    const own = running.filter((task) => task.userId === userId);
    return running.length >= RUNNING_MAX || own.length >= OWN_RUNNING_MAX;
  }

  /** Evicts the oldest results: of a user who has many, and of all when there are many. */
  #makeRoom(userId: number): void {
    const over = [...this.#tasks.values()].filter(({ state }) => state !== "running");
    const own = over.filter((task) => task.userId === userId);
    for (const { id } of own.slice(0, Math.max(0, own.length - OWN_KEPT_MAX + 1))) this.#tasks.delete(id);
    for (const { id } of over) if (this.#tasks.size >= TASKS_MAX) this.#tasks.delete(id);
  }

  begin(userId: number, about: About, run: RunTask<Made, Signal>): TaskStatus<View> {
    this.#makeRoom(userId);
    const end = this.#needs.newEnd();
    const task: Kept<Made, About> = {
      id: this.#needs.randomId(),
      about,
      userId,
      startedMs: this.#needs.now(),
      end: () => end.abort(),
      state: "running",
      progress: 0,
      result: undefined,
    };
    this.#tasks.set(task.id, task);
    const listen = (part: number): void => {
      task.progress = part;
    };
    run(listen, end.signal).then(
      (result) => {
        if (task.state !== "running") return;
        task.result = result;
        task.state = result === undefined ? "failed" : "done";
        task.progress = 1;
      },
      () => {
        if (task.state === "running") task.state = "failed";
      },
    );
    return this.#notify(task);
  }

  read(userId: number, id: string): Result<TaskStatus<View>, "UNKNOWN_TASK"> {
    const task = this.#own(userId, id);
    return task === undefined ? refused("UNKNOWN_TASK") : done(this.#notify(task));
  }

  cancel(userId: number, id: string): Result<TaskStatus<View>, "UNKNOWN_TASK"> {
    const task = this.#own(userId, id);
    if (task?.state === "running") {
      task.state = "cancelled";
      task.end();
    }
    return this.read(userId, id);
  }

  #own(userId: number, id: string): Kept<Made, About> | undefined {
    const task = this.#tasks.get(id);
    return task?.userId === userId ? task : undefined;
  }

  #notify({ id, state, progress, result, about }: Kept<Made, About>): TaskStatus<View> {
    return {
      taskId: id,
      state,
      progress,
      result: result === undefined ? null : this.#needs.describe(result, about),
    };
  }

  close(): void {
    for (const { end } of this.#tasks.values()) end();
  }
}
