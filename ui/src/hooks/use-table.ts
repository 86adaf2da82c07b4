// Sorts, filters and exports rows that are all in the browser. For paged data the server does these instead.

import { useMemo, useState } from "react";
import { csvFileName, writeCsv } from "../logic/csv.ts";
import { type CellValue, filterRows, nextDirection, type SortDirection, sortRows } from "../logic/sort-rows.ts";
import { saveFile } from "./save-file.ts";

/** What is read of a table's columns. */
interface ReadColumn<Row> {
  readonly id: string;
  readonly title: string;
  readonly kind?: string | undefined;
  readonly read?: ((row: Row) => CellValue) | undefined;
  readonly unsearched?: boolean | undefined;
  readonly unexported?: boolean | undefined;
}

interface SortedBy {
  readonly column: string;
  readonly direction: SortDirection;
}

export interface TableModel<Row> {
  readonly rows: readonly Row[];
  readonly sort: SortedBy | undefined;
  readonly onSort: (column: string) => void;
  readonly query: string;
  readonly setQuery: (query: string) => void;
  /** All rows in the order shown, as CSV text. */
  readonly writeText: () => string;
}

export function useTable<Row>(
  rows: readonly Row[],
  columns: ReadonlyArray<ReadColumn<Row>>,
  initialSort?: SortedBy,
): TableModel<Row> {
  const [sort, setSort] = useState(initialSort);
  const [query, setQuery] = useState("");
  const shown = useMemo(() => {
    const reads = columns.flatMap((column) => (column.read && !column.unsearched ? [column.read] : []));
    const found = filterRows(rows, reads, query);
    const read = sort && columns.find((column) => column.id === sort.column)?.read;
    return sort && read ? sortRows(found, read, sort.direction) : found;
  }, [rows, columns, sort, query]);
  return {
    rows: shown,
    sort,
    query,
    setQuery,
    onSort: (id) => {
      const column = columns.find((one) => one.id === id);
      const current = sort?.column === id ? sort.direction : undefined;
      const direction = nextDirection(current, column?.kind === "number" || column?.kind === "time");
      setSort(direction && { column: id, direction });
    },
    writeText: () => {
      const kept = columns.filter((column) => column.read && !column.unexported);
      const cells = shown.map((row) => kept.map((column) => String(column.read?.(row) ?? "")));
      return writeCsv(
        kept.map((column) => column.title),
        cells,
      );
    },
  };
}

export function saveCsv(title: string, text: string, timeMs: number): void {
  const stamp = new Date(timeMs).toISOString().slice(0, 10);
  saveFile(csvFileName(title, stamp), new Blob([text], { type: "text/csv;charset=utf-8" }));
}
