// A table: sortable heads, alignment by kind, optional virtual rows, states for loading, empty and failing.
// Shows the rows it is given; sorting and filtering of rows is in hooks/use-table or on the server.

import { memo, type ReactNode, useRef } from "react";
import { type RowWindow, useRowWindow } from "./hooks/use-row-window.ts";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import type { CellValue, SortDirection } from "./logic/sort-rows.ts";
import { Skeleton } from "./skeleton.tsx";
import { EmptyState } from "./state.tsx";

/** Text and time are left-aligned, numbers, charts and actions right-aligned. */
export type ColumnKind = "text" | "time" | "number" | "chart" | "action";

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly titleHidden?: boolean | undefined;
  readonly kind?: ColumnKind | undefined;
  /** What sorting, filtering and export read. */
  readonly read?: ((row: Row) => CellValue) | undefined;
  /** What is shown; the value read, by default. */
  readonly render?: ((row: Row) => ReactNode) | undefined;
  readonly unsortable?: boolean | undefined;
  readonly unsearched?: boolean | undefined;
  readonly unexported?: boolean | undefined;
  /** A CSS width. Virtual tables need one on all columns but one. */
  readonly width?: string | undefined;
  readonly className?: string | undefined;
}

export interface TableSort {
  readonly column: string;
  readonly direction: SortDirection;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly sort?: TableSort | undefined;
  readonly onSort?: ((column: string) => void) | undefined;
  readonly onRowPress?: ((row: Row) => void) | undefined;
  readonly selectedKey?: string | undefined;
  readonly rowPx?: number | undefined;
  /** Only visible rows are drawn; the table scrolls inside this height. */
  readonly viewPx?: number | undefined;
  readonly loading?: boolean | undefined;
  readonly loadingRows?: number | undefined;
  /** Shown in place of rows: an EmptyState, an ErrorState. */
  readonly placeholder?: ReactNode;
  readonly className?: string | undefined;
}

function alignOf(kind: ColumnKind | undefined): string {
  return kind === undefined || kind === "text" || kind === "time" ? "text-left" : "text-right";
}

function showValue(value: CellValue): ReactNode {
  return value === null || value === undefined || value === "" ? "–" : String(value);
}

/* Lines are on the cells: rows of a table with separate borders cannot have any. */
const LINE = "border-line border-b group-last/row:border-b-0 terminal:border-b-0";
const EDGE = "px-(--cell-x) first:pl-[var(--edge,12px)] last:pr-[var(--edge,12px)]";

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sort: TableSort | undefined;
  readonly onSort: ((column: string) => void) | undefined;
}

function HeadCell<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const active = sort?.column === column.id ? sort.direction : undefined;
  const sortable = onSort !== undefined && !column.unsortable && column.kind !== "action" && column.kind !== "chart";
  const ariaSort = sortable ? (active ?? "none") : undefined;
  const look = cx(
    EDGE,
    "sticky top-0 z-1 h-(--row-head) whitespace-nowrap border-line border-b bg-[var(--table-bg,var(--bg))] font-normal text-label text-muted",
    alignOf(column.kind),
  );
  return (
    <th scope="col" aria-sort={ariaSort} className={look}>
      {sortable ? (
        <button
          type="button"
          onClick={() => onSort(column.id)}
          className={cx("inline-flex items-center gap-1 rounded-xs hover:text-text", active && "font-medium text-text")}
        >
          {column.title}
          {active && (
            <Icon
              name={active === "ascending" ? "chevron-up" : "chevron-down"}
              size={12}
              className="-mr-0.5 [stroke-width:1.8]"
            />
          )}
        </button>
      ) : (
        <span className={column.titleHidden ? "sr-only" : ""}>{column.title}</span>
      )}
    </th>
  );
}

interface RowsProps<Row> extends TableProps<Row> {
  readonly shown: RowWindow;
}

interface RowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rowPx: number | undefined;
  readonly isSelected: boolean | undefined;
  readonly onRowPress: ((row: Row) => void) | undefined;
}

