// Polyglots as they are made in the wild, each a picture any viewer shows and something else besides, against the process
// that draws pictures; and what honest cameras put behind a photograph.
import { crc32, deflateRawSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { readPictureHead } from "./picture-size.ts";
import { judgeWhole } from "./picture-whole.ts";
import { openPictures } from "./pictures.ts";

const pictures = openPictures();
afterAll(() => pictures.close());

const plain = () => sharp({ create: { width: 64, height: 48, channels: 3, background: "#369" } });
const jpeg = await plain().jpeg().toBuffer();
const png = await plain().png().toBuffer();
const webp = await plain().webp().toBuffer();
const HTML = Buffer.from("<!doctype html><html><body><script>alert(document.domain)</script></body></html>");
const PDF = Buffer.from(
  "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n" +
    "2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
);

/** One file in an archive; offsets are counted from the archive's own start, as lenient readers accept. */
function zip(name: string, content: string): Buffer {
  const packed = deflateRawSync(content);
  const facts = Buffer.alloc(22);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(8, 4);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(content.length, 18);
  const nameLength = Buffer.from([name.length, 0, 0, 0]);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), facts, nameLength, Buffer.from(name), packed]);
  const more = Buffer.alloc(14);
  const listed = Buffer.concat([
    ...[Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), facts, nameLength],
    ...[more, Buffer.from(name)],
  ]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, listed, end]);
}
const ZIP = zip("run.sh", "rm -rf /");

/** A part of a JPEG right behind its first bytes. */
function withPart(marker: number, content: Buffer, length = content.length + 2): Buffer {
  const head = Buffer.from([0xff, marker, length >> 8, length & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}
const comment = (content: Buffer) => withPart(0xfe, content);

function withChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  const at = png.length - 12;
  return Buffer.concat([png.subarray(0, at), frame.subarray(0, 4), named, frame.subarray(4), png.subarray(at)]);
}

/** The picture's first bytes are a word of a script, the length behind it opens a comment, the program ends it. */
function scriptJpeg(): Buffer {
  const length = Buffer.from("/*").readUInt16BE();
  const program = Buffer.from("*/=1;alert(1);/*");
  return withPart(0xe0, Buffer.concat([program, Buffer.alloc(length - 2 - program.length)]), length);
}
function scriptWebp(): Buffer {
  const program = Buffer.from("*/=1;alert(1)//");
  const length = Buffer.from("/*\0\0").readUInt32LE() + 0x10000;
  // Parts are of even length; one byte is left over.
  const content = length + 8 - webp.length - 8 - 1;
  const chunk = Buffer.alloc(8);
  chunk.write("EXIF");
  chunk.writeUInt32LE(content, 4);
  const whole = Buffer.concat([webp, chunk, program, Buffer.alloc(content - program.length + 1)]);
  whole.writeUInt32LE(length, 4);
  return whole;
}

const tar = (): Buffer => {
  const header = Buffer.alloc(512);
  header.write("ustar\x0000", TAR_AT - PART_AT, "latin1");
  return comment(header);
};
const TAR_AT = 257;
/** Where the content of the first part starts. */
const PART_AT = 6;

/** As a Galaxy writes it behind every photograph: a block, the table of blocks, its length, the mark. */
function samsung(content: Buffer, name = "Image_UTC_Data"): Buffer {
  const block = Buffer.concat([
    ...[Buffer.from([0, 0, 1, 0x0a]), Buffer.from([name.length, 0, 0, 0]), Buffer.from(name), content],
  ]);
  const table = Buffer.alloc(24);
  table.write("SEFH");
  table.writeUInt32LE(106, 4);
  table.writeUInt32LE(1, 8);
  table.writeUInt16LE(0x0a01, 14);
  table.writeUInt32LE(block.length, 16);
  table.writeUInt32LE(block.length, 20);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(table.length, 0);
  tail.write("SEFT", 4);
  return Buffer.concat([block, table, tail]);
}

describe("[OTC-1] [AUTH-11] [PAGE-1] a polyglot is refused", () => {
  test.each([
    ["a page behind a JPEG", Buffer.concat([jpeg, HTML])],
    ["a page in a JPEG's comment", comment(HTML)],
    ["a program in a JPEG's comment", comment(Buffer.from('<?php system($_GET["c"]); ?>'))],
    ["a document behind a JPEG", Buffer.concat([jpeg, PDF])],
    ["a document in a JPEG's comment", comment(PDF)],
    ["an archive behind a JPEG", Buffer.concat([jpeg, ZIP])],
    ["an archive in a JPEG's comment", comment(ZIP)],
    ["a tape archive whose first name is the picture", tar()],
    ["a script that begins with a JPEG's mark", scriptJpeg()],
    ["a film behind a JPEG", Buffer.concat([jpeg, Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "latin1")])],
    ["a page behind a camera's second picture", Buffer.concat([jpeg, jpeg, HTML])],
    ["a page before the last mark of a JPEG", Buffer.concat([jpeg.subarray(0, -2), HTML, jpeg.subarray(-2)])],
    ["an archive behind a PNG", Buffer.concat([png, ZIP])],
    ["an archive in a PNG's text", withChunk("tEXt", Buffer.concat([Buffer.from("Comment\0"), ZIP]))],
    ["a page in a PNG's text", withChunk("tEXt", Buffer.concat([Buffer.from("Comment\0"), HTML]))],
    ["a page behind a PNG", Buffer.concat([png, HTML])],
    ["one letter behind a PNG", Buffer.concat([png, Buffer.from("x")])],
    ["an archive behind a WebP", Buffer.concat([webp, ZIP])],
    ["a script that begins with a WebP's mark", scriptWebp()],
    ["an archive in the notes of a telephone", Buffer.concat([jpeg, samsung(ZIP)])],
    ["a page in the notes of a telephone", Buffer.concat([jpeg, samsung(HTML)])],
    ["a film in the notes of a telephone", Buffer.concat([jpeg, samsung(Buffer.alloc(70_000, 1))])],
    [
      "notes of a telephone that do not add up",
      Buffer.concat([jpeg, Buffer.from("hidden"), samsung(Buffer.from("1"))]),
    ],
  ])("%s", async (_, bytes) => {
    // Without the check it would be taken: the picture in it is a good one.
    expect((await sharp(bytes).metadata()).width).toBe(64);
    expect(await pictures.redraw(bytes)).toBe("mixed");
  });

  test.each([
    ["a script that begins with a GIF's mark", Buffer.from("GIF89a/*\x01\0\x80\0\0*/=1;alert(1)//", "latin1")],
    ["a page before a JPEG", Buffer.concat([HTML, jpeg])],
    ["an archive before a PNG", Buffer.concat([ZIP, png])],
    ["a document before a JPEG", Buffer.concat([PDF, jpeg])],
  ])("%s is no picture at all", async (_, bytes) => {
    expect(await pictures.redraw(bytes)).toBe("invalid");
  });
});

