// Pictures people send, as every slice that takes them sees them: the kinds that are read, and what comes back when one
// has been drawn anew.

/** What is read; anything else, PDF and SVG among it, can carry programs and is refused. */
export const PICTURE_MEDIA_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;

export interface Picture {
  readonly bytes: Uint8Array;
  /** image/jpeg or image/png. */
  readonly mediaType: string;
  /** The same as a small JPEG, where one was asked for and takes less. */
  readonly small?: Uint8Array;
}

export interface RedrawOptions {
  /** A small one besides, whose longer side has so many pixels at most. */
  readonly smallEdgePixels?: number;
}

/**
 * `invalid`: no picture, a broken one, or one too large to draw. `mixed`: a picture that is something else besides, an archive,
 * a document or a page. `busy`: too many wait; worth another try.
 */
export type Redrawn = Picture | "invalid" | "mixed" | "busy";

/** Telephones put films and more behind a photograph; what is seen of it is a picture alone. */
export const MIXED_WORDS =
  "This file contains more than an image. Save it as a plain image without video and upload it again.";
