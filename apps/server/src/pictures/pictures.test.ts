// Hostile and honest pictures against the real process that draws them.
import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { readFor } from "@clockwork/host/reading";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { readPictureHead } from "./picture-size.ts";
import { openPictures } from "./pictures.ts";

const pictures = openPictures();
afterAll(() => pictures.close());

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#369" }, limitInputPixels: false });

/** A PNG that announces a size and holds next to nothing. */
function announcePng(width: number, height: number): Buffer {
  const part = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const data = part("IDAT", deflateSync(Buffer.alloc(64)));
  return Buffer.concat([signature, part("IHDR", head), data, part("IEND", Buffer.alloc(0))]);
}

test("[AUTH-11] [PAGE-1] the header of every kind states what the picture is, without unpacking it", async () => {
  for (const [kind, bytes] of [
    ["png", await plain(321, 123).png().toBuffer()],
    ["jpeg", await plain(321, 123).jpeg().toBuffer()],
    ["jpeg", await plain(321, 123).jpeg({ progressive: true }).withMetadata().toBuffer()],
    ["webp", await plain(321, 123).webp().toBuffer()],
    ["webp", await plain(321, 123).webp({ lossless: true }).toBuffer()],
    ["webp", await plain(321, 123).webp().withMetadata().toBuffer()],
  ] as const) {
    expect(readPictureHead(bytes)).toEqual({ kind, width: 321, height: 123 });
    for (let cut = 0; cut < 40; cut += 1) expect(() => readPictureHead(bytes.subarray(0, cut))).not.toThrow();
  }
  expect(readPictureHead(Buffer.from("%PDF-1.4\n%%EOF\n"))).toBeUndefined();
});

test("[AUTH-11] [PAGE-1] a picture of 50 000 by 50 000 is refused by its header, before any process starts", async () => {
  const huge = openPictures();
  expect(await huge.redraw(announcePng(50_000, 50_000))).toBe("invalid");
  expect(huge.isAwake).toBe(false);
  huge.close();
});

test("[AUTH-11] [PAGE-1] only what can be seen survives", async () => {
  const photo = await plain(40, 30)
    .withExif({ IFD0: { ImageDescription: "where I live" } })
    .jpeg()
    .toBuffer();
  const drawn = await pictures.redraw(photo);
  if (typeof drawn === "string") throw new Error(drawn);
  expect(drawn.mediaType).toBe("image/jpeg");
  expect(Buffer.from(drawn.bytes).toString("latin1")).not.toMatch(/where I live/);
  expect(await sharp(drawn.bytes).metadata()).toMatchObject({ width: 40, height: 30 });
  const large = await pictures.redraw(await plain(6000, 3000).png().toBuffer());
  if (typeof large === "string") throw new Error(large);
  expect(await sharp(large.bytes).metadata()).toMatchObject({ format: "png", width: 4096, height: 2048 });
});

test("[OTC-1] a thumbnail is drawn too where it is requested and takes less", async () => {
  const noise = sharp({
    create: {
      width: 900,
      height: 600,
      channels: 3,
      background: "#369",
      noise: { type: "gaussian", mean: 99, sigma: 40 },
    },
  });
  const photo = await noise.png().toBuffer();
  const drawn = await pictures.redraw(photo, { smallEdgePixels: 300 });
  if (typeof drawn === "string" || drawn.small === undefined) throw new Error("no small one");
  expect(await sharp(drawn.small).metadata()).toMatchObject({ format: "jpeg", width: 300, height: 200 });
  expect(await sharp(drawn.bytes).metadata()).toMatchObject({ format: "png", width: 900, height: 600 });
  expect(await pictures.redraw(photo)).not.toHaveProperty("small");
  const tiny = await plain(4, 4).png().toBuffer();
  expect(await pictures.redraw(tiny, { smallEdgePixels: 300 })).not.toHaveProperty("small");
});

