// Anonymous HTML for a second: one render serves everybody who asks for the same page in that second. Pages are kept in
// pieces around the nonce, plain and compressed, so every visitor still gets a nonce of their own. Bounded in entries
// and bytes; never holds anything a session saw.
import { crc32, deflateRawSync, constants as zlib } from "node:zlib";

export interface CachedPage {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** The HTML with the nonce put in, gzip-compressed if asked for. */
  readonly body: (nonce: string, gzip: boolean) => Buffer;
  readonly bytes: number;
}

export interface PageCache {
  /** The page for this key: kept, being made by somebody else, or made now. Undefined when it may not be shared. */
  readonly take: (key: string, make: () => Promise<CachedPage | undefined>) => Promise<CachedPage | undefined>;
  readonly size: () => { readonly entries: number; readonly bytes: number };
}

interface Entry {
  readonly page: CachedPage;
  readonly untilMs: number;
}

export interface PageCacheOptions {
  readonly keepMs: number;
  readonly entriesMax: number;
  readonly bytesMax: number;
  readonly nowMs: () => number;
}

export function createPageCache(options: PageCacheOptions): PageCache {
  const kept = new Map<string, Entry>();
  const making = new Map<string, Promise<CachedPage | undefined>>();
  let bytes = 0;

  const drop = (key: string) => {
    const entry = kept.get(key);
    if (entry === undefined) return;
    kept.delete(key);
    bytes -= entry.page.bytes;
  };

  const keep = (key: string, page: CachedPage) => {
    if (page.bytes > options.bytesMax) return;
    drop(key);
    kept.set(key, { page, untilMs: options.nowMs() + options.keepMs });
    bytes += page.bytes;
    // Insertion order is age: the oldest go first.
    for (const oldest of kept.keys()) {
      if (kept.size <= options.entriesMax && bytes <= options.bytesMax) break;
      drop(oldest);
    }
  };

  const make = async (key: string, render: () => Promise<CachedPage | undefined>) => {
    try {
      const page = await render();
      if (page !== undefined) keep(key, page);
      return page;
    } finally {
      making.delete(key);
    }
  };

  return {
    take: (key, render) => {
      const entry = kept.get(key);
      if (entry !== undefined && entry.untilMs > options.nowMs()) return Promise.resolve(entry.page);
      drop(key);
      // Everyone who comes while it is made waits for the same render.
      const running = making.get(key);
      if (running !== undefined) return running;
      const started = make(key, render);
      making.set(key, started);
      return started;
    },
    size: () => ({ entries: kept.size, bytes }),
  };
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const DEFLATE_END = Buffer.from([3, 0]);

/** A stored (uncompressed) deflate block: 5 bytes of frame around the text. Its length is the same for every nonce. */
function storedBlock(text: Buffer): Buffer {
  const frame = Buffer.alloc(5);
  frame.writeUInt16LE(text.length, 1);
  frame.writeUInt16LE(~text.length & 0xffff, 3);
  return Buffer.concat([frame, text]);
}

/**
 * Cuts the HTML at every placeholder. The pieces between are compressed once, each ending on a byte boundary, so a
 * compressed answer is pieces and small stored blocks laid end to end: valid gzip, no compressing per request.
 */
export function cutPage(html: string, placeholder: string): (nonce: string, gzip: boolean) => Buffer {
  const pieces = html.split(placeholder).map((piece) => Buffer.from(piece));
  const deflated = pieces.map((piece) => deflateRawSync(piece, { level: 6, finishFlush: zlib.Z_SYNC_FLUSH }));

  const lay = (parts: readonly Buffer[], between: Buffer, last: readonly Buffer[]): Buffer => {
    const laid: Buffer[] = [];
    for (const [index, part] of parts.entries()) {
      if (index > 0) laid.push(between);
      laid.push(part);
    }
    return Buffer.concat([...laid, ...last]);
  };

  return (nonce, gzip) => {
    const inserted = Buffer.from(nonce);
    const plain = lay(pieces, inserted, []);
    if (!gzip) return plain;
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(plain), 0);
    trailer.writeUInt32LE(plain.length, 4);
    return Buffer.concat([GZIP_HEADER, lay(deflated, storedBlock(inserted), [DEFLATE_END]), trailer]);
  };
}
