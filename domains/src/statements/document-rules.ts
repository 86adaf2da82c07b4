// A statement as a document and how it is written: CSV, JSON or PDF. Pure: the same document is the same bytes, whatever
// pages it was read in. Every one ends with the hash of what stands before it.
import { createHash } from "node:crypto";
import type { StatementFormat } from "./api.ts";
import { writePdf } from "./pdf-rules.ts";

export interface DocumentHead {
  readonly title: string;
  /** What it is a function of, and the journal it was read from. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  /** Characters on paper. */
  readonly width: number;
  readonly isNumber?: true;
}

export type Row = readonly string[];

export interface Document {
  readonly head: DocumentHead;
  readonly rows: readonly Row[];
  /** What it comes to: opening, every type, closing. */
  readonly sums: readonly (readonly [name: string, value: string])[];
}

export const MEDIA_TYPES: Readonly<Record<StatementFormat, string>> = {
  CSV: "text/csv;charset=utf-8",
  JSON: "application/json",
  PDF: "application/pdf",
};

export function writeDocument(document: Document, format: StatementFormat): string {
  if (format === "CSV") return writeCsv(document);
  return format === "JSON" ? writeJson(document) : writePaper(document);
}

export const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Names that people chose must not run in a spreadsheet. */
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

function writePaper({ head, rows, sums }: Document): string {
  const line = (values: Row): string =>
    head.columns
      .map(({ width, isNumber }, at) => {
        const value = values[at] ?? "";
        const fit = value.length > width ? `${value.slice(0, width - 2)}..` : value;
        return isNumber === true ? fit.padStart(width) : fit.padEnd(width);
      })
      .join(" ");
  const facts = head.facts.map(([name, value]) => `${name}: ${value}`);
  const ends = sums.map(([name, value]) => `${name.padEnd(64)} ${value.padStart(28)}`);
  const lines = [
    ...facts,
    "",
    line(head.columns.map(({ name }) => name)),
    ...rows.map(line),
    "",
    "Opening, what moved it, closing:",
    ...ends,
  ];
  const hash = sha256Of([head.title, ...lines].join("\n"));
  return writePdf(head.title, [...lines, "", `sha256 of the lines above: ${hash}`]);
}