function PlainRow<Row>({ row, index, columns, rowPx, isSelected, onRowPress }: RowProps<Row>) {
  return (
    <tr
      aria-rowindex={index}
      aria-selected={isSelected}
      // A press on the row is a shortcut; what it does is always a link or button in one of its cells too.
      onClick={onRowPress && (() => onRowPress(row))}
      style={rowPx === undefined ? undefined : { height: rowPx }}
      className={cx("group/row h-(--row) hover:bg-hover aria-selected:bg-hover", onRowPress && "cursor-pointer")}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          className={cx(
            EDGE,
            LINE,
            "text-cell",
            alignOf(column.kind),
            column.kind !== "text" && column.kind !== undefined && "figures",
            column.className,
          )}
        >
          {column.render ? column.render(row) : showValue(column.read?.(row))}
        </td>
      ))}
    </tr>
  );
}

/** Where columns are made once, a live table draws only the rows that changed. */
const BodyRow = memo(PlainRow) as typeof PlainRow;

function BodyRows<Row>({ rows, columns, rowKey, rowPx, onRowPress, selectedKey, shown }: RowsProps<Row>) {
  return rows.slice(shown.start, shown.end).map((row, index) => {
    const key = rowKey(row);
    return (
      <BodyRow
        key={key}
        row={row}
        index={shown.start + index + 2}
        columns={columns}
        rowPx={rowPx}
        isSelected={selectedKey === undefined ? undefined : key === selectedKey}
        onRowPress={onRowPress}
      />
    );
  });
}

function Spacer({ heightPx, span }: { readonly heightPx: number; readonly span: number }) {
  if (heightPx <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row cannot take the focus; this one is only height
    <tr aria-hidden="true">
      <td colSpan={span} style={{ height: heightPx, padding: 0 }} />
    </tr>
  );
}

function LoadingRows<Row>({
  columns,
  count,
}: {
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly count: number;
}) {
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
    <tr key={row} className="group/row h-(--row)">
      {columns.map((column, index) => (
        <td key={column.id} className={cx(EDGE, LINE)}>
          <span className={cx("flex", alignOf(column.kind) === "text-right" && "justify-end")}>
            <Skeleton width={index === 0 ? 96 : 48 + ((row * 13 + index * 7) % 24)} />
          </span>
        </td>
      ))}
    </tr>
  ));
}

function Body<Row>(props: RowsProps<Row>) {
  const { columns, rows, shown, loading, loadingRows, placeholder } = props;
  if (loading) return <LoadingRows columns={columns} count={loadingRows ?? 5} />;
  if (rows.length === 0) {
    return (
      <tr>
        <td colSpan={columns.length} className="p-0">
          {placeholder ?? <EmptyState />}
        </td>
      </tr>
    );
  }
  return (
    <>
      <Spacer heightPx={shown.beforePx} span={columns.length} />
      <BodyRows {...props} />
      <Spacer heightPx={shown.afterPx} span={columns.length} />
    </>
  );
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, sort, onSort, viewPx, rowPx, loading, className } = props;
  const labels = useLabels();
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useRowWindow(scroller, { count: rows.length, rowPx, viewPx });
  const isVirtual = viewPx !== undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would promise form fields
    <div
      ref={scroller}
      role="group"
      aria-label={label}
      // What scrolls must be reachable, so that keys can scroll it.
      tabIndex={isVirtual ? 0 : undefined}
      style={isVirtual ? { height: viewPx } : undefined}
      className={cx("overflow-x-auto", isVirtual && "overflow-y-auto", className)}
    >
      <table
        aria-busy={loading}
        aria-rowcount={isVirtual ? rows.length + 1 : undefined}
        className={cx("w-full border-separate border-spacing-0", isVirtual && "table-fixed")}
      >
        <caption className="sr-only">{loading ? `${label}: ${labels.loading}` : label}</caption>
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} style={column.width === undefined ? undefined : { width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Body {...props} shown={shown} />
        </tbody>
      </table>
    </div>
  );
}
