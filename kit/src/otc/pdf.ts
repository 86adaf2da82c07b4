// Writes a plain PDF of one page after the other: a title and lines of name and value. The same input gives the same bytes.

const PAGE_WIDTH = 595;
const PAGE_HEIGHT = 842;
const MARGIN = 56;
const LINE = 18;
const LINES_A_PAGE = 38;
const VALUE_AT = 150;
const VALUE_LENGTH = 78;

/** Can the built-in fonts write all of it? */
export function isWritable(text: string): boolean {
  return [...text].every((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return (code >= 32 && code <= 126) || (code >= 160 && code <= 255);
  });
}

/** What the built-in fonts can write; anything else becomes a question mark. */
function escapeText(text: string): string {
  return [...text]
    .map((letter) => {
      const code = letter.codePointAt(0) ?? 63;
      if (code < 32 || code > 126) return code >= 160 && code <= 255 ? `\\${code.toString(8)}` : "?";
      return "()\\".includes(letter) ? `\\${letter}` : letter;
    })
    .join("");
}

function drawPage(title: string, lines: readonly (readonly [string, string])[]): string {
  const top = PAGE_HEIGHT - MARGIN;
  const rows = lines.map(([name, value], i) => {
    const y = top - 40 - i * LINE;
    return (
      `BT /F1 10 Tf ${MARGIN} ${y} Td (${escapeText(name)}) Tj ET\n` +
      `BT /F1 10 Tf ${MARGIN + VALUE_AT} ${y} Td (${escapeText(value.slice(0, VALUE_LENGTH))}) Tj ET`
    );
  });
  return [`BT /F2 16 Tf ${MARGIN} ${top} Td (${escapeText(title)}) Tj ET`, ...rows].join("\n");
}

export function writePdf(title: string, lines: readonly (readonly [string, string])[]): Uint8Array {
  const pages: string[] = [];
  for (let at = 0; at === 0 || at < lines.length; at += LINES_A_PAGE)
    pages.push(drawPage(title, lines.slice(at, at + LINES_A_PAGE)));
  const kids = pages.map((_, i) => `${5 + i * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ...pages.flatMap((content, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Contents ${6 + i * 2} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const startsAt = text.length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${startsAt}\n%%EOF\n`;
  // One byte a character, as the fonts' encoding has it.
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}
