// Sorting and filtering of table rows by column kind, exact for decimal text. Never changes the rows it is given.

import { compareDecimals } from "./decimal-text.ts";

export type SortDirection = "ascending" | "descending";
export type CellValue = string | number | bigint | boolean | null | undefined;

const SIGNED = /^-?\d+(?:\.\d+)?$/;

function isMissing(value: CellValue): value is null | undefined | "" {
  return value === null || value === undefined || value === "";
}

function comparePresent(left: CellValue, right: CellValue): number {
  if (typeof left === "string" && typeof right === "string") {
    if (SIGNED.test(left) && SIGNED.test(right)) return compareDecimals(left, right);
    return left.localeCompare(right, "en", { numeric: true, sensitivity: "base" });
  }
  if (typeof left === typeof right) {
    const a = left as number | bigint | boolean;
    const b = right as number | bigint | boolean;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return String(left).localeCompare(String(right), "en", { numeric: true });
}

/** Missing values go last in both directions: a gap is never the best or the worst. Equal rows keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  read: (row: Row) => CellValue,
  direction: SortDirection,
): readonly Row[] {
  const sign = direction === "ascending" ? 1 : -1;
  return rows.toSorted((left, right) => {
    const a = read(left);
    const b = read(right);
    if (isMissing(a) || isMissing(b)) return (isMissing(a) ? 1 : 0) - (isMissing(b) ? 1 : 0);
    return sign * comparePresent(a, b);
  });
}

/** Every word must be found in some column; case and accents do not matter. */
export function filterRows<Row>(
  rows: readonly Row[],
  reads: ReadonlyArray<(row: Row) => CellValue>,
  query: string,
): readonly Row[] {
  const words = foldText(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const cells = reads.map((read) => foldText(String(read(row) ?? "")));
    return words.every((word) => cells.some((cell) => cell.includes(word)));
  });
}

/** Every word typed must be found, in any order. */
export function matchesWords(text: string, query: string): boolean {
  const folded = foldText(text);
  return foldText(query)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

export function foldText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** First press sorts numbers from the top and text from A; the next turns it round; the third lets go. */
export function nextDirection(current: SortDirection | undefined, numeric: boolean): SortDirection | undefined {
  const first: SortDirection = numeric ? "descending" : "ascending";
  if (current === undefined) return first;
  return current === first ? (numeric ? "ascending" : "descending") : undefined;
}
