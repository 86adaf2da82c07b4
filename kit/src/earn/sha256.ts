// Owns SHA-256 and HMAC-SHA256 over bytes, the same in the server, in a page and in its worker: publicly repeatable
// draws must not depend on a platform's library. Not for secrets: it is not constant-time.
import { alignUp, concatBytes } from "../bytes.ts";

const BLOCK_BYTES = 64;
const BLOCK_WORDS = 16;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUND_WORDS = Int32Array.from(
  (
    "428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be 550c7dc3 " +
    "72be5d74 80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da " +
    "983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 27b70a85 2e1b2138 4d2c6dfc 53380d13 " +
    "650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070 " +
    "19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 748f82ee 78a5636f 84c87814 8cc70208 " +
    "90befffa a4506ceb bef9a3f7 c67178f2"
  )
    .split(" ")
    .map((word) => Number.parseInt(word, 16)),
);
const FIRST_STATE = Int32Array.from(
  [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19].map(
    (word) => word | 0,
  ),
);

/** The words of the current block and those derived from them; one hash at a time, without an await in between. */
const WORDS = new Int32Array(64);

/** Mixes the sixteen words at a place into the state. */
function compress(state: Int32Array, source: Int32Array, from: number): void {
  const words = WORDS;
  for (let i = 0; i < BLOCK_WORDS; i++) words[i] = source[from + i] as number;
  for (let i = BLOCK_WORDS; i < 64; i++) {
    const near = words[i - 2] as number;
    const far = words[i - 15] as number;
    const mixedNear = ((near >>> 17) | (near << 15)) ^ ((near >>> 19) | (near << 13)) ^ (near >>> 10);
    const mixedFar = ((far >>> 7) | (far << 25)) ^ ((far >>> 18) | (far << 14)) ^ (far >>> 3);
    words[i] = (mixedNear + (words[i - 7] as number) + mixedFar + (words[i - 16] as number)) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i++) {
    const mixedE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + mixedE + ((e & f) ^ (~e & g)) + (ROUND_WORDS[i] as number) + (words[i] as number)) | 0;
    const mixedA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (mixedA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = ((state[0] as number) + a) | 0;
  state[1] = ((state[1] as number) + b) | 0;
  state[2] = ((state[2] as number) + c) | 0;
  state[3] = ((state[3] as number) + d) | 0;
  state[4] = ((state[4] as number) + e) | 0;
  state[5] = ((state[5] as number) + f) | 0;
  state[6] = ((state[6] as number) + g) | 0;
  state[7] = ((state[7] as number) + h) | 0;
}

const STATE = new Int32Array(8);
const LAST = new Int32Array(2 * BLOCK_WORDS);

/**
 * The hash of whole 32-bit words, eight words into `out`. `midstate` continues a hash of whole blocks, `before` words
 * of them. Draws compute a million of these; bytes are converted to words first.
 */
export function hashWords(
  source: Int32Array,
  from: number,
  count: number,
  out: Int32Array,
  at: number,
  midstate: Int32Array = FIRST_STATE,
  before = 0,
): void {
  for (let i = 0; i < 8; i++) STATE[i] = midstate[i] as number;
  let read = from;
  const end = from + count;
  for (; read + BLOCK_WORDS <= end; read += BLOCK_WORDS) compress(STATE, source, read);
  const rest = end - read;
  for (let i = 0; i < rest; i++) LAST[i] = source[read + i] as number;
  LAST[rest] = 0x80000000 | 0;
  const words = rest + 3 > BLOCK_WORDS ? 2 * BLOCK_WORDS : BLOCK_WORDS;
  for (let i = rest + 1; i < words; i++) LAST[i] = 0;
  const length = before + count;
  LAST[words - 2] = Math.floor(length / 0x800_0000);
  LAST[words - 1] = length << 5;
  compress(STATE, LAST, 0);
  if (words > BLOCK_WORDS) compress(STATE, LAST, BLOCK_WORDS);
  for (let i = 0; i < 8; i++) out[at + i] = STATE[i] as number;
}

/** The bytes as words, the first byte the highest; a whole number of words. */
function toWords(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from({ length: bytes.length >>> 2 }, (_, index) => view.getInt32(4 * index));
}

export function fromWords(words: Int32Array): Uint8Array {
  const bytes = new Uint8Array(4 * words.length);
  const view = new DataView(bytes.buffer);
  for (const [index, word] of words.entries()) view.setInt32(4 * index, word);
  return bytes;
}

export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const message = concatBytes(parts);
  const padded = new Uint8Array(alignUp(message.length + 9, BLOCK_BYTES));
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x2000_0000));
  view.setUint32(padded.length - 4, (message.length << 3) >>> 0);
  const words = toWords(padded);
  const state = FIRST_STATE.slice();
  for (let at = 0; at < words.length; at += BLOCK_WORDS) compress(state, words, at);
  return fromWords(state);
}

/** HMAC-SHA256 of one key over whole words; the key's part is hashed once. */
export class HmacSha256 {
  readonly #inner: Int32Array;
  readonly #outer: Int32Array;
  readonly #between = new Int32Array(8);

  /** The key is a hash: 32 bytes. */
  constructor(key: Uint8Array) {
    const pad = (value: number): Int32Array => {
      const block = new Uint8Array(BLOCK_BYTES).fill(value);
      for (const [i, byte] of key.entries()) block[i] = byte ^ value;
      const state = FIRST_STATE.slice();
      compress(state, toWords(block), 0);
      return state;
    };
    this.#inner = pad(0x36);
    this.#outer = pad(0x5c);
  }

  sign(message: Int32Array, out: Int32Array): void {
    hashWords(message, 0, message.length, this.#between, 0, this.#inner, BLOCK_WORDS);
    hashWords(this.#between, 0, 8, out, 0, this.#outer, BLOCK_WORDS);
  }
}
