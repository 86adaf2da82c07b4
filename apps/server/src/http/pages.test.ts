// Pages drawn in processes of their own, with a web build of a few lines in place of the real one: who shares what, who
// pays, and what happens when a process dies or hangs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { SILENT_LOG } from "@clockwork/host/log";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedApp, serveApp } from "./app-fixture.ts";
import { mountPages } from "./pages.ts";
import { PageProcesses } from "./pages-processes.ts";

/** Its response contains the number of calls, the process and the process's priority. */
const SERVER = `
import { getPriority } from "node:os";
let drawn = 0;
export async function answerPage({ url, nonce, isHead, cookie, callApi, onError }) {
  drawn += 1;
  const path = url.split("?")[0];
  if (path === "/dies") process.kill(process.pid, "SIGKILL");
  if (path === "/dies-once" && drawn === 1) process.kill(process.pid, "SIGKILL");
  if (path === "/hangs") for (;;);
  if (path === "/fails") throw new Error("no page");
  if (path === "/moved") return { status: 302, headers: [["location", "/here?a=1"]], body: "" };
  if (path === "/faulty") onError(new Error("a part failed"));
  const answer = await callApi({ method: "GET", path: "/v1/who" });
  const text = JSON.stringify({ url, drawn, pid: process.pid, nice: getPriority(), secrets: Object.keys(process.env).filter((name) => name.startsWith("CW_")), cookie: answer?.data?.cookie ?? null, nonce });
  const html = isHead ? "" : text + " ".repeat(5000);
  const headers = [["content-type", "text/html; charset=utf-8"]];
  if (path === "/plain") return { status: 200, headers, body: html };
  return { status: 200, headers, body: { pipe: (to) => { to.write(html.slice(0, 10)); setImmediate(() => to.end(html.slice(10))); }, abort: () => undefined } };
}
`;
const KEYS = `
export function readQuestion({ url }) {
  const [path, query = ""] = url.split("?");
  return { key: path, url: path, dropped: query, isData: path.endsWith(".json") };
}
`;

interface Published {
  readonly drawn: number;
  readonly pid: number;
  readonly nice: number;
  readonly secrets: readonly string[];
  readonly cookie: string | null;
  readonly nonce: string;
}

interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

