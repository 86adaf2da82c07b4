// Lines of text as a PDF file: monospaced pages, plain ASCII, without date or random numbers, so that the same lines
// give the same bytes. Independent of statements.

const PAGE_WIDTH = 595;
const PAGE_HEIGHT = 842;
const MARGIN = 36;
const LETTER = 7;
const LEADING = 9.5;
const TITLE = 14;
const HEAD = 40;
const LINES_A_PAGE = Math.floor((PAGE_HEIGHT - MARGIN * 2 - HEAD) / LEADING);

/** Escapes characters of the file's notation and replaces those the font lacks. */
function quote(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").replace(/[\\()]/g, (letter) => `\\${letter}`);
}

function writePage(title: string, lines: readonly string[], page: number, pages: number): string {
  const top = PAGE_HEIGHT - MARGIN;
  return [
    "BT",
    `/F2 ${TITLE} Tf 1 0 0 1 ${MARGIN} ${top - TITLE} Tm (${quote(title)}) Tj`,
    `/F1 ${LETTER} Tf 1 0 0 1 ${PAGE_WIDTH - MARGIN - 80} ${top - TITLE} Tm (page ${page} of ${pages}) Tj`,
    `${LEADING} TL 1 0 0 1 ${MARGIN} ${top - HEAD} Tm`,
    ...lines.map((line) => `(${quote(line)}) Tj T*`),
    "ET",
  ].join("\n");
}

export function writePdf(title: string, lines: readonly string[]): string {
  const pages: (readonly string[])[] = [];
  for (let at = 0; at < Math.max(1, lines.length); at += LINES_A_PAGE) pages.push(lines.slice(at, at + LINES_A_PAGE));
  const firstPage = 5;
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
    ...pages.flatMap((some, index) => {
      const content = writePage(title, some, index + 1, pages.length);
      const place = `/MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >>`;
      return [
        `<< /Type /Page /Parent 2 0 R ${place} /Contents ${firstPage + index * 2 + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
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
