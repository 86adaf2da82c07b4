// Owns seeded randomness (xoshiro128**): the same seed gives the same numbers on every machine. Never reads a clock or
// the system's randomness; not for secrets.

export interface Random {
  /** A 32-bit unsigned integer. */
  next(): number;
  /** A whole number in [0, bound), without bias; bound up to 2^32. */
  below(bound: number): number;
  /** A whole number in [low, high]. */
  between(low: number, high: number): number;
  /** True `hits` times out of `of`. */
  chance(hits: number, of: number): boolean;
  pick<T>(items: readonly T[]): T;
}

function splitMix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) | 0;
  };
}

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

export function createRandom(seed: number): Random {
  const spread = splitMix32(seed);
  let a = spread();
  let b = spread();
  let c = spread();
  let d = spread() | 1;
  const next = (): number => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  };
  const below = (bound: number): number => {
    const limit = 0x100000000 - (0x100000000 % bound);
    let value = next();
    while (value >= limit) value = next();
    return value % bound;
  };
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (hits, of) => below(of) < hits,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  };
}