let folder = "";
let served: ServedApp;
let processes: PageProcesses;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cw-pages-"));
  mkdirSync(join(folder, "build/client/assets"), { recursive: true });
  mkdirSync(join(folder, "build/server"));
  writeFileSync(join(folder, "build/server/package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "build/server/index.js"), SERVER);
  writeFileSync(join(folder, "build/server/question.js"), KEYS);
  served = await serveApp(
    {
      pages: async (scope) => {
        processes = new PageProcesses({
          entry: join(folder, "build/server/index.js"),
          keepMs: 0,
          log: SILENT_LOG,
          givesWay: true,
          count: 1,
          pingMs: 100,
        });
        const options = { folder, mode: "production", version: "1", log: SILENT_LOG, keepMs: 3_600_000 } as const;
        await mountPages(scope, options, processes);
      },
    },
    { CW_RATE_WEIGHT_PER_MINUTE: "2000" },
    (app) => {
      app.get("/api/v1/who", (request) => ({
        code: 200,
        data: { cookie: request.headers.cookie ?? null },
        message: "",
      }));
    },
  );
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Answered> {
  return new Promise((done, fail) => {
    get(served.url + path, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    }).on("error", fail);
  });
}
const result = ({ bytes }: Pick<Answered, "bytes">): Published => JSON.parse(bytes.toString()) as Published;
const SESSION = { cookie: "cw_access_token=abc" };

test("[SITE-1] pages are drawn by another process, below the server's priority and without its settings", async () => {
  const page = result(await ask("/first"));
  expect(page.pid).not.toBe(process.pid);
  expect(processes.pids).toEqual([page.pid]);
  expect(page.nice).toBeGreaterThan(0);
  expect(page.secrets).toEqual([]);
});

test("[SITE-1] what a page does not read, and unrecognised cookies, are answered from the cache", async () => {
  const first = result(await ask("/shared"));
  for (const [path, headers] of [
    ["/shared?x=1", {}],
    ["/shared?x=2&y", { cookie: "junk=1" }],
    ["/shared", { cookie: "cw_hops=1; _ga=GA1.2.3" }],
  ] as const) {
    const later = result(await ask(path, headers));
    expect(later.drawn).toBe(first.drawn);
    expect(later.nonce).not.toBe(first.nonce);
  }
});

test("[SITE-1] [AUTH-3] a signed-in user gets their own page, and no other visitor gets it", async () => {
  const own = result(await ask("/own", SESSION));
  expect(own.cookie).toBe(SESSION.cookie);
  const other = result(await ask("/own"));
  expect(other.cookie).toBe(null);
  expect(other.drawn).toBe(own.drawn + 1);
});

test("[SITE-1] a redirect takes along what the page it leaves did not read", async () => {
  for (const headers of [{}, SESSION]) {
    expect((await ask("/moved?utm_source=mail", headers)).headers.location).toBe("/here?a=1&utm_source=mail");
    expect((await ask("/moved", headers)).headers.location).toBe("/here?a=1");
  }
});

test.each(["/shared", "/plain"])(
  "[SITE-1] %s is compressed with what the client accepts, brotli alone too",
  async (path) => {
    for (const headers of [{}, SESSION]) {
      const plain = await ask(path, headers);
      expect(plain.headers["content-encoding"]).toBeUndefined();
      const gzip = await ask(path, { ...headers, "accept-encoding": "gzip, deflate, br" });
      expect(gzip.headers["content-encoding"]).toBe("gzip");
      expect(result({ bytes: gunzipSync(gzip.bytes) })).toHaveProperty("drawn");
      const brotli = await ask(path, { ...headers, "accept-encoding": "br" });
      expect(brotli.headers["content-encoding"]).toBe("br");
      expect(result({ bytes: brotliDecompressSync(brotli.bytes) })).toHaveProperty("drawn");
    }
  },
);

test("[SITE-1] the head alone is answered without a body", async () => {
  const { status, headers, bytes } = await ask("/shared", {}, "HEAD");
  expect([status, headers["content-type"], bytes.length]).toEqual([200, "text/html; charset=utf-8", 0]);
});

test("[SITE-1] a page that fails is answered as a fault of ours, and the process continues", async () => {
  const { pid } = result(await ask("/before", SESSION));
  expect((await ask("/fails", SESSION)).status).toBe(500);
  expect(result(await ask("/after", SESSION)).pid).toBe(pid);
});

test("[SITE-1] a page in which something failed is not shared", async () => {
  const first = result(await ask("/faulty"));
  expect(result(await ask("/faulty")).drawn).toBeGreaterThan(first.drawn);
});

describe("[SITE-1] a process that draws pages", () => {
  test("is restarted when it is killed, and requests that arrive during this wait for the next", async () => {
    const { pid } = result(await ask("/one", SESSION));
    process.kill(pid, "SIGKILL");
    const pages = await Promise.all(["/two", "/three"].map((path) => ask(path, SESSION)));
    for (const page of pages) expect([page.status, result(page).pid === pid]).toEqual([200, false]);
  });

  test("that dies of a page has it drawn once more, and no more often", async () => {
    expect((await ask("/dies-once", SESSION)).status).toBe(200);
    const { status, headers } = await ask("/dies", SESSION);
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    expect((await ask("/four", SESSION)).status).toBe(200);
  });

  test("that no longer answers is ended by force, and its page answered", async () => {
    expect((await ask("/hangs", SESSION)).status).toBe(503);
    expect((await ask("/five", SESSION)).status).toBe(200);
  });
});

describe("[NET-5] what a page costs", () => {
  const left = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
    const { headers: answered } = await ask(path, headers);
    return Number(/r=(\d+)/.exec(String(answered.ratelimit))?.[1]);
  };

  test("a page that is drawn is charged twenty times one that is kept, its data five times", async () => {
    const first = await left("/cost");
    const kept = await left("/cost?x=1");
    const drawn = await left("/cost", SESSION);
    expect([first - kept, kept - drawn, drawn - (await left("/cost.json"))]).toEqual([1, 20, 5]);
  });

  test("an address that has spent what it may is refused before anything is drawn", async () => {
    let drawn = result(await ask("/costly", SESSION)).drawn;
    for (;;) {
      const answer = await ask("/costly", SESSION);
      if (answer.status !== 200) {
        expect([answer.status, Number(answer.headers["retry-after"]) > 0]).toEqual([429, true]);
        break;
      }
      expect(result(answer).drawn).toBe(drawn + 1);
      drawn += 1;
    }
  });
});

test("[SITE-1] a stop completes a page in progress, at the server's priority if set, and ends every process", async () => {
  const other = new PageProcesses({
    entry: join(folder, "build/server/index.js"),
    keepMs: 0,
    log: SILENT_LOG,
    givesWay: false,
    count: 2,
  });
  await other.ready;
  const { pids } = other;
  const question = { url: "/last", origin: "", cookie: undefined, userAgent: undefined, colorSchemeHint: undefined };
  const task = { question, nonce: "n", version: "1", encoding: "identity", isHead: false, isShared: true } as const;
  const answer = Promise.withResolvers<string>();
  const { page } = other.render(task, { requestId: "r", path: "/last", ask: () => answer.promise });
  const closed = other.close();
  answer.resolve("{}");
  const { isGood, body } = await page;
  expect(isGood).toBe(true);
  if (!("plain" in body)) expect.unreachable();
  expect(result(body.plain).nice).toBe(getPriority());
  await closed;
  for (const pid of pids) expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
  await expect(other.render(task, { requestId: "r", path: "/", ask: () => answer.promise }).page).rejects.toThrow();
});
