// Uploaded pictures, as every slice sees them: the accepted kinds, and the result of re-encoding one.

/** The accepted types; anything else, PDF and SVG among it, can contain programs and is refused. */
export const PICTURE_MEDIA_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;

export interface Picture {
  readonly bytes: Uint8Array;
  /** image/jpeg or image/png. */
  readonly mediaType: string;
  /** The same as a small JPEG, if requested and smaller. */
  readonly small?: Uint8Array;
}

export interface RedrawOptions {
  /** Also a small one, whose longer side has at most this many pixels. */
  readonly smallEdgePixels?: number;
}

/**
 * `invalid`: no picture, a broken one, or one too large to decode. `mixed`: a polyglot, also an archive, a document or
 * a page. `busy`: too many wait; retry.
 */
export type Redrawn = Picture | "invalid" | "mixed" | "busy";

/** Phones append videos and more to a photograph; the visible part is only a picture. */
export const MIXED_WORDS =
  "This file holds more than a picture. Save it as a plain picture, without a film, and send that.";
