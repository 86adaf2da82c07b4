// Writes a ZIP archive of one file as its text comes: never the whole text in memory. The same text gives the same bytes.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32, createDeflateRaw } from "node:zlib";

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const DEFLATED = 8;
const LOCAL_BYTES = 30;
/** The first of January 1980: when a file was written must not change its bytes. */
const DATE = 0x21;

interface Entry {
  readonly name: Buffer;
  readonly sum: number;
  readonly packed: number;
  readonly plain: number;
}

/** The archive is there whole or not at all. */
export async function writeZip(path: string, entryName: string, text: AsyncIterable<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const name = Buffer.from(entryName);
  const part = `${path}.new`;
  const file = createWriteStream(part);
  file.write(Buffer.alloc(LOCAL_BYTES + name.length));
  const deflate = createDeflateRaw({ level: 9 });
  let [sum, packed, plain] = [0, 0, 0];
  deflate.on("data", (chunk: Buffer) => {
    packed += chunk.length;
  });
  const written = once(deflate.pipe(file), "finish");
  // A failed write is thrown where the end is awaited.
  written.catch(() => undefined);
  for await (const piece of text) {
    const bytes = Buffer.from(piece);
    sum = crc32(bytes, sum);
    plain += bytes.length;
    if (!deflate.write(bytes)) await Promise.race([once(deflate, "drain"), written]);
  }
  deflate.end();
  await written;
  const entry: Entry = { name, sum, packed, plain };
  const handle = await open(part, "r+");
  try {
    await handle.write(localHeader(entry), 0, undefined, 0);
    const at = LOCAL_BYTES + name.length + packed;
    await handle.write(directory(entry, at), 0, undefined, at);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, path);
}

function localHeader(entry: Entry): Buffer {
  const head = Buffer.alloc(LOCAL_BYTES);
  head.writeUInt32LE(LOCAL, 0);
  head.writeUInt16LE(VERSION, 4);
  writeEntry(head, 6, entry);
  return Buffer.concat([head, entry.name]);
}

/** What local and central headers share: flags, method, time, date, sum, sizes, length of the name. */
function writeEntry(head: Buffer, at: number, { name, sum, packed, plain }: Entry): void {
  head.writeUInt16LE(DEFLATED, at + 2);
  head.writeUInt16LE(DATE, at + 6);
  head.writeUInt32LE(sum, at + 8);
  head.writeUInt32LE(packed, at + 12);
  head.writeUInt32LE(plain, at + 16);
  head.writeUInt16LE(name.length, at + 20);
}

function directory(entry: Entry, at: number): Buffer {
  const central = Buffer.alloc(46);
  central.writeUInt32LE(CENTRAL, 0);
  central.writeUInt16LE(VERSION, 4);
  central.writeUInt16LE(VERSION, 6);
  writeEntry(central, 8, entry);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + entry.name.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([central, entry.name, end]);
}
