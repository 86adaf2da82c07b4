// What the queue of pictures and its process say to each other.

export interface PictureTask {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly smallEdgePixels?: number;
}

/** Without a picture: it could not be drawn, or holds more than one. */
export interface PictureAnswer {
  readonly id: number;
  readonly isMixed?: boolean;
  readonly bytes?: Uint8Array;
  readonly mediaType?: string;
  readonly small?: Uint8Array;
}