test("[OTC-1] [AUTH-11] what honest cameras put behind a photograph is taken, and nothing of it kept", async () => {
  const noted = samsung(Buffer.from("1700000000000"));
  for (const bytes of [
    ...[jpeg, png, webp, await plain().jpeg({ progressive: true }).toBuffer()],
    Buffer.concat([jpeg, Buffer.alloc(4096)]),
    Buffer.concat([jpeg, Buffer.alloc(512, 0xff)]),
    Buffer.concat([jpeg, jpeg]),
    Buffer.concat([jpeg, Buffer.alloc(100), jpeg, Buffer.alloc(30), jpeg]),
    Buffer.concat([jpeg, noted]),
    Buffer.concat([jpeg, jpeg, noted]),
    Buffer.concat([png, noted]),
    Buffer.concat([webp, Buffer.alloc(2)]),
    comment(Buffer.from("Taken at the harbour, 1 < 2")),
  ]) {
    const drawn = await pictures.redraw(bytes);
    expect(typeof drawn === "string" ? drawn : Buffer.from(drawn.bytes).includes("Image_UTC_Data")).toBe(false);
  }
});

test("[OTC-1] [AUTH-11] photographs full of noise are each taken as a picture alone", async () => {
  for (let index = 0; index < 25; index += 1) {
    const noise = { type: "gaussian", mean: 128, sigma: 30 + index } as const;
    const photo = sharp({ create: { width: 300, height: 200, channels: 3, background: "#000", noise } });
    for (const bytes of [
      await photo
        .clone()
        .jpeg({ quality: 60 + index, progressive: index % 2 === 0 })
        .toBuffer(),
      await photo.clone().png().toBuffer(),
      await photo
        .clone()
        .webp({ quality: 60 + index })
        .toBuffer(),
    ])
      expect(judgeWhole(bytes, readPictureHead(bytes)?.kind ?? "png")).toBe("whole");
  }
});

test("[OTC-1] [AUTH-11] a picture cut anywhere has no end, and reading it never fails", () => {
  for (const [kind, bytes] of [
    ["jpeg", jpeg],
    ["png", png],
    ["webp", webp],
  ] as const) {
    for (let cut = 40; cut < bytes.length; cut += 1) expect(judgeWhole(bytes.subarray(0, cut), kind)).toBe("broken");
  }
});
