// Outlines of glyphs as fonts of a PDF: every written glyph is drawn once, and addressed by a font and one byte.
// Readers and searches recover the text from each glyph's Unicode mapping.
import type { Glyph, PathCommand } from "fontkit";
import type { Face } from "./fonts.ts";
import type { PlacedGlyph } from "./text-line.ts";

interface Drawn {
  readonly face: Face;
  readonly glyph: Glyph;
  readonly widthUnits: number;
}

const CODES_A_FONT = 256;
const EM = 1_000;
/** A separately drawn dot is no letter: invisible, and no end of a word. */
const NOTHING = "\u2060";

const short = (value: number): string => String(Math.round(value * 10) / 10);
const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0");
export const utf16 = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => hex(text.charCodeAt(i), 4)).join("");

/** One step of an outline from where the pen is; curves of one point become those of two. */
function drawStep({ command, args }: PathCommand, [x0, y0]: readonly [number, number], scale: number): string {
  const points = (values: readonly number[]): string => values.map((value) => short(value * scale)).join(" ");
  if (command === "closePath") return "h";
  if (command === "moveTo") return `${points(args)} m`;
  if (command === "lineTo") return `${points(args)} l`;
  if (command === "bezierCurveTo") return `${points(args)} c`;
  const [x1 = 0, y1 = 0, x = 0, y = 0] = args;
  const near = (one: number, other: number): number => one + (2 / 3) * (other - one);
  return `${points([near(x0, x1), near(y0, y1), near(x, x1), near(y, y1), x, y])} c`;
}

function drawPath(commands: readonly PathCommand[], scale: number): string {
  let pen: readonly [number, number] = [0, 0];
  const lines: string[] = [];
  for (const step of commands) {
    lines.push(drawStep(step, pen, scale));
    const [x = pen[0], y = pen[1]] = step.args.slice(-2);
    pen = [x, y];
  }
  return lines.join("\n");
}

/** The procedure that draws one glyph. */
function drawGlyph({ face, glyph, widthUnits }: Drawn): string {
  const scale = EM / face.font.unitsPerEm;
  const bounds = `${short(widthUnits)} 0 ${-EM} ${-EM} ${2 * EM} ${2 * EM} d1`;
  const path = drawPath(glyph.path.commands, scale);
  if (path === "") return bounds;
  return face.strokeUnits === 0 ? `${bounds}\n${path}\nf` : `${bounds}\n${face.strokeUnits} w 1 j\n${path}\nB`;
}

export class Outlines {
  readonly #drawn: Drawn[] = [];
  readonly #known = new Map<Face, Map<number, number>>();

  /** The number of the font, from 0, and the byte in it. */
  nameOf({ face, glyph, advance }: PlacedGlyph): { readonly font: number; readonly code: string } {
    const known = this.#known.get(face) ?? new Map<number, number>();
    this.#known.set(face, known);
    let index = known.get(glyph.id);
    if (index === undefined) {
      index = this.#drawn.length;
      known.set(glyph.id, index);
      this.#drawn.push({ face, glyph, widthUnits: advance });
    }
    return { font: Math.floor(index / CODES_A_FONT), code: hex(index % CODES_A_FONT, 2) };
  }

  get fontCount(): number {
    return Math.ceil(this.#drawn.length / CODES_A_FONT);
  }

  /** The objects of one font, the font itself first; `first` is the number that object gets. */
  writeFont(font: number, first: number): readonly string[] {
    const drawn = this.#drawn.slice(font * CODES_A_FONT, (font + 1) * CODES_A_FONT);
    const names = drawn.map((_, code) => `/g${code}`);
    const procs = names.map((name, code) => `${name} ${first + 2 + code} 0 R`).join(" ");
    const stream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
    return [
      `<< /Type /Font /Subtype /Type3 /FontBBox [${-EM} ${-EM} ${2 * EM} ${2 * EM}] /FontMatrix [0.001 0 0 0.001 0 0]` +
        ` /CharProcs << ${procs} >> /Encoding << /Type /Encoding /Differences [0 ${names.join(" ")}] >>` +
        ` /FirstChar 0 /LastChar ${drawn.length - 1} /Widths [${drawn.map(({ widthUnits }) => short(widthUnits)).join(" ")}]` +
        ` /Resources << >> /ToUnicode ${first + 1} 0 R >>`,
      stream(writeUnicode(drawn)),
      ...drawn.map((one) => stream(drawGlyph(one))),
    ];
  }
}

/** The Unicode text of each code. */
function writeUnicode(drawn: readonly Drawn[]): string {
  const lines = drawn.map(({ face, glyph }, code) => {
    const letters = String.fromCodePoint(...glyph.codePoints) || (face.font.stringsForGlyph(glyph.id)[0] ?? NOTHING);
    return `<${hex(code, 2)}> <${utf16(letters)}>`;
  });
  // A hundred in one block is the most there may be.
  const blocks = Array.from({ length: Math.ceil(lines.length / 100) }, (_, i) => {
    const some = lines.slice(i * 100, (i + 1) * 100);
    return `${some.length} beginbfchar\n${some.join("\n")}\nendbfchar`;
  });
  return [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
    "/CMapName /Written def /CMapType 2 def",
    "1 begincodespacerange <00> <FF> endcodespacerange",
    ...blocks,
    "endcmap CMapName currentdict /CMap defineresource pop end end",
  ].join("\n");
}
