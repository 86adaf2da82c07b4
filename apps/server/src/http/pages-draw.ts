// Renders one page with the web build: in a separate process and, in development, in the server.
import { PassThrough, type Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, createBrotliCompress, createGzip, gzip, constants as zlib } from "node:zlib";
import type { CallApi } from "./pages-api.ts";
import type { PageEncoding, PageHead, PageServer, PageTask } from "./pages-messages.ts";

export interface DrawnPage {
  readonly head: PageHead;
  /** Compressed as the task requests. */
  readonly body: Buffer | Readable;
  /** The reader is gone. */
  readonly abort: () => void;
}

export interface DrawHooks {
  readonly callApi: CallApi;
  readonly onFault: (error: unknown) => void;
}

/** Less is not worth compressing. */
const PACK_BYTES_MIN = 1_024;
const BROTLI = { [zlib.BROTLI_PARAM_QUALITY]: 4 };
const GZIP_LEVEL = 4;

export async function drawPage(server: PageServer, task: PageTask, hooks: DrawHooks): Promise<DrawnPage> {
  const { question, nonce, version, isHead, isShared, encoding } = task;
  const drawn = await server.answerPage({
    ...question,
    nonce,
    version,
    isHead,
    whole: isShared,
    callApi: hooks.callApi,
    onError: hooks.onFault,
  });
  const { status, body, endsSession = false } = drawn;
  if (typeof body === "string") {
    const bytes = Buffer.from(body);
    const isPacked = !isHead && encoding !== "identity" && bytes.length >= PACK_BYTES_MIN;
    const head = { status, headers: withEncoding(drawn.headers, isPacked ? encoding : "identity"), endsSession };
    return { head, body: isPacked ? await pack(bytes, encoding) : bytes, abort: () => undefined };
  }
  const head = { status, headers: withEncoding(drawn.headers, encoding), endsSession };
  // Compressed pieces are flushed as they come.
  const stream =
    encoding === "gzip"
      ? createGzip({ level: GZIP_LEVEL, flush: zlib.Z_SYNC_FLUSH })
      : encoding === "br"
        ? createBrotliCompress({ params: BROTLI, flush: zlib.BROTLI_OPERATION_FLUSH })
        : new PassThrough();
  body.pipe(stream);
  return { head, body: stream, abort: () => body.abort(new Error("the visitor left")) };
}

function withEncoding(headers: PageHead["headers"], encoding: PageEncoding): PageHead["headers"] {
  return encoding === "identity" ? headers : [...headers, ["content-encoding", encoding]];
}

function pack(bytes: Buffer, encoding: PageEncoding): Promise<Buffer> {
  return encoding === "br"
    ? promisify(brotliCompress)(bytes, { params: BROTLI })
    : promisify(gzip)(bytes, { level: GZIP_LEVEL });
}

export async function readBody(body: DrawnPage["body"]): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
