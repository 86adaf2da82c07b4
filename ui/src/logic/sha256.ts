// SHA-256 of short messages, synchronous: the proof of work hashes hundreds of thousands of times, and the
// browser's own digest is asynchronous and absent on plain HTTP. Not for passwords or secrets.

const ROUNDS = new Int32Array(64);
const START = new Int32Array(8);

// The constants are the first bits of the fractions of prime roots; deriving them beats a table one could mistype.
function fillConstants(): void {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  const bits = (root: number) => ((root - Math.floor(root)) * 0x1_0000_0000) | 0;
  primes.forEach((prime, index) => {
    ROUNDS[index] = bits(Math.cbrt(prime));
    if (index < 8) START[index] = bits(Math.sqrt(prime));
  });
}
fillConstants();

// One hash at a time on one thread: the work space is shared and nothing is allocated per hash.
const schedule = new Int32Array(64);
const state = new Int32Array(8);

function at(words: Int32Array | Uint8Array, index: number): number {
  return words[index] as number;
}

function expandSchedule(bytes: Uint8Array, offset: number): void {
  for (let index = 0; index < 16; index++) {
    const from = offset + index * 4;
    schedule[index] =
      (at(bytes, from) << 24) | (at(bytes, from + 1) << 16) | (at(bytes, from + 2) << 8) | at(bytes, from + 3);
  }
  for (let index = 16; index < 64; index++) {
    const early = at(schedule, index - 15);
    const late = at(schedule, index - 2);
    const s0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const s1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    schedule[index] = (at(schedule, index - 16) + s0 + at(schedule, index - 7) + s1) | 0;
  }
}

function compress(): void {
  let a = at(state, 0);
  let b = at(state, 1);
  let c = at(state, 2);
  let d = at(state, 3);
  let e = at(state, 4);
  let f = at(state, 5);
  let g = at(state, 6);
  let h = at(state, 7);
  for (let index = 0; index < 64; index++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(ROUNDS, index) + at(schedule, index)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = at(state, 0) + a;
  state[1] = at(state, 1) + b;
  state[2] = at(state, 2) + c;
  state[3] = at(state, 3) + d;
  state[4] = at(state, 4) + e;
  state[5] = at(state, 5) + f;
  state[6] = at(state, 6) + g;
  state[7] = at(state, 7) + h;
}

/** Bytes a message of this length needs with its padding. */
export function paddedLength(length: number): number {
  return Math.ceil((length + 9) / 64) * 64;
}

/** Pads the message in place and hashes it. Returns the first 32 bits; the rest remains in the work space. */
export function hashInPlace(bytes: Uint8Array, length: number): number {
  const end = paddedLength(length);
  bytes.fill(0, length, end);
  bytes[length] = 0x80;
  const bits = length * 8;
  bytes[end - 4] = bits >>> 24;
  bytes[end - 3] = bits >>> 16;
  bytes[end - 2] = bits >>> 8;
  bytes[end - 1] = bits;
  state.set(START);
  for (let offset = 0; offset < end; offset += 64) {
    expandSchedule(bytes, offset);
    compress();
  }
  return at(state, 0);
}

export function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(paddedLength(message.length));
  padded.set(message);
  hashInPlace(padded, message.length);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, index) => {
    out.setInt32(index * 4, word);
  });
  return digest;
}
