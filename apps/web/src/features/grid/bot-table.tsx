// Bots as the rows of a table: a name that leads to the bot's page, its state, and figures to the right.
import type { ReactNode } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { FigureTable } from "./figure-table.tsx";
import { StatusPill } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";

export interface BotLine {
  readonly id: number;
  readonly to: string;
  readonly glyphs?: ReactNode;
  readonly name: ReactNode;
  readonly aside?: ReactNode;
  readonly status: string;
  readonly reason: string;
  /** As many as there are heads. */
  readonly cells: readonly ReactNode[];
}

export interface BotTableProps {
  readonly first: string;
  readonly heads: readonly string[];
  readonly lines: readonly BotLine[];
}

export function BotTable({ first, heads, lines }: BotTableProps) {
  const text = useGridText();
  const rows = lines.map((line) => ({
    id: line.id,
    lead: [
      <span key="name" className="inline-flex items-center gap-2">
        {line.glyphs}
        <SiteLink to={line.to} className="font-medium underline underline-offset-2">
          {line.name}
        </SiteLink>
        {line.aside}
      </span>,
      <StatusPill key="state" bot={line} />,
    ],
    cells: line.cells,
  }));
  return <FigureTable lead={[first, text("label.status")]} heads={heads} rows={rows} rowClass="h-10" />;
}
