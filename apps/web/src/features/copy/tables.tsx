// Plain tables of copy trading, tiles of figures and the way back: right-aligned figures, wide ones scroll by themselves on a phone.
import type { CopyKind } from "@clockwork/strategies/copy/contract";
import type { ReactNode } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { pathOf } from "./copy-calls.ts";
import { useCopyText } from "./copy-text.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The first column and texts are left-aligned. */
  readonly isLeft?: boolean;
  /** Read to users who cannot see the buttons below it. */
  readonly isHidden?: boolean;
}

export interface CopyTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
}

export function CopyTable<Row>({ label, columns, rows, keyOf, empty }: CopyTableProps<Row>) {
  if (rows.length === 0) return <p className="py-6 text-center text-muted text-ui">{empty}</p>;
  const align = ({ isLeft }: Column<Row>): string => (isLeft === true ? "text-left" : "text-right");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section className="relative overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full whitespace-nowrap text-[13px]">
        <thead>
          <tr className="text-label text-muted">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={`px-3 py-2 font-normal first:pl-0 last:pr-0 ${align(column)}`}
              >
                {column.isHidden === true ? <span className="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="figures">
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-line border-t">
              {columns.map((column) => (
                <td key={column.title} className={`px-3 py-2.5 first:pl-0 last:pr-0 ${align(column)}`}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The way from the list of leaders to this page. */
export function Crumbs({ kind, here }: { readonly kind: CopyKind; readonly here: string }) {
  const text = useCopyText();
  return (
    <nav aria-label={text("crumbs")} className="mb-4 text-[13px] text-muted">
      <SiteLink to={pathOf(kind)} className="hover:underline">
        {text(kind === "spot" ? "spotTitle" : "title")}
      </SiteLink>
      <span aria-hidden="true"> › </span>
      <span className="text-text">{here}</span>
    </nav>
  );
}

export function Tiles({
  tiles,
}: {
  readonly tiles: readonly { readonly label: string; readonly value: ReactNode; readonly tone?: string }[];
}) {
  return (
    <dl className="mb-5 grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line sm:grid-cols-3 lg:grid-cols-6">
      {tiles.map(({ label, value, tone = "" }) => (
        <div key={label} className="bg-bg px-5 py-4">
          <dt className="text-label text-muted">{label}</dt>
          <dd className={`figures mt-1 font-semibold text-[18px] ${tone}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
