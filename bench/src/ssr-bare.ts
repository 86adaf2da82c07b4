// The yardstick of bench/ssr: the same page's tree through React's stream alone, on a bare HTTP server.
// Run as a child process: prints its port, answers every request with one render.
import { createServer } from "node:http";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { pathToFileURL } from "node:url";

interface Pipe {
  readonly pipe: (destination: Writable) => void;
}
interface WebBuild {
  readonly answerPage: (request: Readonly<Record<string, unknown>>) => Promise<{ readonly body: string | Pipe }>;
  readonly bare: (ready: (body: Pipe) => void, nonce: string) => void;
}

const root = resolve(import.meta.dirname, "../..");
const build = (await import(pathToFileURL(`${root}/apps/web/build/server/index.js`).href)) as WebBuild;
const [, , site = ""] = process.argv;

interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly isRoot?: true;
}

// The running site's own answers, so that both sides draw the same tree from the same data.
async function requestSite({ method, path, body, isRoot }: Call): Promise<unknown> {
  const response = await fetch(site + (isRoot === true ? "" : "/api") + path, {
    method,
    headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

// One whole page first: the bare render then repeats exactly its tree.
const first = await build.answerPage({
  url: "/",
  origin: "http://localhost",
  nonce: "0123456789abcdefghijkl",
  version: "bench",
  callApi: requestSite,
  whole: false,
  isHead: false,
  onError: (error: unknown) => process.stderr.write(`${String(error)}\n`),
});
if (typeof first.body === "string") throw new Error("the page did not render");

const server = createServer((_, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  build.bare(({ pipe }) => pipe(response), "0123456789abcdefghijkl");
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null)
    process.stdout.write(`serving on http://127.0.0.1:${address.port}\n`);
});
process.on("SIGTERM", () => process.exit(0));
