// SHA-256 of short messages, synchronous: the proof of work hashes hundreds of thousands of times, and the
// browser's own digest is asynchronous and absent on plain HTTP. Not for passwords or secrets.

const ROUNDS = new Uint32Array(64);
const START = new Uint32Array(8);

// The constants are the first bits of the fractions of prime roots; deriving them beats a table one could mistype.
function fillConstants(): void {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  const bits = (root: number) => ((root - Math.floor(root)) * 0x1_0000_0000) >>> 0;
  primes.forEach((prime, index) => {
    ROUNDS[index] = bits(Math.cbrt(prime));
    if (index < 8) START[index] = bits(Math.sqrt(prime));
  });
}
fillConstants();

const schedule = new Uint32Array(64);

function at(words: Uint32Array, index: number): number {
  return words[index] as number;
}

function rotate(word: number, count: number): number {
  return (word >>> count) | (word << (32 - count));
}

function expandSchedule(block: DataView, offset: number): void {
  for (let index = 0; index < 16; index++) schedule[index] = block.getUint32(offset + index * 4);
  for (let index = 16; index < 64; index++) {
    const early = at(schedule, index - 15);
    const late = at(schedule, index - 2);
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[index] = (at(schedule, index - 16) + s0 + at(schedule, index - 7) + s1) | 0;
  }
}

function compress(state: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(ROUNDS, index) + at(schedule, index)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
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
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (at(state, index) + word) | 0;
  });
}

export function sha256(message: Uint8Array): Uint8Array {
  const blocks = Math.ceil((message.length + 9) / 64);
  const padded = new Uint8Array(blocks * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, message.length * 8);
  const state = Uint32Array.from(START);
  for (let block = 0; block < blocks; block++) {
    expandSchedule(view, block * 64);
    compress(state);
  }
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, index) => {
    out.setUint32(index * 4, word);
  });
  return digest;
}
