// A separate process that redraws pictures: only visible content survives, without location, camera, comments or hidden
// bytes. It has no file, key or connection, and exits when it needs more memory than its limit.
import sharp from "sharp";
import { readPictureHead } from "./picture-size.ts";
import type { PictureAnswer, PictureTask } from "./picture-task.ts";
import { judgeWhole } from "./picture-whole.ts";

const EDGE_PIXELS_MAX = 4096;
const QUALITY = 88;
const SMALL_QUALITY = 75;
/** A photograph saved as PNG is larger than it is worth; beyond this it is kept as JPEG. */
const PNG_BYTES_MAX = 3_000_000;
const POLL_MS = 20;

const [pixelsMax = 0, memoryBytesMax = 0] = process.argv.slice(2).map(Number);
sharp.cache(false);
sharp.concurrency(1);

async function redraw(bytes: Uint8Array): Promise<Omit<PictureAnswer, "id">> {
  const source = sharp(bytes, { limitInputPixels: pixelsMax, failOn: "error", animated: false, sequentialRead: true });
  const { format, hasAlpha } = await source.metadata();
  if (format !== "png" && format !== "jpeg" && format !== "webp") return {};
  const drawn = source
    .rotate()
    .resize({ width: EDGE_PIXELS_MAX, height: EDGE_PIXELS_MAX, fit: "inside", withoutEnlargement: true });
  if (format === "png" || hasAlpha) {
    const png = await drawn.clone().png({ compressionLevel: 6 }).toBuffer();
    if (png.length <= PNG_BYTES_MAX) return { bytes: png, mediaType: "image/png" };
  }
  const jpeg = await drawn.flatten({ background: "#fff" }).jpeg({ quality: QUALITY }).toBuffer();
  return { bytes: jpeg, mediaType: "image/jpeg" };
}

/** From the redrawn picture, not from the uploaded file; one that saves nothing is left out. */
async function shrink(bytes: Uint8Array, edgePixels: number): Promise<{ readonly small?: Uint8Array }> {
  const small = await sharp(bytes)
    .resize({ width: edgePixels, height: edgePixels, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#fff" })
    .jpeg({ quality: SMALL_QUALITY })
    .toBuffer();
  return small.length < bytes.length ? { small } : {};
}

async function draw({ bytes, smallEdgePixels }: PictureTask): Promise<Omit<PictureAnswer, "id">> {
  const kind = readPictureHead(bytes)?.kind;
  const wholeness = kind === undefined ? "broken" : judgeWhole(bytes, kind);
  if (wholeness !== "whole") return { isMixed: wholeness === "mixed" };
  const drawn = await redraw(bytes);
  if (drawn.bytes === undefined || smallEdgePixels === undefined) return drawn;
  return { ...drawn, ...(await shrink(drawn.bytes, smallEdgePixels)) };
}

setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytesMax) process.exit(1);
}, POLL_MS).unref();
process.on("disconnect", () => process.exit(0));
process.on("message", (task: PictureTask) => {
  draw(task).then(
    (answer) => process.send?.({ id: task.id, ...answer }),
    () => process.send?.({ id: task.id }),
  );
});
