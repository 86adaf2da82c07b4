// Serves the web application: built assets, pages and their payloads. Runs as the last scope of the app, without body
// parsers. Draws nothing itself: pages come from processes of their own, and reach the API in-process through this one.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Log } from "@clockwork/host/log";
import { edgeRefusal } from "@clockwork/host/refusal";
import { measureMs } from "@clockwork/host/time/measure";
import { type CookiePlace, carriesSession } from "@clockwork/kit/session-cookie";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { acceptsEncoding, mountAssets } from "./assets.ts";
import { sendRefusal } from "./mount.ts";
import { type ApiCall, createRequestApi, type RequestApi } from "./pages-api.ts";
import { type CachedPage, createPageCache, type PageCache, storePage } from "./pages-cache.ts";
import type { PageEncoding, PageKeys, PageQuestion, PageTask } from "./pages-messages.ts";
import { type PageContext, PageProcesses, PagesBusy, type Rendering } from "./pages-processes.ts";
import { CALL_COST, PAGE_COST, Turns } from "./pages-turns.ts";
import { guardRedirect } from "./redirect-guard.ts";
import { emptySession } from "./session-cookies.ts";

export interface PagesOptions {
  /** The web package's folder, with its build inside. */
  readonly folder: string;
  readonly mode: "development" | "production";
  readonly version: string;
  readonly log: Log;
  /** Pages are rendered below the priority of trading by default. */
  readonly givesWay?: boolean;
  /** The origin visitors see; the request's own when none is configured. */
  readonly publicOrigin?: string | undefined;
  readonly apiBase?: string;
  /** Where the session's cookies are set. */
  readonly cookies?: CookiePlace;
  readonly nowMs?: () => number;
  /** How long anonymous HTML is shared; 0 renders every page. */
  readonly keepMs?: number;
}

/** Renders pages: in separate processes, or in development in this one. */
export interface PageRenderer {
  readonly load: () => Promise<PageKeys>;
  readonly render: (task: PageTask, context: PageContext) => Rendering;
}

const KEEP_MS = 1_000;
const HOST: CookiePlace = { parentDomain: "", isSecure: false };
const CACHE_ENTRIES_MAX = 2_000;
const CACHE_BYTES_MAX = 64 * 1024 * 1024;
/** The cost of a rendered page to its address, in addition to the request itself: a cached one costs a twentieth. */
const DRAWN_WEIGHT = 19;
/** The same for a page's data, or its head alone. */
const DATA_WEIGHT = 4;
const RETRY_SECONDS = 1;

interface Parts {
  readonly options: PagesOptions;
  readonly ask: RequestApi;
  readonly cache: PageCache;
  readonly renderer: PageRenderer;
  readonly turns: Turns;
}

type Requested = ReturnType<PageKeys["readQuestion"]> & { readonly question: PageQuestion };

/** `begun` are processes that were started before everything else, so that they are ready when the rest is. */
export async function mountPages(
  scope: FastifyInstance,
  options: PagesOptions,
  started?: PageProcesses,
): Promise<void> {
  const nowMs = options.nowMs ?? measureMs;
  const keepMs = options.keepMs ?? KEEP_MS;
  const ask = createRequestApi(scope, {
    base: options.apiBase ?? "/api",
    onFault: (call, requestId, error) => options.log.error("page.api.failed", { requestId, path: call.path, error }),
  });
  const cache = createPageCache({ keepMs, entriesMax: CACHE_ENTRIES_MAX, bytesMax: CACHE_BYTES_MAX, nowMs });
  const renderer =
    options.mode === "development"
      ? await (await import("./pages-development.ts")).startDevelopment(scope, options.folder)
      : await mountBuild(scope, options.folder, started ?? beginPages(options));
  const parts: Parts = { options, ask, cache, renderer, turns: new Turns({ isTrading: scope.isTrading }) };
  scope.get("/*", { config: { weight: 1 } }, (request, reply) => answer(parts, request, reply));
}

export function beginPages({
  folder,
  keepMs = KEEP_MS,
  log,
  givesWay = true,
}: Pick<PagesOptions, "folder" | "keepMs" | "log" | "givesWay">) {
  const entry = join(folder, "build", "server", "index.js");
  if (!existsSync(entry)) throw new Error("the web application is not built; run the build first");
  return new PageProcesses({ entry, keepMs, log, givesWay });
}

