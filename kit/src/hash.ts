// Owns checksums and fingerprints that must be equal on every machine: CRC32, CRC32C and a 128-bit word hash. None of
// them is collision-resistant; never use them where an attacker gains from a collision.

/** Sixteen tables of 256 in one: the effect of a byte on the checksum when 0 to 15 more bytes follow. */
function crcTable(polynomial: number): Int32Array {
  const table = new Int32Array(16 * 256);
  for (let i = 0; i < 256; i++) {
    let value = i;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    table[i] = value;
  }
  for (let i = 256; i < table.length; i++) {
    const before = table[i - 256] as number;
    table[i] = (before >>> 8) ^ (table[before & 255] as number);
  }
  return table;
}

const IEEE = crcTable(0xedb88320);
const CASTAGNOLI = crcTable(0x82f63b78);

// Sixteen bytes per round: each round waits for the one before, so there are as few as the tables allow.
function crc(table: Int32Array, bytes: Uint8Array, from: number, to: number, seed: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let value = ~seed;
  let at = from;
  for (; at + 16 <= to; at += 16) {
    const a = value ^ view.getInt32(at, true);
    const b = view.getInt32(at + 4, true);
    const c = view.getInt32(at + 8, true);
    const d = view.getInt32(at + 12, true);
    value =
      (table[3840 | (a & 255)] as number) ^
      (table[3584 | ((a >>> 8) & 255)] as number) ^
      (table[3328 | ((a >>> 16) & 255)] as number) ^
      (table[3072 | (a >>> 24)] as number) ^
      (table[2816 | (b & 255)] as number) ^
      (table[2560 | ((b >>> 8) & 255)] as number) ^
      (table[2304 | ((b >>> 16) & 255)] as number) ^
      (table[2048 | (b >>> 24)] as number) ^
      (table[1792 | (c & 255)] as number) ^
      (table[1536 | ((c >>> 8) & 255)] as number) ^
      (table[1280 | ((c >>> 16) & 255)] as number) ^
      (table[1024 | (c >>> 24)] as number) ^
      (table[768 | (d & 255)] as number) ^
      (table[512 | ((d >>> 8) & 255)] as number) ^
      (table[256 | ((d >>> 16) & 255)] as number) ^
      (table[d >>> 24] as number);
  }
  for (; at < to; at++) value = (value >>> 8) ^ (table[(value ^ (bytes[at] as number)) & 255] as number);
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
