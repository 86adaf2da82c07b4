// Pictures people send, as every slice that takes them sees them: the kinds that are read, and what comes back when one
// has been drawn anew.

/** What is read; anything else, PDF and SVG among it, can carry programs and is refused. */
export const PICTURE_MEDIA_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;

export interface Picture {
  readonly bytes: Uint8Array;
  /** image/jpeg or image/png. */
  readonly mediaType: string;
}

/** `invalid`: no picture, a broken one, or one too large to draw. `busy`: too many wait; worth another try. */
export type Redrawn = Picture | "invalid" | "busy";
