// Serves the web application: built assets, pages and their payloads. Runs as the last scope of the app, without body
// parsers. Knows the page server by the small contract below and nothing of React; pages reach the API in-process.

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { createGzip, constants as zlib } from "node:zlib";
import { type CookiePlace, carriesSession } from "@clockwork/kit/session-cookie";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../base/log.ts";
import { measureMs } from "../clock/measure.ts";
import { acceptsEncoding, mountAssets } from "./assets.ts";
import { type CallApi, createPagesApi, type PagesApi } from "./pages-api.ts";
import { type CachedPage, createPageCache, cutPage, type PageCache } from "./pages-cache.ts";
import { startDevelopment } from "./pages-development.ts";
import { guardRedirect } from "./redirect-guard.ts";
import { emptySession } from "./session-cookies.ts";

export interface PagesOptions {
  /** The web package's folder, with its build inside. */
  readonly folder: string;
  readonly mode: "development" | "production";
  readonly version: string;
  readonly log: Log;
  /** The origin visitors see; the request's own when none is configured. */
  readonly publicOrigin?: string | undefined;
  readonly apiBase?: string;
  /** Where the session's cookies are set. */
  readonly cookies?: CookiePlace;
  readonly nowMs?: () => number;
  /** How long anonymous HTML is shared; 0 renders every page. */
  readonly keepMs?: number;
}

interface PageQuestion {
  readonly url: string;
  readonly origin: string;
  readonly cookie: string | undefined;
  readonly userAgent: string | undefined;
  readonly colorSchemeHint: string | undefined;
}

interface PagePipe {
  readonly pipe: (destination: Writable) => void;
  readonly abort: (reason: Error) => void;
}

interface PageAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | PagePipe;
  /** The login that came along is over. */
  readonly endsSession?: boolean;
}

/** What the web build exports; the same shapes stand in the web package's server entry. */
export interface PageServer {
  readonly keyPage: (question: PageQuestion) => string;
  readonly isAnonymous: (cookie: string | undefined) => boolean;
  readonly answerPage: (
    request: PageQuestion & {
      readonly nonce: string;
      readonly version: string;
      readonly callApi: CallApi;
      readonly whole: boolean;
      /** Decides everything and draws nothing: the body is empty. */
      readonly isHead: boolean;
      readonly onError: (error: unknown) => void;
    },
  ) => Promise<PageAnswer>;
}

const KEEP_MS = 1_000;
const HOST: CookiePlace = { parentDomain: "", isSecure: false };
const CACHE_ENTRIES_MAX = 2_000;
const CACHE_BYTES_MAX = 64 * 1024 * 1024;
const API_KEPT_MAX = 500;
/** Stands for the nonce in kept pages. Unguessable, so that no address or answer can plant one in a page. */
const NONCE_HOLE = randomBytes(16).toString("base64url");

interface Parts {
  readonly options: PagesOptions;
  readonly api: PagesApi;
  readonly cache: PageCache;
  readonly load: () => Promise<PageServer>;
}

export async function mountPages(scope: FastifyInstance, options: PagesOptions): Promise<void> {
  const nowMs = options.nowMs ?? measureMs;
  const keepMs = options.keepMs ?? KEEP_MS;
  const api = createPagesApi(scope, {
    base: options.apiBase ?? "/api",
    keepMs,
    keptMax: API_KEPT_MAX,
    nowMs,
    onFault: (call, requestId, error) => options.log.error("page.api.failed", { requestId, path: call.path, error }),
  });
  const cache = createPageCache({ keepMs, entriesMax: CACHE_ENTRIES_MAX, bytesMax: CACHE_BYTES_MAX, nowMs });
  const load =
    options.mode === "development"
      ? await startDevelopment(scope, options.folder)
      : await loadBuild(scope, options.folder);
  const parts: Parts = { options, api, cache, load };
  scope.get("/*", { config: { weight: 1 } }, (request, reply) => answer(parts, request, reply));
}

async function loadBuild(scope: FastifyInstance, folder: string): Promise<() => Promise<PageServer>> {
  const client = join(folder, "build", "client");
  const entry = join(folder, "build", "server", "index.js");
  if (!existsSync(entry)) throw new Error("the web application is not built; run the build first");
  mountAssets(scope, join(client, "assets"));
  await scope.register(fastifyStatic, { root: client, serve: false });
  for (const file of readdirSync(client, { withFileTypes: true })) {
    if (!file.isFile() || /\.(gz|br)$/.test(file.name)) continue;
    scope.get(`/${file.name}`, (_, reply) =>
      reply.sendFile(file.name, client, { maxAge: 3_600_000, immutable: false }),
    );
  }
  const server = (await import(pathToFileURL(entry).href)) as PageServer;
  return () => Promise.resolve(server);
}

function questionOf(request: FastifyRequest, publicOrigin: string | undefined): PageQuestion {
  const hint = request.headers["sec-ch-prefers-color-scheme"];
  return {
    url: request.url,
    origin: publicOrigin ?? readOrigin(request),
    cookie: request.headers.cookie,
    userAgent: request.headers["user-agent"],
    colorSchemeHint: typeof hint === "string" ? hint : undefined,
  };
}

