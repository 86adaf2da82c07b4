// A line of text as glyphs from left to right: right-to-left scripts reversed, Arabic letters joined, every letter from
// the font that has it.
import bidiFactory from "bidi-js";
import type { Glyph } from "fontkit";
import type { Face, Fonts } from "./fonts.ts";

/** The position of a glyph, in thousandths of the size. */
export interface PlacedGlyph {
  readonly face: Face;
  readonly glyph: Glyph;
  readonly x: number;
  readonly y: number;
  readonly advance: number;
}
export interface TextLine {
  readonly glyphs: readonly PlacedGlyph[];
  readonly width: number;
}

interface Run {
  readonly face: Face;
  readonly level: number;
  text: string;
}

const EM = 1_000;
const bidi = bidiFactory();

/** Marks and joiners are written by the font of the letter before them. */
const JOINS = /^[\p{M}\p{Cf}]$/u;

function splitRuns(text: string, fonts: Fonts): Run[] | undefined {
  // Fonts have a glyph for control characters.
  if (/\p{Cc}/u.test(text)) return undefined;
  const embedding = bidi.getEmbeddingLevels(text, "ltr");
  const mirrored = bidi.getMirroredCharactersMap(text, embedding);
  const runs: Run[] = [];
  let at = 0;
  for (const letter of text) {
    const level = embedding.levels[at] ?? 0;
    const last = runs.at(-1);
    const codePoint = letter.codePointAt(0) ?? 0;
    const isSpace = letter === " ";
    // A space or a mark belongs to its word, so that a word is shaped and placed as one.
    const stays =
      last !== undefined && (isSpace || JOINS.test(letter)) && last.face.font.hasGlyphForCodePoint(codePoint);
    const face = stays ? last.face : fonts.faceOf(codePoint);
    if (face === undefined) return undefined;
    const written = mirrored.get(at) ?? letter;
    if (last !== undefined && last.face === face && last.level === level) last.text += written;
    else runs.push({ face, level, text: written });
    at += letter.length;
  }
  return runs;
}

/** From the highest level down, every stretch of runs at or above it is turned around. */
function orderRuns(runs: readonly Run[]): readonly Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while (to < ordered.length && (ordered[to]?.level ?? 0) >= level) to += 1;
      if (to > from + 1) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  }
  return ordered;
}

/** Undefined when one of its letters is in none of the fonts. */
export function drawLine(text: string, fonts: Fonts): TextLine | undefined {
  const runs = splitRuns(text.normalize("NFC"), fonts);
  if (runs === undefined) return undefined;
  const glyphs: PlacedGlyph[] = [];
  let width = 0;
  for (const { face, level, text: part } of orderRuns(runs)) {
    const scale = EM / face.font.unitsPerEm;
    const run = face.font.layout(part, undefined, undefined, undefined, level % 2 === 1 ? "rtl" : "ltr");
    for (const [i, glyph] of run.glyphs.entries()) {
      const place = run.positions[i];
      if (place === undefined) continue;
      const advance = place.xAdvance * scale;
      glyphs.push({ face, glyph, advance, x: width + place.xOffset * scale, y: place.yOffset * scale });
      width += advance;
    }
  }
  return { glyphs, width };
}
