// Lines of text as a PDF file: monospaced pages, plain ASCII, without date or random numbers, so that the same lines
// give the same bytes. Independent of statements.

export const PAGE_WIDTH = 595;
export const PAGE_HEIGHT = 842;

/** Typewriter, bold, plain: fonts every reader has. */
export type Font = "F1" | "F2" | "F3";
const FONTS = ["Courier", "Helvetica-Bold", "Helvetica"] as const;

/** Widths of the plain font's letters from the space on, in thousandths; figures are as wide in bold. */
const WIDTHS =
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
    .split(" ")
    .map(Number);
const TYPEWRITER = 600;
const OTHER = 556;

/** Signs beyond ASCII the fonts have, by their number in the file. */
const SIGNS: Readonly<Record<string, number>> = { "−": 150, "–": 150, "…": 133, "·": 183, "“": 147, "”": 148 };

export function widthOf(text: string, font: Font, size: number): number {
  const widths = [...text].map((letter) =>
    font === "F1" ? TYPEWRITER : (WIDTHS[(letter.codePointAt(0) ?? 0) - 32] ?? OTHER),
  );
  return (widths.reduce((sum, width) => sum + width, 0) * size) / 1_000;
}

/** As the file's own notation wants it; letters the fonts do not have become a question mark. */
function quote(text: string): string {
  return [...text]
    .map((letter) => {
      const code = SIGNS[letter] ?? letter.codePointAt(0) ?? 63;
      if (code < 32 || code > 255) return "?";
      if (code > 126) return `\\${code.toString(8)}`;
      return /[\\()]/.test(letter) ? `\\${letter}` : letter;
    })
    .join("");
}

const figure = (value: number): string => String(Math.round(value * 100) / 100);

/** A string at a place; `y` is counted from the top. */
export function drawText(text: string, x: number, y: number, font: Font, size: number, grey = 0.08): string {
  const place = `1 0 0 1 ${figure(x)} ${figure(PAGE_HEIGHT - y)} Tm`;
  return `BT ${grey} g /${font} ${size} Tf ${place} (${quote(text)}) Tj ET`;
}

/** Ends at `x`. */
export function drawRight(text: string, x: number, y: number, font: Font, size: number, grey = 0.08): string {
  return drawText(text, x - widthOf(text, font, size), y, font, size, grey);
}

export function drawRule(x: number, to: number, y: number, width: number, grey: number): string {
  const at = figure(PAGE_HEIGHT - y);
  return `${width} w ${grey} G ${figure(x)} ${at} m ${figure(to)} ${at} l S`;
}

export function drawBox(x: number, y: number, width: number, height: number, grey: number): string {
  return `${grey} g ${figure(x)} ${figure(PAGE_HEIGHT - y - height)} ${figure(width)} ${figure(height)} re f`;
}

/** A filled shape by its corners. */
export function drawShape(corners: readonly (readonly [x: number, y: number])[], grey = 0.08): string {
  const [first, ...rest] = corners.map(([x, y]) => `${figure(x)} ${figure(PAGE_HEIGHT - y)}`);
  return `${grey} g ${first} m ${rest.map((corner) => `${corner} l`).join(" ")} h f`;
}

export function writePdf(contents: readonly string[]): string {
  const firstPage = 3 + FONTS.length;
  const kids = contents.map((_, index) => `${firstPage + index * 2} 0 R`).join(" ");
  const fonts = FONTS.map((_, index) => `/F${index + 1} ${index + 3} 0 R`).join(" ");
  const place = `/MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Resources << /Font << ${fonts} >> >>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${contents.length} /Kids [${kids}] >>`,
    ...FONTS.map((name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`),
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R ${place} /Contents ${firstPage + index * 2 + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const cross = places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const start = text.length;
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${cross}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

const MARGIN = 36;
const LETTER = 7;
const LEADING = 9.5;
const TITLE = 14;
const HEAD = 40;
const LINES_A_PAGE = Math.floor((PAGE_HEIGHT - MARGIN * 2 - HEAD) / LEADING);

/** Lines of a typewriter below a title, as many pages as they take. */
export function writeLinesPdf(title: string, lines: readonly string[]): string {
  const pages: (readonly string[])[] = [];
  for (let at = 0; at < Math.max(1, lines.length); at += LINES_A_PAGE) pages.push(lines.slice(at, at + LINES_A_PAGE));
  return writePdf(
    pages.map((some, index) =>
      [
        drawText(title, MARGIN, MARGIN + TITLE, "F2", TITLE),
        drawRight(`Page ${index + 1} of ${pages.length}`, PAGE_WIDTH - MARGIN, MARGIN + TITLE, "F1", LETTER),
        ...some.map((line, at) => drawText(line, MARGIN, MARGIN + HEAD + at * LEADING, "F1", LETTER)),
      ].join("\n"),
    ),
  );
}
