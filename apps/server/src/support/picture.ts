// Draws pictures anew: only what can be seen survives, without place, camera, comments or hidden bytes. Bounded in
// size, so that a small file that unfolds into a huge picture is refused before it does.
import type { Picture } from "@clockwork/domains/support/needs";
import sharp from "sharp";

const PIXELS_MAX = 40_000_000;
const EDGE_PIXELS_MAX = 4_096;
const QUALITY = 85;
const FORMATS: ReadonlySet<string> = new Set(["jpeg", "png", "webp"]);

/** Undefined when the bytes are no JPEG, PNG or WebP picture, or too large a one. */
export async function redrawPicture(bytes: Uint8Array): Promise<Picture | undefined> {
  try {
    const source = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: "error", animated: false });
    const { format } = await source.metadata();
    if (format === undefined || !FORMATS.has(format)) return undefined;
    const sized = source
      .rotate()
      .resize({ width: EDGE_PIXELS_MAX, height: EDGE_PIXELS_MAX, fit: "inside", withoutEnlargement: true });
    const isPng = format === "png";
    const drawn = isPng ? sized.png({ compressionLevel: 9 }) : sized.jpeg({ quality: QUALITY });
    return { bytes: new Uint8Array(await drawn.toBuffer()), mediaType: isPng ? "image/png" : "image/jpeg" };
  } catch {
    return undefined;
  }
}