const PLAIN_HOST = /^[a-z0-9.-]{1,253}(:\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/i;

/** A host that is not plainly one is never put into a page. */
function readOrigin(request: FastifyRequest): string {
  const { host } = request.headers;
  return `${request.protocol}://${host !== undefined && PLAIN_HOST.test(host) ? host : "localhost"}`;
}

async function answer(parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const server = await parts.load();
  const question = questionOf(request, parts.options.publicOrigin);
  reply.header("vary", "accept-encoding, cookie");
  reply.header("accept-ch", "Sec-CH-Prefers-Color-Scheme");
  reply.header("cache-control", "private, no-cache");
  const anonymous = request.method !== "HEAD" && server.isAnonymous(question.cookie) && namesNobody(request);
  if (anonymous && parts.options.mode === "production") {
    const page = await parts.cache.take(server.keyPage(question), () =>
      renderWhole(parts, server, question, request.id),
    );
    if (page !== undefined) return sendKept(request, reply, page);
  }
  return sendStream(parts, server, question, request, reply);
}

function sendKept(request: FastifyRequest, reply: FastifyReply, page: CachedPage): FastifyReply {
  const gzip = acceptsEncoding(request, "gzip");
  reply.code(page.status);
  for (const [name, value] of page.headers) reply.header(name, value);
  if (gzip) reply.header("content-encoding", "gzip");
  return reply.send(page.body(request.cspNonce, gzip));
}

async function renderWhole(
  parts: Parts,
  server: PageServer,
  question: PageQuestion,
  requestId: string,
): Promise<CachedPage | undefined> {
  let faults = 0;
  const rendered = await server.answerPage({
    ...question,
    nonce: NONCE_HOLE,
    version: parts.options.version,
    callApi: parts.api.anonymous(requestId),
    whole: true,
    isHead: false,
    onError: (error) => {
      faults++;
      parts.options.log.error("page.failed", { requestId, url: question.url.slice(0, 200), error });
    },
  });
  const html = typeof rendered.body === "string" ? rendered.body : await collect(rendered.body);
  const page: CachedPage = {
    status: rendered.status,
    headers: rendered.headers,
    body: cutPage(html, NONCE_HOLE),
    bytes: Math.ceil(html.length * 1.4),
  };
  // What failed is answered once and never shared: the next visitor may find it mended.
  return faults === 0 && rendered.status < 500 ? page : undefined;
}

async function collect(body: PagePipe): Promise<string> {
  const stream = new PassThrough();
  body.pipe(stream);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function sendStream(
  parts: Parts,
  server: PageServer,
  question: PageQuestion,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { log, version } = parts.options;
  const rendered = await server.answerPage({
    ...question,
    nonce: request.cspNonce,
    version,
    callApi: namesNobody(request)
      ? parts.api.anonymous(request.id)
      : parts.api.withSession(request.id, sessionHeaders(request)),
    whole: false,
    isHead: request.method === "HEAD",
    onError: (error) => {
      if (reply.raw.destroyed) return;
      log.error("page.failed", { requestId: request.id, url: question.url.slice(0, 200), error });
    },
  });
  reply.code(rendered.status);
  for (const [name, value] of rendered.headers) reply.header(name, value);
  const place = parts.options.cookies ?? HOST;
  if (rendered.endsSession === true) emptySession(request, reply, place);
  else guardRedirect(request, reply, place);
  if (request.method === "HEAD") return sendHead(reply);
  if (typeof rendered.body === "string") return reply.send(rendered.body);
  streamBody(rendered.body, request, reply);
  return reply;
}

/** The answer goes on without the HTTP library, with the status and headers it was given so far. */
function takeOver(reply: FastifyReply): void {
  const { raw } = reply;
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.statusCode = reply.statusCode;
}

/** What a page would be answered with, without its body, which nobody has drawn: its length is not known. */
function sendHead(reply: FastifyReply): FastifyReply {
  takeOver(reply);
  reply.raw.end();
  return reply;
}

/** React writes into the socket itself: one stream less, a third more pages. Compressed pieces are flushed as they come. */
function streamBody({ pipe, abort }: PagePipe, request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply;
  raw.once("close", () => {
    if (!raw.writableFinished) abort(new Error("the visitor left"));
  });
  const gzip = acceptsEncoding(request, "gzip");
  if (gzip) reply.header("content-encoding", "gzip");
  takeOver(reply);
  if (!gzip) {
    pipe(raw);
    return;
  }
  const packed = createGzip({ level: 4, flush: zlib.Z_SYNC_FLUSH });
  packed.pipe(raw);
  pipe(packed);
}

const NAMING_HEADERS = ["x-authorization", "authorization", "token", "logintoken"] as const;

/** No session and no token: the API would answer it as it answers everybody. Foreign cookies change nothing in that. */
function namesNobody(request: FastifyRequest): boolean {
  if (NAMING_HEADERS.some((name) => request.headers[name] !== undefined)) return false;
  return !carriesSession(request.headers.cookie);
}

function sessionHeaders(request: FastifyRequest): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const name of ["cookie", "x-authorization", "token", "logintoken", "user-agent", "x-language"] as const) {
    const value = request.headers[name];
    if (typeof value === "string") headers[name] = value;
  }
  return headers;
}
