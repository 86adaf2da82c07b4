// Reads the header of a request in the plainest form: one line, then header fields of visible characters, each name
// once. Anything else is not read here; undefined leaves it to the full parser. What is read means exactly what it
// means to Node's own parser.
import type { IncomingHttpHeaders } from "node:http";

export interface PlainHead {
  /** All but the length of the body, which belongs to the one message. */
  readonly headers: IncomingHttpHeaders;
  /** How many bytes follow the head; undefined when it does not say. */
  readonly bodyBytes: number | undefined;
  /** The text around the digits of that length; all of it when there are none. */
  readonly before: string;
  readonly after: string;
}

export const LINE_END = "\r\n";
const HEADERS_MAX = 60;

/** One header. No space around the name, at most one before the value, no folding, no control character. */
const HEADER = /([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ?([\x21-\x7e][\x20-\x7e]*)(?:\r\n|$)/y;
const LENGTH = /^(?:0|[1-9][0-9]{0,6})$/;

const UNFINISHED = /^(?:[\x20-\x7e]+\r\n)*(?:[\x20-\x7e]*|[\x20-\x7e]+\r|\r)$/;

/** False when a head that is still coming can no longer become a plain one. */
export function mayBecomePlain(text: string): boolean {
  return UNFINISHED.test(text);
}

/** They change what follows the head or who answers: never plain. */
const STRANGE: ReadonlySet<string> = new Set([
  "transfer-encoding",
  "content-encoding",
  "expect",
  "upgrade",
  "http2-settings",
  "te",
  "trailer",
  "x-http-method-override",
]);

/** The fields of a header that ends before its empty line; `from` is where the first of them starts. */
export function readHead(head: string, from: number): PlainHead | undefined {
  const headers: Record<string, string> = Object.create(null);
  let count = 0;
  let length = "";
  let lengthEnd = head.length;
  for (let at = from; at < head.length; at = HEADER.lastIndex) {
    HEADER.lastIndex = at;
    const found = HEADER.exec(head);
    count += 1;
    if (found === null || count > HEADERS_MAX) return undefined;
    const name = (found[1] as string).toLowerCase();
    const value = found[2] as string;
    if (headers[name] !== undefined || STRANGE.has(name) || value.endsWith(" ")) return undefined;
    if (name !== "content-length") headers[name] = value;
    else if (length !== "" || !LENGTH.test(value)) return undefined;
    else {
      length = value;
      lengthEnd = HEADER.lastIndex === head.length ? head.length : HEADER.lastIndex - LINE_END.length;
    }
  }
  const { host, connection } = headers;
  if (host === undefined || (connection !== undefined && connection.toLowerCase() !== "keep-alive")) return undefined;
  return {
    headers,
    bodyBytes: length === "" ? undefined : Number(length),
    before: head.slice(0, lengthEnd - length.length),
    after: head.slice(lengthEnd),
  };
}

/**
 * The length of the body when this header equals the previous one except for it, in the same format; else undefined. A
 * program writes the same header again and again.
 */
export function recallLength({ before, after, bodyBytes }: PlainHead, head: string): number | undefined {
  const digits = head.length - before.length - after.length;
  if (bodyBytes === undefined || digits < 1 || !head.startsWith(before) || !head.endsWith(after)) return undefined;
  const length = head.slice(before.length, before.length + digits);
  return LENGTH.test(length) ? Number(length) : undefined;
}
