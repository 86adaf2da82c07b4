// Whether a file is its picture and nothing else. A polyglot is a picture to us and an archive, a document or a script
// to another program; it is refused, even though what is stored is redrawn. Reads the file's parts without a decoder.
import type { PictureHead } from "./picture-size.ts";

/** `mixed`: it holds more than a picture. `broken`: it has no end. */
export type Wholeness = "whole" | "mixed" | "broken";

export function judgeWhole(bytes: Uint8Array, kind: PictureHead["kind"]): Wholeness {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = ENDS[kind](file);
  if (end === undefined) return "broken";
  const isMixed = !isHarmless(file, end) || STRANGE.test(textOf(file)) || isArchive(file) || isScript(file, kind);
  return isMixed ? "mixed" : "whole";
}

/** Byte by byte. */
const textOf = (file: Buffer, start = 0, end = file.length): string => file.toString("latin1", start, end);

/** Where a picture's last part ends; undefined when the file stops before that. */
const ENDS: Readonly<Record<PictureHead["kind"], (file: Buffer) => number | undefined>> = {
  png: endOfPng,
  webp: endOfWebp,
  jpeg: endOfJpegs,
};

function endOfPng(file: Buffer): number | undefined {
  for (let at = 8; at + 12 <= file.length; ) {
    const next = at + 12 + file.readUInt32BE(at);
    if (next > file.length) return undefined;
    if (textOf(file, at + 4, at + 8) === "IEND") return next;
    at = next;
  }
  return undefined;
}

function endOfWebp(file: Buffer): number | undefined {
  const end = 8 + file.readUInt32LE(4);
  return end > file.length ? undefined : end;
}

/** As many as a camera puts behind each other: the picture, a preview, a map of its light. */
const JPEGS_MAX = 8;

/** Whole JPEGs one behind the other are one photograph of a camera (Multi-Picture Format), and no second kind of file. */
function endOfJpegs(file: Buffer): number | undefined {
  let end = endOfJpeg(file, 0);
  for (let count = 1; count < JPEGS_MAX && end !== undefined; count += 1) {
    const next = skipPadding(file, end);
    const after = file[next] === 0xff && file[next + 1] === 0xd8 ? endOfJpeg(file, next) : undefined;
    if (after === undefined) break;
    end = after;
  }
  return end;
}

function endOfJpeg(file: Buffer, start: number): number | undefined {
  for (let at = start + 2; at + 2 <= file.length; ) {
    const marker = file[at + 1] as number;
    if (file[at] !== 0xff) return undefined;
    if (marker === 0xd9) return at + 2;
    if (marker === 0xff) at += 1;
    else if (hasNoLength(marker)) at += 2;
    else if (at + 4 > file.length) return undefined;
    else {
      at += 2 + file.readUInt16BE(at + 2);
      if (marker === 0xda) at = endOfScan(file, at);
    }
  }
  return undefined;
}

function hasNoLength(marker: number): boolean {
  return (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01;
}

/** A scan's own FF bytes are followed by 00 or by one of the marks it is restarted with. */
function endOfScan(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] as number;
    if (next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return file.length;
}

/** Behind the end: nothing, what fills a block, or the notes a maker of telephones puts behind every photograph. */
function isHarmless(file: Buffer, end: number): boolean {
  const next = skipPadding(file, end);
  return next === file.length || isSamsungTrailer(file, end) || isSamsungTrailer(file, next);
}

function skipPadding(file: Buffer, start: number): number {
  let at = start;
  while (at < file.length && (file[at] === 0x00 || (file[at] === 0xff && file[at + 1] !== 0xd8))) at += 1;
  return at;
}

/** Notes of a photograph take less; the film of a moving one takes more, and is none. */
const TRAILER_BYTES_MAX = 65_536;
const TRAILER_ENTRY_BYTES = 12;

/**
 * Blocks from the picture's end on, then `SEFH`, a table of their offsets counted back from there, its length and
 * `SEFT`.
 */
function isSamsungTrailer(file: Buffer, start: number): boolean {
  const tail = file.length - 8;
  if (file.length - start > TRAILER_BYTES_MAX || tail < start + 12 || textOf(file, tail + 4) !== "SEFT") return false;
  const table = tail - file.readUInt32LE(tail);
  if (table < start || textOf(file, table, table + 4) !== "SEFH") return false;
  const count = file.readUInt32LE(table + 8);
  if (table + 12 + count * TRAILER_ENTRY_BYTES !== tail) return false;
  const starts = Array.from({ length: count }, (_, index) => {
    return table - file.readUInt32LE(table + 12 + index * TRAILER_ENTRY_BYTES + 4);
  });
  return Math.min(...starts) === start;
}

/** Pages, programs, documents and archives that are recognised anywhere in a file. Too long to occur by chance. */
const STRANGE = new RegExp(
  [
    "<(?:script|html|body|iframe|object|embed|!doctype\\s+html)[\\s>/]",
    "<\\?php\\s",
    "__HALT_COMPILER\\(",
    "%PDF-\\d",
    "Rar!\\x1a\\x07",
    "7z\\xbc\\xaf\\x27\\x1c",
  ].join("|"),
  "i",
);

const ZIP_END = Buffer.from("PK\x05\x06", "latin1");
/** The end of an archive, and the longest comment that may follow it. */
const ZIP_TAIL_BYTES_MAX = 22 + 65_535;
const TAR_MARK_AT = 257;

/** A ZIP is read from its end: a closing record, and the list of files right before it. A TAR has its mark at one place. */
function isArchive(file: Buffer): boolean {
  if (textOf(file, TAR_MARK_AT, TAR_MARK_AT + 5) === "ustar") return true;
  const from = Math.max(0, file.length - ZIP_TAIL_BYTES_MAX);
  for (let at = file.indexOf(ZIP_END, from); at >= 0; at = file.indexOf(ZIP_END, at + 1)) {
    if (at + 22 > file.length) return false;
    const list = at - file.readUInt32LE(at + 12);
    if (list >= 0 && list < at && textOf(file, list, list + 4) === "PK\x01\x02") return true;
  }
  return false;
}

/**
 * A script whose first word is the picture's own signature: the length that follows it parses as the start of a
 * comment, and the program follows in the same part. A length in an untampered WebP is even; a slash and an equals sign
 * are odd.
 */
function isScript(file: Buffer, kind: PictureHead["kind"]): boolean {
  if (kind === "webp") return ["/", "="].includes(textOf(file, 4, 5));
  const length = kind === "jpeg" ? textOf(file, 4, 6) : "";
  const part = file.subarray(6, 4 + file.readUInt16BE(4));
  return (length === "/*" && part.includes("*/")) || (length === "//" && part.includes("/*"));
}
