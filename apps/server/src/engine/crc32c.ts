// Owns the CRC-32C (Castagnoli) checksum of journal and snapshot bytes; table driven, eight bytes a round.
// Must never change: files already on disk carry its results.

const POLYNOMIAL = 0x82f63b78;
const TABLES = buildTables();
const T0 = TABLES.subarray(0, 256);
const T1 = TABLES.subarray(256, 512);
const T2 = TABLES.subarray(512, 768);
const T3 = TABLES.subarray(768, 1024);
const T4 = TABLES.subarray(1024, 1280);
const T5 = TABLES.subarray(1280, 1536);
const T6 = TABLES.subarray(1536, 1792);
const T7 = TABLES.subarray(1792, 2048);

function buildTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    tables[byte] = value;
  }
  for (let index = 256; index < 2048; index++) {
    const previous = tables[index - 256] as number;
    tables[index] = (previous >>> 8) ^ (tables[previous & 255] as number);
  }
  return tables;
}

/** Checksum of bytes[start, end) as an unsigned 32-bit number; pass an earlier result as `seed` to continue it. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length, seed = 0): number {
  let crc = ~seed;
  let at = start;
  const rounds = end - 7;
  for (; at < rounds; at += 8) {
    // The casts only silence the unchecked-index rule; every index below is masked to a byte or inside `end`.
    const low =
      crc ^
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24));
    crc =
      (T7[low & 255] as number) ^
      (T6[(low >>> 8) & 255] as number) ^
      (T5[(low >>> 16) & 255] as number) ^
      (T4[low >>> 24] as number) ^
      (T3[bytes[at + 4] as number] as number) ^
      (T2[bytes[at + 5] as number] as number) ^
      (T1[bytes[at + 6] as number] as number) ^
      (T0[bytes[at + 7] as number] as number);
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ (T0[(crc ^ (bytes[at] as number)) & 255] as number);
  return ~crc >>> 0;
}
