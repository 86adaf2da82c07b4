// Anonymous HTML for a second: one render serves all visitors of the same page in that second. Pages are kept in pieces
// around the nonce, plain and compressed, so every visitor still gets a nonce of their own. Bounded in entries and
// bytes; never holds anything that depends on a session.
import { crc32, deflateRawSync, constants as zlib } from "node:zlib";
import type { CutPage, PageHeaders } from "./pages-messages.ts";

export interface CachedPage {
  readonly status: number;
  readonly headers: PageHeaders;
  readonly cut: CutPage;
  readonly bytes: number;
}

export interface PageCache {
  /** The page for this key when it is kept or being made. */
  readonly find: (key: string) => Promise<CachedPage | undefined> | undefined;
  /** The page for this key: cached, in progress, or rendered now. Undefined when it may not be shared. */
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

  const find = (key: string): Promise<CachedPage | undefined> | undefined => {
    const entry = kept.get(key);
    if (entry !== undefined && entry.untilMs > options.nowMs()) return Promise.resolve(entry.page);
    drop(key);
    // Everyone who comes while it is made waits for the same render.
    return making.get(key);
  };

  return {
    find,
    take: (key, render) => {
      const found = find(key);
      if (found !== undefined) return found;
      const started = make(key, render);
      making.set(key, started);
      return started;
    },
    size: () => ({ entries: kept.size, bytes }),
  };
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const DEFLATE_END = Buffer.from([3, 0]);
const TRAILER_BYTES = 8;

/** The header of a stored (uncompressed) deflate block of the given length. */
function storedFrame(length: number): Buffer {
  const frame = Buffer.alloc(5);
  frame.writeUInt16LE(length, 1);
  frame.writeUInt16LE(~length & 0xffff, 3);
  return frame;
}

/**
 * Finds every placeholder in the HTML, which is as long as a nonce. The pieces between are compressed once, each ending on
 * a byte boundary, with the placeholders in small stored blocks between them: valid gzip in which a nonce is written over
 * its placeholder, and no compressing per request.
 */
export function cutPage(html: string, placeholder: string): CutPage {
  const pieces = html.split(placeholder).map((piece) => Buffer.from(piece));
  const hole = Buffer.from(placeholder);
  const frame = storedFrame(hole.length);
  const [plain, packed]: [Buffer[], Buffer[]] = [[], [GZIP_HEADER]];
  const [plainHoles, packedHoles]: [number[], number[]] = [[], []];
  let [plainBytes, packedBytes] = [0, GZIP_HEADER.length];
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) {
      plainHoles.push(plainBytes);
      packedHoles.push(packedBytes + frame.length);
      plain.push(hole);
      packed.push(frame, hole);
      plainBytes += hole.length;
      packedBytes += frame.length + hole.length;
    }
    const deflated = deflateRawSync(piece, { level: 6, finishFlush: zlib.Z_SYNC_FLUSH });
    plain.push(piece);
    packed.push(deflated);
    plainBytes += piece.length;
    packedBytes += deflated.length;
  }
  const whole = Buffer.concat(plain);
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(whole.length, 4);
  return {
    plain: { bytes: whole, holes: plainHoles },
    packed: { bytes: Buffer.concat([...packed, DEFLATE_END, trailer]), holes: packedHoles },
    sum: crc32(whole),
    holeSum: crc32(hole),
    // What a change in a hole does to the sum is multiplied by x for every bit that follows it.
    weight: plainHoles.reduce((all, at) => all ^ power(8 * (whole.length - at - hole.length)), 0),
  };
}

/** The page with a visitor's own nonce in it. */
export function storePage({ plain, packed, sum, holeSum, weight }: CutPage, nonce: string, gzip: boolean): Buffer {
  const { bytes, holes } = gzip ? packed : plain;
  const page = Buffer.from(bytes);
  for (const at of holes) page.write(nonce, at, "latin1");
  if (gzip) page.writeUInt32LE((sum ^ multiply(weight, crc32(nonce) ^ holeSum)) >>> 0, page.length - TRAILER_BYTES);
  return page;
}

/** The polynomial of CRC-32, its highest power in the lowest bit. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

/** Of polynomials over the two numbers 0 and 1, modulo that of CRC-32. */
function multiply(left: number, right: number): number {
  let [product, shifted] = [0, right];
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((left & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
  }
  return product >>> 0;
}

/** x to the given power. */
function power(count: number): number {
  let [product, square] = [ONE, ONE >>> 1];
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) product = multiply(product, square);
    square = multiply(square, square);
  }
  return product;
}
