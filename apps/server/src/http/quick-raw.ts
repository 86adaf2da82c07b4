// Routes of the quick lane that parse their own query and body: those of other dialects of the API. Accepts what the
// library would have passed on unread, and nothing it would have parsed.
import type { Call } from "@clockwork/host/call";
import type { Refusal } from "@clockwork/host/refusal";
import type { PlainHead } from "./quick-request.ts";
import { type QuickMatch, type QuickReply, type QuickTarget, urlOf, VERSION } from "./quick-route.ts";

/** One call as it came. */
export interface RawInput {
  readonly query: string;
  readonly body: string;
}

export interface RawRoute {
  readonly method: string;
  readonly url: string;
  readonly bodyBytesMax: number;
  /** Never rejects for a refusal. */
  reply(call: Pick<Call, "id" | "address" | "headers">, input: RawInput): Promise<QuickReply>;
  refuse(refusal: Refusal, requestId: string): QuickReply;
}

/** Media types whose body is plain text. */
const TYPES: ReadonlySet<string> = new Set([
  "application/json",
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded; charset=utf-8",
  "application/x-www-form-urlencoded;charset=utf-8",
]);
const QUERY = String.raw`(?:\?[\x21\x22\x24-\x7e]*)?`;

export class OpenRawRoute implements QuickTarget {
  readonly method: string;
  readonly url: string;
  readonly weight = undefined;
  readonly isPrompt = false;
  readonly isAnonymous = false;
  readonly start: string;
  readonly line: string;
  readonly #route: RawRoute;
  readonly #pattern: RegExp;

  constructor(route: RawRoute) {
    const { method, url } = route;
    this.method = method;
    this.url = url;
    this.start = `${method} ${url}`;
    this.line = this.start + VERSION;
    this.#route = route;
    this.#pattern = new RegExp(`^${this.start.replaceAll(".", "\\.")}${QUERY}${VERSION.replaceAll(".", "\\.")}$`);
  }

  match(firstLine: string): QuickMatch | undefined {
    if (!firstLine.startsWith(this.start) || !this.#pattern.test(firstLine)) return undefined;
    return { route: this, url: urlOf(this, firstLine), texts: {} };
  }

  takes(headers: PlainHead["headers"], bodyBytes: number | undefined): boolean {
    const type = headers["content-type"];
    if (bodyBytes === undefined || bodyBytes === 0) return true;
    return type !== undefined && TYPES.has(type) && bodyBytes <= this.#route.bodyBytesMax;
  }

  readInput({ url }: QuickMatch, body: string): RawInput {
    const at = url.indexOf("?");
    return { query: at < 0 ? "" : url.slice(at + 1), body };
  }

  reply(call: Call, input: unknown): Promise<QuickReply> {
    return this.#route.reply(call, input as RawInput);
  }

  refuse(refusal: Refusal, requestId: string): QuickReply {
    return this.#route.refuse(refusal, requestId);
  }
}
