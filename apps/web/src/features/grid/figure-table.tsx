// A table of bots: the name of a row at the left, figures to the right under their heads. Used by the own bots and the
// ranking.
import type { ReactNode } from "react";

export interface FigureRow {
  readonly id: number;
  /** As many as there are leading heads. */
  readonly lead: readonly ReactNode[];
  /** As many as there are heads. */
  readonly cells: readonly ReactNode[];
  readonly isChosen?: boolean;
}

export interface FigureTableProps {
  readonly lead: readonly string[];
  readonly heads: readonly string[];
  readonly rows: readonly FigureRow[];
  readonly rowClass: string;
}

export function FigureTable({ lead, heads, rows, rowClass }: FigureTableProps) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-ui terminal:text-label">
        <thead>
          <tr className="text-label text-muted">
            {lead.map((head) => (
              <th key={head} scope="col" className="px-2 py-2 text-left font-normal">
                {head}
              </th>
            ))}
            {heads.map((head) => (
              <th key={head} scope="col" className="whitespace-nowrap px-2 text-right font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row.id}
              className={`${rowClass} border-line border-t ${row.isChosen === true ? "bg-hover shadow-[inset_2px_0_0_var(--color-accent)]" : ""}`}
            >
              {row.lead.map((cell, i) => (
                <td key={lead[i]} className="whitespace-nowrap px-2">
                  {cell}
                </td>
              ))}
              {row.cells.map((cell, i) => (
                <td key={heads[i]} className="figures whitespace-nowrap px-2 text-right">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