test.each([
  ["HTML behind a JPEG's first bytes", Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.from("<html><script>")])],
  ["a PDF", Buffer.from("%PDF-1.4\n1 0 obj<</JS(app.alert(1))>>endobj\n%%EOF\n")],
  ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ["a picture without its data", announcePng(1000, 1000)],
  ["nothing", Buffer.alloc(0)],
])("[AUTH-11] [PAGE-1] %s is no picture", async (_, bytes) => {
  expect(await pictures.redraw(bytes)).toBe("invalid");
});

test("[AUTH-11] [PAGE-1] a picture that takes too long or too much is given up, and the next one is drawn", async () => {
  const photo = await plain(6000, 4000).png().toBuffer();
  const hasty = openPictures({ drawMsMax: 1 });
  expect(await hasty.redraw(photo)).toBe("invalid");
  expect(hasty.isAwake).toBe(false);
  hasty.close();
  const small = openPictures({ memoryBytesMax: 1 });
  expect(await small.redraw(photo)).toBe("invalid");
  small.close();
  expect(await pictures.redraw(await plain(10, 10).png().toBuffer())).toMatchObject({ mediaType: "image/png" });
});

test("[AUTH-11] [PAGE-1] a picture is not blamed for a process that was given no time", async () => {
  const tiny = await plain(10, 10).png().toBuffer();
  const starved = openPictures({ drawMsMax: 2_000 });
  const drawn = starved.redraw(tiny);
  const children = () =>
    readFileSync(`/proc/self/task/${process.pid}/children`, "latin1").trim().split(" ").map(Number);
  await expect.poll(() => starved.isAwake).toBe(true);
  const pid = children().at(-1) ?? 0;
  process.kill(pid, "SIGSTOP");
  await new Promise((wake) => setTimeout(wake, 3_000));
  process.kill(pid, "SIGCONT");
  expect(await drawn).toMatchObject({ mediaType: "image/png" });
  starved.close();
  const hurried = openPictures({ drawMsMax: 2_000, waitMsMax: 1 });
  const refused = hurried.redraw(tiny);
  const stopped = children().at(-1) ?? 0;
  process.kill(stopped, "SIGSTOP");
  expect(await refused).toBe("busy");
  hurried.close();
});

test("[AUTH-11] [PAGE-1] the queue is bounded; an idle process ends", async () => {
  const tiny = await plain(10, 10).png().toBuffer();
  const queue = openPictures({ waitingMax: 2, restMs: 1 });
  const answers = await Promise.all(Array.from({ length: 5 }, () => queue.redraw(tiny)));
  expect(answers.map((answer) => (typeof answer === "string" ? answer : "drawn"))).toEqual([
    "drawn",
    "drawn",
    "drawn",
    "busy",
    "busy",
  ]);
  await expect.poll(() => queue.isAwake).toBe(false);
  queue.close();
});

test("[AUTH-11] [PAGE-1] one user's many pictures are queued, and other users' are drawn between them", async () => {
  const large = await plain(2_000, 1_000).png().toBuffer();
  const tiny = await plain(10, 10).png().toBuffer();
  const queue = openPictures();
  const done: string[] = [];
  const send = async (key: string, bytes: Buffer): Promise<string> => {
    const drawn = await readFor({ key, spentMs: 0 }, () => queue.redraw(bytes));
    if (typeof drawn !== "string") done.push(key);
    return typeof drawn === "string" ? drawn : "drawn";
  };
  const flood = Array.from({ length: 20 }, () => send("flood", large));
  const others = ["a", "b"].map((key) => send(key, tiny));
  const answers = await Promise.all(flood);
  expect(await Promise.all(others)).toEqual(["drawn", "drawn"]);
  expect(answers.filter((answer) => answer === "drawn")).toHaveLength(4);
  expect(answers.filter((answer) => answer === "busy")).toHaveLength(16);
  expect(done.slice(0, 3)).toEqual(["flood", "a", "b"]);
  queue.close();
});

test("[AUTH-11] [PAGE-1] a PNG of 36 megapixels in a few kilobytes is refused by its head", async () => {
  const huge = openPictures();
  expect(await huge.redraw(announcePng(6_000, 6_000))).toBe("invalid");
  expect(huge.isAwake).toBe(false);
  huge.close();
});
