// The built page server called directly, with an API that fails or is paused: what a visitor gets when something fails
// behind a page, without a process to break.
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { ROOT_FOLDER } from "./site.ts";

interface ApiCall {
  readonly path: string;
}

interface PageAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | { readonly pipe: (destination: Writable) => void };
}

interface PageServer {
  readonly answerPage: (request: object) => Promise<PageAnswer>;
}

async function readBody(body: PageAnswer["body"]): Promise<string> {
  if (typeof body === "string") return body;
  const chunks: Buffer[] = [];
  return new Promise((done, fail) => {
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, next) => {
        chunks.push(Buffer.from(chunk));
        next();
      },
    });
    sink.once("finish", () => done(Buffer.concat(chunks).toString()));
    sink.once("error", fail);
    body.pipe(sink);
  });
}

async function ask(url: string, callApi: (call: ApiCall) => unknown, isHead = false) {
  const file = pathToFileURL(`${ROOT_FOLDER}/apps/web/build/server/index.js`).href;
  const server = (await import(file)) as PageServer;
  const faults: unknown[] = [];
  const answer = await server.answerPage({
    url,
    origin: "http://x.example",
    cookie: undefined,
    userAgent: undefined,
    colorSchemeHint: undefined,
    nonce: "nonce",
    version: "1.2.3",
    callApi: async (call: ApiCall) => callApi(call),
    whole: true,
    isHead,
    onError: (error: unknown) => faults.push(error),
  });
  return { ...answer, headers: new Map(answer.headers), html: await readBody(answer.body), faults };
}

const failStatus = ({ path }: ApiCall) => {
  if (path === "/v1/system/status") throw new Error("the wheel fell off");
  return undefined;
};

describe("an error on the server", () => {
  test.each(["/", "/en_US"])(
    "[SITE-11] %s answers 500 with the message, in the frame, with a way back",
    async (url) => {
      const { status, html, faults } = await ask(url, failStatus);
      expect(status).toBe(500);
      expect(html).toContain("Internal Server Error");
      // What failed inside is for the log alone.
      expect(html).not.toContain("the wheel fell off");
      expect(html).toContain("Unexpected Server Error");
      expect(html).toMatch(new RegExp(`<a[^>]*href="${url}"[^>]*>Open the home page`));
      expect(html).toContain("<footer");
      expect(html).toContain('name="robots" content="noindex"');
      expect(faults.map(String)).toEqual(["Error: the wheel fell off"]);
    },
  );

  test("[SITE-11] [SITE-13] its payload contains the same as data", async () => {
    const { status, html } = await ask("/_payload.json", failStatus);
    expect(status).toBe(500);
    expect(JSON.parse(html)).toMatchObject({ error: { status: 500, message: "Internal Server Error" } });
  });
});

const resting = (module: string, endsAt: string | null) => ({
  code: 200,
  data: { modules: [{ module, isDown: true, reason: "New <b>disks</b>.", startsAt: null, endsAt }] },
});

describe("a part of the product that rests", () => {
  const down = ({ path }: ApiCall) =>
    path === "/v1/common/modules" ? resting("kyc", "2026-11-15T06:30:00.000Z") : undefined;

  test("[SITE-22] its pages answer 503 with why and until when, and say when to come back", async () => {
    const { status, headers, html } = await ask("/identity", down);
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("60");
    expect(html).toContain("Identity is being looked after");
    expect(html).toContain("New &lt;b&gt;disks&lt;/b&gt;.");
    expect(html).toContain("Expected back 2026-11-15 06:30 UTC+0");
  });

  test("[SITE-22] all other pages are as they were", async () => {
    for (const url of ["/", "/docs", "/login-cw"]) {
      const { status, html } = await ask(url, down);
      expect(status, url).toBe(200);
      expect(html, url).not.toContain("is being looked after");
    }
  });

  test("[SITE-22] the system-out flag is shown on every page and stops none", async () => {
    const out = ({ path }: ApiCall) =>
      path === "/v1/common/global-config" ? { code: 200, data: { systemOut: "1" } } : undefined;
    const { status, html } = await ask("/", out);
    expect(status).toBe(200);
    expect(html).toContain("The exchange is being looked after.");
  });
});

describe("a question without a body", () => {
  const answered = ({ status, headers, html }: Awaited<ReturnType<typeof ask>>) => ({
    seen: [status, [...headers].sort()],
    html,
  });

  test.each(["/", "/docs", "/account", "/identity", "/spot/NO_PAIR", "/no-such-page"])(
    "[SITE-1] %s is answered as it would be with one, and nothing is drawn",
    async (url) => {
      const nothing = () => undefined;
      const [whole, head] = [answered(await ask(url, nothing)), answered(await ask(url, nothing, true))];
      expect(head).toEqual({ seen: whole.seen, html: "" });
    },
  );
});
