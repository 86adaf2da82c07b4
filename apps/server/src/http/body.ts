// How bodies are read: counted byte by byte as they arrive, so that what is too large, too deep or of too many parts is
// refused before anything is made of it and before the rest has come. JSON and forms are read, nothing else.
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { EdgeCode } from "@clockwork/host/refusal";
import type { IncomingFile, RouteSpec } from "@clockwork/host/route";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { BodyRefused } from "./refusal.ts";

/** More than any schema of ours admits, and still cheap to process. */
const VALUES_MAX = 4096;
const DEPTH_MAX = 32;
const FORM_FIELDS_MAX = 200;

const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST_OPENS = 0x5b;
const BACKSLASH = 0x5c;
const LIST_ENDS = 0x5d;
const OBJECT_OPENS = 0x7b;
const OBJECT_ENDS = 0x7d;

/**
 * Counts the values and levels of JSON text in pieces. Texts are skipped; whether the rest is JSON is checked later.
 */
export class JsonMeter {
  #values = 1;
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  /** False once there is more than the limit. */
  take(bytes: Uint8Array): boolean {
    let [values, depth, isText, isEscaped] = [this.#values, this.#depth, this.#isText, this.#isEscaped];
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === QUOTE) isText = false;
        else isEscaped = byte === BACKSLASH;
      } else if (byte === QUOTE) isText = true;
      else if (byte === COMMA) values += 1;
      else if (byte === LIST_OPENS || byte === OBJECT_OPENS) {
        values += 1;
        depth += 1;
        if (depth > DEPTH_MAX) return false;
      } else if (byte === LIST_ENDS || byte === OBJECT_ENDS) depth -= 1;
      if (values > VALUES_MAX) return false;
    }
    [this.#values, this.#depth, this.#isText, this.#isEscaped] = [values, depth, isText, isEscaped];
    return true;
  }
}

/**
 * Reads all bytes of a body; refuses as soon as it is longer than allowed or `judge` rejects it. The rest is discarded
 * unread. Responds in the turn of the last byte, so that calls keep the order they came in.
 */
function readBody(
  payload: Readable,
  bytesMax: number,
  judge: ((bytes: Uint8Array) => EdgeCode | undefined) | undefined,
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  const parts: Buffer[] = [];
  let length = 0;
  let isOver = false;
  const finish = (error: Error | null): void => {
    if (isOver) return;
    isOver = true;
    payload.off("data", take).resume();
    done(error, error === null && parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length));
  };
  const take = (part: Buffer): void => {
    length += part.length;
    parts.push(part);
    const wrong = length > bytesMax ? "BODY_TOO_LARGE" : judge?.(part);
    if (wrong !== undefined) finish(new BodyRefused(wrong));
  };
  // A client that disconnects midway gets no response.
  const lose = (): void => finish(new BodyRefused("MALFORMED_REQUEST"));
  payload
    .on("data", take)
    .once("end", () => finish(null))
    .once("error", lose)
    .once("close", lose);
}

/** A body in an unsupported form is refused by its headers. An invalid length is refused by the parser. */
export function findBodyFault(headers: IncomingHttpHeaders, bytesMax: number): EdgeCode | undefined {
  const { "content-length": length, "transfer-encoding": transfer, "content-type": type } = headers;
  if (length === undefined && transfer === undefined) return undefined;
  if (length !== undefined && Number(length) > bytesMax) return "BODY_TOO_LARGE";
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") return "UNSUPPORTED_MEDIA";
  const charset = type === undefined ? undefined : CHARSET.exec(type)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset) ? undefined : "UNSUPPORTED_MEDIA";
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

type Done = (error: Error | null, body?: unknown) => void;

/** JSON and forms are read, nothing else: a text/plain body is what a foreign page can send without asking. */
export function registerBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser("error", "error");
  const read = (
    { routeOptions: { bodyLimit } }: FastifyRequest,
    payload: Readable,
    judge: ((part: Uint8Array) => EdgeCode | undefined) | undefined,
    then: (text: string) => void,
    done: Done,
  ): void => {
    readBody(payload, bodyLimit, judge, (error, bytes) => (error === null ? then(bytes.toString()) : done(error)));
  };
  app.addContentTypeParser("application/json", (request, payload, done) => {
    const meter = new JsonMeter();
    const judge = (part: Uint8Array) => (meter.take(part) ? undefined : "BODY_TOO_COMPLEX");
    // Clients that announce JSON with every call send a deletion without any.
    const isNone = (text: string) => text === "" && request.method === "DELETE";
    const parse = (text: string) => (isNone(text) ? done(null, undefined) : void parseJson(request, text, done));
    read(request, payload, judge, parse, done);
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", (request, payload, done) => {
    const parse = (text: string): void => {
      const fields = readForm(text);
      done(fields === undefined ? new BodyRefused("BODY_TOO_COMPLEX") : null, fields);
    };
    read(request, payload, undefined, parse, done);
  });
}

function readForm(text: string): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = Object.create(null);
  let parts = 1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) {
    parts += 1;
    if (parts > FORM_FIELDS_MAX) return undefined;
  }
  for (const [name, value] of new URLSearchParams(text)) {
    const known = fields[name];
    fields[name] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value];
  }
  return fields;
}

/** A scope whose bodies are one file of the given kinds, not read until the handler does. */
export function registerFiles(scope: FastifyInstance, { bytesMax, mediaTypes }: NonNullable<RouteSpec["file"]>): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...mediaTypes], (request, payload, done) => {
    const mediaType = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
    done(null, { mediaType, read: () => readFile(payload, bytesMax) } satisfies IncomingFile);
  });
}

function readFile(payload: Readable, bytesMax: number): Promise<Uint8Array> {
  return new Promise((done, fail) => {
    readBody(payload, bytesMax, undefined, (error, bytes) => (error === null ? done(bytes) : fail(error)));
  });
}
