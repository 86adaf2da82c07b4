// The types receipts use of two libraries that have none.
declare module "fontkit" {
  export interface PathCommand {
    readonly command: "moveTo" | "lineTo" | "quadraticCurveTo" | "bezierCurveTo" | "closePath";
    readonly args: readonly number[];
  }
  export interface Glyph {
    readonly id: number;
    readonly codePoints: readonly number[];
    readonly path: { readonly commands: readonly PathCommand[] };
  }
  export interface GlyphRun {
    /** In visual order, from left to right. */
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly { readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number }[];
  }
  export interface Font {
    readonly unitsPerEm: number;
    /** The text of a glyph alone. */
    stringsForGlyph(id: number): readonly string[];
    hasGlyphForCodePoint(codePoint: number): boolean;
    layout(
      text: string,
      features?: readonly string[],
      script?: string,
      language?: string,
      direction?: "ltr" | "rtl",
    ): GlyphRun;
  }
  export function create(file: Uint8Array): Font;
}

declare module "bidi-js" {
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: "ltr" | "rtl"): { readonly levels: Uint8Array };
    getMirroredCharactersMap(text: string, levels: { readonly levels: Uint8Array }): Map<number, string>;
  }
  // biome-ignore lint/style/noDefaultExport: it is theirs
  export default function bidiFactory(): Bidi;
}
