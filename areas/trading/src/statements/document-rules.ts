// A statement as a document and its formats: CSV, JSON or PDF. Pure: the same document is the same bytes, however it
// was paged. Each ends with the hash of the content before it.
import { createHash } from "node:crypto";
import type { StatementFormat } from "./contract.ts";
import { writeLinesPdf } from "./pdf-rules.ts";

export interface DocumentHead {
  readonly title: string;
  /** The inputs of the document, and the journal it was read from. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  /** Width in characters when printed; 0 for a column of the other formats only. */
  readonly width: number;
  readonly isNumber?: true;
}

export type Row = readonly string[];

export interface Document {
  readonly head: DocumentHead;
  readonly rows: readonly Row[];
  /** The totals: opening, every type, closing. */
  readonly sums: readonly (readonly [name: string, value: string])[];
}

export const MEDIA_TYPES: Readonly<Record<StatementFormat, string>> = {
  CSV: "text/csv;charset=utf-8",
  JSON: "application/json",
  PDF: "application/pdf",
};

export function writeDocument(document: Document, format: StatementFormat): string {
  if (format === "CSV") return writeCsv(document);
  return format === "JSON" ? writeJson(document) : writeTable(document);
}

export const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Names chosen by users must not be executed by a spreadsheet. */
function cell(text: string): string {
  const guarded = /^[=+\-@\t\r|]/.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

function writeCsv({ head, rows, sums }: Document): string {
  const lines = [head.columns.map(({ name }) => cell(name)).join(","), ...rows.map((row) => row.map(cell).join(","))];
  for (const [name, value] of [["statement", head.title] as const, ...head.facts, ...sums])
    lines.push(`# ${name}: ${value}`);
  const text = `${lines.join("\r\n")}\r\n`;
  return `${text}# sha256 of everything above: ${sha256Of(text)}\r\n`;
}

function writeJson({ head, rows, sums }: Document): string {
  const names = head.columns.map(({ name }) => name);
  const lines = rows.map((row) => JSON.stringify(Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""]))));
  const text = [
    `{"statement":${JSON.stringify(head.title)},`,
    `"facts":${JSON.stringify(Object.fromEntries(head.facts))},`,
    `"sums":${JSON.stringify(Object.fromEntries(sums))},`,
    `"rows":[\n${lines.join(",\n")}\n]`,
  ].join("\n");
  return `${text},\n"sha256OfEverythingAbove":"${sha256Of(text)}"}\n`;
}

function writeTable({ head, rows, sums }: Document): string {
  const columns = head.columns.filter(({ width }) => width > 0);
  const facts = head.facts.map(([name, value]) => `${name}: ${value}`);
  const ends = sums.map(([name, value]) => `${name.padEnd(64)} ${value.padStart(28)}`);
  const lines = [
    ...facts,
    "",
    ...writeLines(
      columns,
      columns.map(({ name }) => name),
      false,
    ),
    ...rows.flatMap((row) =>
      writeLines(
        columns,
        row.filter((_, at) => head.columns[at]?.width !== 0),
        true,
      ),
    ),
    "",
    "Opening, what moved it, closing:",
    ...ends,
  ];
  const hash = sha256Of([head.title, ...lines].join("\n"));
  return writeLinesPdf(head.title, [...lines, "", `sha256 of the lines above: ${hash}`]);
}

/** One line, or more where a number is longer than its column: numbers are never cut, they wrap. Words may be cut. */
function writeLines(columns: readonly Column[], values: Row, isData: boolean): readonly string[] {
  const cells = columns.map(({ width, isNumber }, at) => {
    const value = values[at] ?? "";
    if (value.length <= width) return [value];
    if (isNumber !== true || !isData) return [`${value.slice(0, Math.max(0, width - 2))}..`.slice(0, width)];
    return Array.from({ length: Math.ceil(value.length / width) }, (_, part) =>
      value.slice(part * width, (part + 1) * width),
    );
  });
  return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) =>
    columns
      .map(({ width, isNumber }, at) => {
        const text = cells[at]?.[line] ?? "";
        return isNumber === true ? text.padStart(width) : text.padEnd(width);
      })
      .join(" "),
  );
}
