// A receipt as a PDF of pages: a title and lines of name and value. Letters in the reader's own fonts are written with
// these, all others by outlines embedded in the file. The same input gives the same bytes.
import { Fonts } from "./fonts.ts";
import { Outlines, utf16 } from "./outlines.ts";
import { drawLine, type TextLine } from "./text-line.ts";

const PAGE_WIDTH = 595;
const PAGE_HEIGHT = 842;
const MARGIN = 56;
const LINE = 18;
const LINES_A_PAGE = 38;
const VALUE_AT = 150;
const VALUE_LENGTH = 78;
const SIZE = 10;
const VALUE_WIDTH = PAGE_WIDTH - 2 * MARGIN - VALUE_AT;
/** Fonts, pages and the two built-in fonts come first. */
const FIRST_PAGE = 5;

/** The replacement of a value that no font can write. */
export type ReceiptLine = readonly [name: string, value: string, otherwise?: string];
export interface ReceiptWork {
  readonly title: string;
  readonly lines: readonly ReceiptLine[];
}

const isBuiltIn = (letter: string): boolean => {
  const code = letter.codePointAt(0) ?? 0;
  return (code >= 32 && code <= 126) || (code >= 160 && code <= 255);
};

/** Can the reader's own fonts write all of it? */
export const isPlain = (text: string): boolean => [...text].every(isBuiltIn);

/** The characters of the built-in fonts; anything else becomes a question mark. */
function escapeText(text: string): string {
  return [...text]
    .map((letter) => {
      if (!isBuiltIn(letter)) return "?";
      const code = letter.charCodeAt(0);
      if (code > 126) return `\\${code.toString(8)}`;
      return "()\\".includes(letter) ? `\\${letter}` : letter;
    })
    .join("");
}

export class ReceiptPdf {
  readonly #fonts: Fonts | undefined;

  /** Plain ones read no fonts. */
  constructor({ isPlain: hasNone = false }: { readonly isPlain?: boolean } = {}) {
    this.#fonts = hasNone ? undefined : new Fonts();
  }

  /** Whether all of it can be rendered. */
  isWritable(text: string): boolean {
    return isPlain(text) || this.#lay(text) !== undefined;
  }

  /** Undefined also where a font cannot be read: a receipt never fails because of a name. */
  #lay(text: string): TextLine | undefined {
    if (this.#fonts === undefined || isPlain(text)) return undefined;
    try {
      return drawLine(text, this.#fonts);
    } catch {
      return undefined;
    }
  }

  #draw(outlines: Outlines, text: string, x: number, y: number): string {
    const line = this.#lay(text);
    if (line === undefined) return `BT /F1 ${SIZE} Tf ${x} ${y} Td (${escapeText(text)}) Tj ET`;
    const size = Math.min(SIZE, (VALUE_WIDTH * 1_000) / Math.max(1, line.width));
    const at = (units: number): string => String(Math.round(units * size) / 1_000);
    const glyphs = line.glyphs.map((placed) => {
      const { font, code } = outlines.nameOf(placed);
      const tall = String(Math.round(size * 1_000) / 1_000);
      return `/T${font} ${tall} Tf 1 0 0 1 ${x + Number(at(placed.x))} ${y + Number(at(placed.y))} Tm <${code}> Tj`;
    });
    // In logical order, whatever the visual order of its glyphs.
    return `/Span << /ActualText <FEFF${utf16(text)}> >> BDC BT\n${glyphs.join("\n")}\nET EMC`;
  }

  #drawPage(outlines: Outlines, title: string, lines: readonly ReceiptLine[]): string {
    const top = PAGE_HEIGHT - MARGIN;
    const rows = lines.flatMap(([name, value, otherwise = value], i) => {
      const y = top - 40 - i * LINE;
      const shown = [...value].slice(0, VALUE_LENGTH).join("");
      return [
        this.#draw(outlines, name, MARGIN, y),
        this.#draw(outlines, this.isWritable(shown) ? shown : otherwise, MARGIN + VALUE_AT, y),
      ];
    });
    return [`BT /F2 16 Tf ${MARGIN} ${top} Td (${escapeText(title)}) Tj ET`, ...rows].join("\n");
  }

  write(title: string, lines: readonly ReceiptLine[]): Uint8Array {
    const outlines = new Outlines();
    const pages: string[] = [];
    for (let at = 0; at === 0 || at < lines.length; at += LINES_A_PAGE)
      pages.push(this.#drawPage(outlines, title, lines.slice(at, at + LINES_A_PAGE)));
    const fonts: string[] = [];
    const firstFont = FIRST_PAGE + pages.length * 2;
    const named = Array.from({ length: outlines.fontCount }, (_, font) => {
      const place = firstFont + fonts.length;
      fonts.push(...outlines.writeFont(font, place));
      return `/T${font} ${place} 0 R`;
    });
    const used = ["/F1 3 0 R", "/F2 4 0 R", ...named].join(" ");
    const kids = pages.map((_, i) => `${FIRST_PAGE + i * 2} 0 R`).join(" ");
    return writeFile([
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
      ...pages.flatMap((content, i) => [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Contents ${FIRST_PAGE + 1 + i * 2} 0 R /Resources << /Font << ${used} >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]),
      ...fonts,
    ]);
  }
}

function writeFile(objects: readonly string[]): Uint8Array {
  const parts = ["%PDF-1.5\n"];
  let length = parts[0]?.length ?? 0;
  const offsets = objects.map((object, i) => {
    const offset = length;
    const part = `${i + 1} 0 obj\n${object}\nendobj\n`;
    parts.push(part);
    length += part.length;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`);
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`);
  // One byte a character: everything beyond is escaped.
  return Uint8Array.from(parts.join(""), (character) => character.charCodeAt(0) & 0xff);
}
