// What a browser sends and stores during use: calls with headers and bodies, socket frames, cookies, storage.
import type { BrowserContext, Cookie, Page } from "playwright-core";
import { mintAccount, PASSWORD, readCode } from "../auth-steps.ts";
import { WAIT_MS } from "../site.ts";

export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Frame {
  readonly sent: boolean;
  /** Which of the page's sockets, counted from 0, where it leads, and when. */
  readonly socket: number;
  readonly url: string;
  readonly timeMs: number;
  readonly message: Readonly<Record<string, unknown>>;
}

/** One user's browser after their actions. */
export interface Visit {
  readonly calls: readonly SeenCall[];
  readonly frames: readonly Frame[];
  readonly cookies: readonly Cookie[];
  readonly storage: Readonly<Record<string, string>>;
}

export interface Wire {
  readonly calls: SeenCall[];
  readonly frames: Frame[];
}

export function watchWire(page: Page): Wire {
  const calls: SeenCall[] = [];
  const frames: Frame[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!/^\/(api|futuresapi|dev)\//.test(url.pathname)) return;
    const { pathname: path, searchParams: query } = url;
    calls.push({ method: request.method(), path, query, headers: request.headers(), body: request.postData() ?? "" });
  });
  let sockets = 0;
  page.on("websocket", (socket) => {
    const number = sockets++;
    const keep = (sent: boolean) => (frame: { payload: string | Buffer }) => {
      const message = JSON.parse(String(frame.payload)) as Frame["message"];
      frames.push({ sent, message, socket: number, url: socket.url(), timeMs: Date.now() });
    };
    socket.on("framesent", keep(true));
    socket.on("framereceived", keep(false));
  });
  return { calls, frames };
}

export async function takeVisit(context: BrowserContext, page: Page, wire: Wire): Promise<Visit> {
  const storage = await page.evaluate(() => ({ ...localStorage }) as Record<string, string>);
  return { calls: [...wire.calls], frames: [...wire.frames], cookies: await context.cookies(), storage };
}

/** A new account by calls alone: the screens of it are walked elsewhere. */
export async function signUp(context: BrowserContext, origin: string): Promise<void> {
  const account = mintAccount();
  const headers = { origin, "content-type": "application/json" };
  await context.request.post(`${origin}/api/v2/users/sign-up/code`, { data: { account }, headers });
  const code = await readCode(origin, account, "sign-up");
  const data = { account, code, password: PASSWORD, country: "GB" };
  const answer = await context.request.post(`${origin}/api/v2/users/sign-up`, { data, headers });
  if (!answer.ok()) throw new Error(`no account: ${await answer.text()}`);
}

/** A page's clock is stopped at a moment to come, and a busy machine is late. */
export const PAUSE_AHEAD_MS = 20_000;

/** Continues after a minute all the same: the statement that misses it reports it. */
export async function waitUntil(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + WAIT_MS; Date.now() < endMs && !(await isThere()); ) await page.waitForTimeout(100);
}

const TURNS = 20;

/**
 * Lets a page finish what it has started: by turns of its event loop, since a busy machine may not have given it one in
 * any fixed time. React works in messages to itself, and one of ours is queued behind them.
 */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(100);
  await page.evaluate(async (turns) => {
    for (let turn = 0; turn < turns; turn++) {
      await new Promise<void>((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done();
        port2.postMessage(turn);
      });
    }
  }, TURNS);
}
