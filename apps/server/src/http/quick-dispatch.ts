// What a request of the quick lane means: its route, its caller, its limits, and its response as text, header and body
// in one piece. Uses the same limits, responders, records and header lines as the general path; independent of socket
// state.

import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { clientAddress, type ProxyTrust } from "@clockwork/host/address";
import type { Call } from "@clockwork/host/call";
import type { Refusal } from "@clockwork/host/refusal";
import type { Config } from "@clockwork/host/settings/config";
import { measureMs, wallMs } from "@clockwork/host/time/measure";
import type { AddressLimit } from "./address-limit.ts";
import type { KnowsHost } from "./host.ts";
import { OpenRawRoute, type RawRoute } from "./quick-raw.ts";
import { LINE_END, mayBecomePlain, type PlainHead, readHead, recallLength } from "./quick-request.ts";
import { OpenRoute, type QuickMatch, type QuickReply, type QuickRoute, type QuickTarget } from "./quick-route.ts";
import type { Recorder } from "./records.ts";
import { readRequestId } from "./request-id.ts";
import { apiLines, isOwnOrigin } from "./security.ts";

export interface QuickDispatchOptions {
  readonly config: Config;
  readonly trust: ProxyTrust;
  readonly knows: KnowsHost;
  readonly limit: AddressLimit | undefined;
  readonly record: Recorder;
  /** Turns what a handler threw into a refusal, and logs it. */
  readonly fail: (error: unknown, requestId: string, route: string) => Refusal;
  /** Called when a request starts and when it has ended. */
  readonly startedAt: () => void;
  readonly ended: () => void;
  /** True when connections are not kept any longer. */
  readonly isEnding: () => boolean;
  readonly keepAliveSeconds: number;
}

/** A head of one of our routes. */
export interface QuickHead {
  readonly match: QuickMatch;
  readonly plain: PlainHead;
  readonly address: string;
  readonly bodyBytes: number;
}

/** Header and body of a response; the encoding defines how its text becomes bytes. */
export type Publish = (text: string, encoding: "latin1" | "utf8") => void;

const HEAD_BYTES_MAX = 8_192;

/** A request that is being answered. */
export class QuickRequest implements Call {
  readonly id: string;
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
  readonly isInProcess = false;
  readonly match: QuickMatch;
  readonly input: unknown;
  readonly notify: Publish;
  readonly startedMs = measureMs();
  /** Own header lines. */
  lines: string;
  isAnswered = false;

  constructor({ plain: { headers }, address, match }: QuickHead, input: unknown, notify: Publish) {
    this.id = readRequestId(headers["x-request-id"]);
    this.address = address;
    this.headers = headers;
    this.match = match;
    this.input = input;
    this.notify = notify;
    this.lines = `x-request-id: ${this.id}\r\n`;
  }

  get url(): string {
    return this.match.url;
  }

  get isPrompt(): boolean {
    return this.match.route.isPrompt;
  }
}

export class QuickDispatch {
  readonly headBytesMax: number;
  readonly #options: QuickDispatchOptions;
  readonly #lines: string;
  readonly #isSecureSite: boolean;
  readonly #hasForeign: boolean;
  readonly #keepLines: string;
  #plain = new Map<string, QuickMatch>();
  #patterns: QuickTarget[] = [];
  #starts: string[] = [];
  #dateSecond = 0;
  #dateLine = "";

  constructor(options: QuickDispatchOptions) {
    const { config } = options;
    this.#options = options;
    this.headBytesMax = Math.min(HEAD_BYTES_MAX, config.headerLimitBytes);
    this.#isSecureSite = config.publicOrigin?.startsWith("https:") === true;
    this.#hasForeign = config.allowedOrigins.length > 0 || config.domain !== "";
    this.#lines = apiLines(this.#isSecureSite) + (this.#hasForeign ? "vary: Origin\r\n" : "");
    this.#keepLines = `Connection: keep-alive\r\nKeep-Alive: timeout=${options.keepAliveSeconds}\r\n\r\n`;
  }

