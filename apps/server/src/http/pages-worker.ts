// A process that renders pages, at a lower priority than trading. Loads the web build and calls the server for the
// API's answers; reads no setting and opens nothing. Ends when its parent is gone.
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { setPriority } from "node:os";
import { pathToFileURL } from "node:url";
import { measureMs } from "@clockwork/host/time/measure";
import { type ApiCall, shareCalls } from "./pages-api.ts";
import { cutPage } from "./pages-cache.ts";
import { drawPage, readBody } from "./pages-draw.ts";
import type { FromPages, PageServer, PageTask, ToPages } from "./pages-messages.ts";

const KEPT_MAX = 500;
const [, , entry = "", keepMs = "0", priority = "low"] = process.argv;
/** Replaces the nonce in shared pages. Unguessable, so that no address or answer can plant one in a page. */
const NONCE_HOLE = randomBytes(16).toString("base64url");

/** Low enough that trading comes first, and not so low that a busy machine draws nothing at all. */
const NICE = 5;

/** On Linux every thread has a priority of its own; the threads that collect and compile have already started. */
function giveWay(): void {
  try {
    setPriority(NICE);
    for (const thread of readdirSync("/proc/self/task")) setPriority(Number(thread), NICE);
  } catch {
    // Forbidden or of another system: then they share.
  }
}

/** If the server is gone by then, the message is dropped. */
const notify = (message: FromPages): void => void process.send?.(message, undefined, undefined, () => undefined);
const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const requested = new Map<
  number,
  { readonly path: string; readonly id: number; readonly done: (value: unknown) => void }
>();
const leaving = new Map<number, () => void>();
const share = shareCalls({ keepMs: Number(keepMs), keptMax: KEPT_MAX, nowMs: measureMs });
let calls = 0;

function ask(id: number, call: ApiCall, isShared: boolean): Promise<unknown> {
  calls += 1;
  const number = calls;
  return new Promise((done) => {
    requested.set(number, { path: call.path, id, done });
    notify({ kind: "call", id, call: number, requested: call, isShared });
  });
}

function settle(call: number, text: string | undefined): void {
  const waiting = requested.get(call);
  requested.delete(call);
  if (waiting === undefined) return;
  try {
    waiting.done(text === undefined ? undefined : JSON.parse(text));
  } catch (error) {
    notify({ kind: "fault", id: waiting.id, path: waiting.path, error: textOf(error) });
    waiting.done(undefined);
  }
}

async function draw(server: PageServer, id: number, task: PageTask): Promise<void> {
  let faults = 0;
  let hasLeft = false;
  leaving.set(id, () => {
    hasLeft = true;
  });
  const drawn = await drawPage(server, task.isShared ? { ...task, nonce: NONCE_HOLE, encoding: "identity" } : task, {
    callApi: (call) =>
      task.isShared || call.shared === true ? share(call, (one) => ask(id, one, true)) : ask(id, call, false),
    onFault: (error) => {
      faults += 1;
      if (!hasLeft) notify({ kind: "fault", id, error: textOf(error) });
    },
  });
  const leave = (): void => {
    hasLeft = true;
    drawn.abort();
  };
  if (hasLeft) leave();
  leaving.set(id, leave);
  const { head, body } = drawn;
  if (task.isShared) {
    const html = (await readBody(body)).toString();
    // What failed is answered once and never shared: the next visitor may find it mended.
    notify({ kind: "cut", id, head, cut: cutPage(html, NONCE_HOLE), isGood: faults === 0 && head.status < 500 });
    return;
  }
  notify({ kind: "head", id, head });
  if (Buffer.isBuffer(body)) notify({ kind: "chunk", id, bytes: body });
  else for await (const bytes of body) if (!hasLeft) notify({ kind: "chunk", id, bytes: bytes as Buffer });
  notify({ kind: "end", id });
}

if (priority === "low") giveWay();
// A stop in a terminal reaches the whole group: the server lets running pages end and then closes the channel.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit(0));
const server = (await import(pathToFileURL(entry).href)) as PageServer;
process.on("message", (message: ToPages) => {
  if (message.kind === "ping") notify({ kind: "pong" });
  else if (message.kind === "answer") settle(message.call, message.text);
  else if (message.kind === "leave") leaving.get(message.id)?.();
  else {
    const { id, task } = message;
    draw(server, id, task)
      .catch((error: unknown) => notify({ kind: "failed", id, error: textOf(error) }))
      .finally(() => leaving.delete(id));
  }
});
notify({ kind: "ready" });
