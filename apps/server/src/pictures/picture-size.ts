// Reads kind and size from a picture's header without a decoder: a picture that declares more than the limit is refused
// before a byte of it is unpacked. Supports JPEG, PNG and WebP; everything else is refused.

export interface PictureHead {
  readonly kind: "jpeg" | "png" | "webp";
  readonly width: number;
  readonly height: number;
}

export function readPictureHead(bytes: Uint8Array): PictureHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = readPng(view) ?? readWebp(view) ?? readJpeg(view);
  return head !== undefined && head.width > 0 && head.height > 0 ? head : undefined;
}

function hasText(view: DataView, at: number, text: string): boolean {
  if (at + text.length > view.byteLength) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (view.getUint8(at + index) !== text.charCodeAt(index)) return false;
  }
  return true;
}

function readPng(view: DataView): PictureHead | undefined {
  if (view.byteLength < 33 || !hasText(view, 0, "\x89PNG\r\n\x1a\n") || !hasText(view, 12, "IHDR")) return undefined;
  return { kind: "png", width: view.getUint32(16), height: view.getUint32(20) };
}

function readWebp(view: DataView): PictureHead | undefined {
  if (view.byteLength < 30 || !hasText(view, 0, "RIFF") || !hasText(view, 8, "WEBP")) return undefined;
  if (hasText(view, 12, "VP8X")) {
    const width = 1 + view.getUint16(24, true) + (view.getUint8(26) << 16);
    const height = 1 + view.getUint16(27, true) + (view.getUint8(29) << 16);
    return { kind: "webp", width, height };
  }
  if (hasText(view, 12, "VP8L")) {
    const bits = view.getUint32(21, true);
    return { kind: "webp", width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (!hasText(view, 12, "VP8 ")) return undefined;
  return { kind: "webp", width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** The frame header follows any number of other segments, each of which states its length. */
function readJpeg(view: DataView): PictureHead | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // Of C0 to CF all are frames but the tables of Huffman and arithmetic coding and one that is kept for later.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { kind: "jpeg", height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xda || marker === 0xd9) return undefined;
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