  /** Once the library can make validators and serializers. */
  open(routes: readonly QuickRoute[], raw: readonly RawRoute[]): void {
    const queried = raw.map((route) => new OpenRawRoute(route));
    const open: readonly QuickTarget[] = [
      ...routes.map((route) => new OpenRoute(route, this.#options.config.bodyLimitBytes)),
      ...queried,
    ];
    this.#starts = open.map(({ start }) => start);
    this.#patterns = [...open.filter(({ line }) => line === undefined), ...queried];
    this.#plain = new Map(
      open.flatMap((route) => (route.line === undefined ? [] : [[route.line, { route, url: route.url, texts: {} }]])),
    );
  }

  /** False when these bytes cannot become a request for any route here. */
  mayBegin(bytes: Buffer): boolean {
    const text = bytes.toString("latin1");
    return this.#starts.some((start) => start.startsWith(text) || text.startsWith(start)) && mayBecomePlain(text);
  }

  /**
   * A header without the empty line after it; undefined when the quick lane does not handle it. No side effects. `last`
   * is the header this connection sent before: what was derived from it remains valid.
   */
  readHead(text: string, socket: Socket, last: QuickHead | undefined): QuickHead | undefined {
    const bodyBytes = last === undefined ? undefined : recallLength(last.plain, text);
    if (last === undefined || bodyBytes === undefined) return this.#readNew(text, socket);
    if (bodyBytes === last.bodyBytes) return last;
    const { match, plain, address } = last;
    return match.route.takes(plain.headers, bodyBytes) ? { match, plain, address, bodyBytes } : undefined;
  }

  #readNew(text: string, socket: Socket): QuickHead | undefined {
    const lineEnd = text.indexOf(LINE_END);
    const firstLine = lineEnd < 0 ? text : text.slice(0, lineEnd);
    const match = this.#plain.get(firstLine) ?? this.#matchPattern(firstLine);
    if (match === undefined || lineEnd < 0) return undefined;
    const plain = readHead(text, lineEnd + LINE_END.length);
    if (plain === undefined || !match.route.takes(plain.headers, plain.bodyBytes)) return undefined;
    const { headers } = plain;
    // Whether https was used behind a proxy, and the CORS headers for a foreign origin, are decided by the library.
    if (!this.#isSecureSite && headers["x-forwarded-proto"] !== undefined) return undefined;
    if (this.#hasForeign && headers.origin !== undefined) return undefined;
    if (!this.#options.knows(headers.host) || !isOwnOrigin(plain, this.#options.config)) return undefined;
    const address = clientAddress({ socket, headers }, this.#options.trust);
    return { match, plain, address, bodyBytes: plain.bodyBytes ?? 0 };
  }

  #matchPattern(firstLine: string): QuickMatch | undefined {
    for (const route of this.#patterns) {
      const match = route.match(firstLine);
      if (match !== undefined) return match;
    }
    return undefined;
  }

  /** Undefined when the input is not what the route takes; has no effect then. Else the request counts from now on. */
  begin(head: QuickHead, bodyText: string, notify: Publish): QuickRequest | undefined {
    const input = head.match.route.readInput(head.match, bodyText);
    if (input === undefined) return undefined;
    this.#options.startedAt();
    return new QuickRequest(head, input, notify);
  }

  answer(requested: QuickRequest): void {
    const { route } = requested.match;
    const charged =
      route.weight === undefined ? undefined : this.#options.limit?.charge(requested.address, route.weight);
    if (charged !== undefined) {
      requested.lines += `ratelimit-policy: ${charged.policy}\r\nratelimit: ${charged.standing}\r\n`;
    }
    if (charged?.refusal !== undefined) this.refuse(requested, charged.refusal, charged.retryAfterSeconds);
    else {
      route.reply(requested, requested.input).then(
        (reply) => this.#send(requested, reply),
        (error) => this.#fail(requested, error),
      );
    }
  }

  #fail(requested: QuickRequest, error: unknown): void {
    if (!requested.isAnswered)
      this.refuse(requested, this.#options.fail(error, requested.id, requested.match.route.url));
  }

  refuse(requested: QuickRequest, refusal: Refusal, retryAfterSeconds = refusal.retryAfterSeconds): void {
    this.#send(requested, { ...requested.match.route.refuse(refusal, requested.id), retryAfterSeconds });
  }

  /** Only the first answer counts: a handler may come too late. */
  #send(requested: QuickRequest, { status, body, refusal, retryAfterSeconds, lines = "" }: QuickReply): void {
    if (requested.isAnswered) return;
    requested.isAnswered = true;
    if (retryAfterSeconds !== undefined) requested.lines += `retry-after: ${retryAfterSeconds}\r\n`;
    const bytes = Buffer.byteLength(body);
    const keepLines = this.#options.isEnding() ? "Connection: close\r\n\r\n" : this.#keepLines;
    const text =
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n${this.#lines}${requested.lines}${lines}` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${bytes}\r\n${this.#readDate()}${keepLines}${body}`;
    this.#record(requested, status, refusal);
    this.#options.ended();
    requested.notify(text, bytes === body.length ? "latin1" : "utf8");
  }

  #record(requested: QuickRequest, status: number, refusal: string | undefined): void {
    const { route, url } = requested.match;
    const tookMs = measureMs() - requested.startedMs;
    const { method, isAnonymous } = route;
    this.#options.record(requested, { method, route: route.url, url, status, refusal, tookMs, isAnonymous });
  }

  /** Made again once a second. */
  #readDate(): string {
    const nowMs = wallMs();
    const second = Math.trunc(nowMs / 1000);
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#dateLine = `Date: ${new Date(nowMs).toUTCString()}\r\n`;
    }
    return this.#dateLine;
  }
}