async function mountBuild(scope: FastifyInstance, folder: string, processes: PageProcesses): Promise<PageRenderer> {
  const client = join(folder, "build", "client");
  mountAssets(scope, join(client, "assets"));
  await scope.register(fastifyStatic, { root: client, serve: false });
  for (const file of readdirSync(client, { withFileTypes: true })) {
    if (!file.isFile() || /\.(gz|br)$/.test(file.name)) continue;
    scope.get(`/${file.name}`, (_, reply) =>
      reply.sendFile(file.name, client, { maxAge: 3_600_000, immutable: false }),
    );
  }
  scope.addHook("onClose", () => processes.close());
  const keys = (await import(pathToFileURL(join(folder, "build", "server", "question.js")).href)) as PageKeys;
  await processes.ready;
  return { load: () => Promise.resolve(keys), render: (task, context) => processes.render(task, context) };
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

/** A client that accepts gzip gets the form in which pages are cached. */
function encodingOf(request: FastifyRequest): PageEncoding {
  if (acceptsEncoding(request, "gzip")) return "gzip";
  return acceptsEncoding(request, "br") ? "br" : "identity";
}

async function answer(parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const keys = await parts.renderer.load();
  const question = questionOf(request, parts.options.publicOrigin);
  const read = keys.readQuestion(question);
  const requested: Requested = { ...read, question: { ...question, url: read.url } };
  reply.header("vary", "accept-encoding, cookie");
  reply.header("accept-ch", "Sec-CH-Prefers-Color-Scheme");
  reply.header("cache-control", "private, no-cache");
  const encoding = encodingOf(request);
  const isHead = request.method === "HEAD";
  const isShared = !isHead && encoding !== "br" && parts.options.mode === "production" && namesNobody(request);
  const kept = isShared ? parts.cache.find(requested.key) : undefined;
  const weight = requested.isData || isHead ? DATA_WEIGHT : DRAWN_WEIGHT;
  if (kept === undefined && !request.server.chargeMore(request, reply, weight)) return reply;
  try {
    const page = await (kept ??
      (isShared ? parts.cache.take(requested.key, () => drawShared(parts, requested, request)) : kept));
    if (page !== undefined) {
      await parts.turns.take(PAGE_COST);
      return sendKept(requested, encoding, request, reply, page);
    }
    return await sendDrawn(parts, requested, encoding, request, reply);
  } catch (error) {
    if (!(error instanceof PagesBusy)) throw error;
    reply.header("retry-after", String(RETRY_SECONDS));
    return sendRefusal(request, reply, edgeRefusal("UNAVAILABLE"));
  }
}

function sendKept(
  requested: Requested,
  encoding: PageEncoding,
  request: FastifyRequest,
  reply: FastifyReply,
  page: CachedPage,
): FastifyReply {
  const isPacked = encoding === "gzip";
  reply.code(page.status);
  writeHeaders(requested, reply, page.headers);
  if (isPacked) reply.header("content-encoding", "gzip");
  return reply.send(storePage(page.cut, request.cspNonce, isPacked));
}

/** A redirect takes along what the page it leaves did not read: a campaign's marks belong to the page that is shown. */
function writeHeaders({ dropped }: Requested, reply: FastifyReply, headers: CachedPage["headers"]): void {
  for (const [name, value] of headers) {
    const isLocation = name === "location" && dropped !== "";
    reply.header(name, isLocation ? `${value}${value.includes("?") ? "&" : "?"}${dropped}` : value);
  }
}

function contextOf(parts: Parts, request: FastifyRequest): PageContext {
  const own = namesNobody(request) ? {} : sessionHeaders(request);
  return {
    requestId: request.id,
    path: request.url.slice(0, 200),
    ask: async (call: ApiCall, isShared: boolean) => {
      await parts.turns.take(CALL_COST);
      return parts.ask(call, request.id, isShared ? {} : own);
    },
  };
}

function taskOf(
  parts: Parts,
  { question }: Requested,
  request: FastifyRequest,
  how: Pick<PageTask, "encoding" | "isShared">,
): PageTask {
  return {
    question,
    nonce: request.cspNonce,
    version: parts.options.version,
    isHead: request.method === "HEAD",
    ...how,
  };
}

async function drawShared(
  parts: Parts,
  requested: Requested,
  request: FastifyRequest,
): Promise<CachedPage | undefined> {
  const task = taskOf(parts, requested, request, { encoding: "identity", isShared: true });
  const { head, body, isGood } = await parts.renderer.render(task, contextOf(parts, request)).page;
  if (!("plain" in body)) throw new Error("a page to be shared came in one piece");
  const bytes = body.plain.bytes.length + body.packed.bytes.length;
  // What failed is answered once and never shared: the next visitor may find it mended.
  return isGood ? { status: head.status, headers: head.headers, cut: body, bytes } : undefined;
}

async function sendDrawn(
  parts: Parts,
  requested: Requested,
  encoding: PageEncoding,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const task = taskOf(parts, requested, request, { encoding, isShared: false });
  const rendering = parts.renderer.render(task, contextOf(parts, request));
  const { raw } = reply;
  raw.once("close", () => {
    if (!raw.writableFinished) rendering.leave();
  });
  const { head, body } = await rendering.page;
  if ("plain" in body) throw new Error("a page for one visitor came in pieces");
  reply.code(head.status);
  writeHeaders(requested, reply, head.headers);
  const place = parts.options.cookies ?? HOST;
  if (head.endsSession) emptySession(request, reply, place);
  else guardRedirect(request, reply, place);
  takeOver(reply);
  // The headers of the page without its body, which was not rendered: its length is unknown.
  if (task.isHead) {
    body.resume();
    raw.end();
    return reply;
  }
  body.once("error", () => raw.destroy());
  body.pipe(raw);
  return reply;
}

/** The response continues without the HTTP library, with the status and headers set so far. */
function takeOver(reply: FastifyReply): void {
  const { raw } = reply;
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.statusCode = reply.statusCode;
}

const NAMING_HEADERS = ["x-authorization", "authorization", "token", "logintoken"] as const;

/** No session and no token: the API answers as for any visitor. Foreign cookies change nothing. */
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
