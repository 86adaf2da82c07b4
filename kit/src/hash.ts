// Owns checksums and fingerprints that must be equal on every machine: CRC32, CRC32C and a 128-bit word hash.
// None of them resists an attacker; never use them where one gains from a collision.

function crcTables(polynomial: number): readonly Int32Array[] {
  const tables = Array.from({ length: 8 }, () => new Int32Array(256));
  const first = tables[0] as Int32Array;
  for (let i = 0; i < 256; i++) {
    let value = i;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    first[i] = value;
  }
  for (let i = 0; i < 256; i++) {
    let value = first[i] as number;
    for (let t = 1; t < 8; t++) {
      value = (value >>> 8) ^ (first[value & 255] as number);
      (tables[t] as Int32Array)[i] = value;
    }
  }
  return tables;
}

const IEEE = crcTables(0xedb88320);
const CASTAGNOLI = crcTables(0x82f63b78);

// Eight bytes a round through eight tables: three to four times the speed of one byte a round.
function crc(tables: readonly Int32Array[], bytes: Uint8Array, from: number, to: number, seed: number): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let value = ~seed;
  let at = from;
  const at8 = (offset: number): number => bytes[at + offset] as number;
  for (; at + 8 <= to; at += 8) {
    value ^= at8(0) | (at8(1) << 8) | (at8(2) << 16) | (at8(3) << 24);
    value =
      (t7[value & 255] as number) ^
      (t6[(value >>> 8) & 255] as number) ^
      (t5[(value >>> 16) & 255] as number) ^
      (t4[value >>> 24] as number) ^
      (t3[at8(4)] as number) ^
      (t2[at8(5)] as number) ^
      (t1[at8(6)] as number) ^
      (t0[at8(7)] as number);
  }
  for (; at < to; at++) value = (value >>> 8) ^ (t0[(value ^ (bytes[at] as number)) & 255] as number);
  return ~value >>> 0;
}

/** CRC-32 as in zip and Ethernet; `seed` continues an earlier result. */
export function crc32(bytes: Uint8Array, from = 0, to = bytes.length, seed = 0): number {
  return crc(IEEE, bytes, from, to, seed);
}

/** CRC-32C (Castagnoli) as in iSCSI and ext4; `seed` continues an earlier result. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length, seed = 0): number {
  return crc(CASTAGNOLI, bytes, from, to, seed);
}

/** A 128-bit fingerprint over 32-bit words, four lanes mixed at the end (after MurmurHash3). */
export class WordHash {
  #a = 0x239b961b;
  #b = 0x4ab0e978;
  #c = 0x38b34ae5;
  #d = 0x61e37b11;
  #words = 0;

  update(words: Int32Array, from = 0, to = words.length): void {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    for (let i = from; i < to; i++) {
      const mixed = Math.imul(words[i] as number, 0xcc9e2d51);
      const turned = a ^ Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
      a = b;
      b = c;
      c = d;
      d = (Math.imul((turned << 13) | (turned >>> 19), 5) + c + 0xe6546b64) | 0;
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
    this.#words += to - from;
  }

  hex(): string {
    let text = "";
    let carry = this.#words | 0;
    for (const lane of [this.#a, this.#b, this.#c, this.#d, this.#a ^ this.#c]) {
      let mixed = (lane ^ carry) | 0;
      mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
      carry = mixed ^ (mixed >>> 16);
      text += (carry >>> 0).toString(16).padStart(8, "0");
    }
    return text.slice(8);
  }
}
