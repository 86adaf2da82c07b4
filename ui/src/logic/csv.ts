// Rows to CSV text that spreadsheets open safely. Never writes a file and never fetches rows.

const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)*%?$/;

/**
 * A cell that starts like a formula would run in a spreadsheet; an apostrophe keeps it text. Real numbers remain
 * numbers.
 */
export function guardFormula(text: string): string {
  if (!/^[=+\-@\t\r\n|]/.test(text)) return text;
  return PLAIN_NUMBER.test(text) ? text : `'${text}`;
}

function quoteCell(text: string): string {
  const guarded = guardFormula(text);
  return /[",\r\n;]/.test(guarded) || guarded !== guarded.trim() ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** RFC 4180 with CRLF. The mark at the start makes Excel read UTF-8. */
export function writeCsv(head: readonly string[], rows: Iterable<readonly string[]>): string {
  const lines = [head.map(quoteCell).join(",")];
  for (const row of rows) lines.push(row.map(quoteCell).join(","));
  return `\uFEFF${lines.join("\r\n")}\r\n`;
}

/** A name no file system refuses. */
export function csvFileName(title: string, stamp: string): string {
  const safe = title
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .toLowerCase();
  return `${safe || "table"}-${stamp}.csv`;
}
