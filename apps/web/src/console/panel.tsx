// A panel of the console: a head of 40 pixels and what stands in it. Panels load and fail alone; the others live on.

import { Button } from "@clockwork/ui/button";
import { Icon } from "@clockwork/ui/icon";
import { useLabels } from "@clockwork/ui/locale";
import { type Column, Table, type TableProps } from "@clockwork/ui/table";
import type { ReactNode } from "react";
import { useConsoleText } from "#words/console-text.ts";

export interface PanelProps {
  readonly title: ReactNode;
  /** Quieter, next to the title. */
  readonly note?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** Rows that bring their own padding reach the edges. */
  readonly flush?: boolean;
  readonly className?: string;
}

export function Panel({ title, note, aside, children, flush = false, className = "" }: PanelProps) {
  return (
    <section
      className={`min-w-0 overflow-hidden rounded-[8px] border border-line bg-bg text-[13px] leading-[18px] dark:bg-surface ${className}`}
    >
      <header className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3.5 py-1">
        <h2 className="font-semibold">{title}</h2>
        {note !== undefined && <span className="min-w-0 text-muted">{note}</span>}
        {aside !== undefined && <div className="ml-auto flex items-center gap-2">{aside}</div>}
      </header>
      <div className={flush ? "" : "p-3.5"}>{children}</div>
    </section>
  );
}

export interface PanelTableProps<Row> extends Pick<TableProps<Row>, "label" | "rowKey" | "onRowPress" | "selectedKey"> {
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading, null after a failure. */
  readonly rows: readonly Row[] | undefined | null;
  readonly empty: string;
  readonly onRetry?: () => void;
  readonly loadingRows?: number;
  readonly rowPx?: number;
}

/** Rows of 36 pixels with their states: the shape stands while loading, one line says that nothing is there. */
export function PanelTable<Row>({ rows, empty, onRetry, loadingRows = 4, rowPx, ...table }: PanelTableProps<Row>) {
  return (
    <div className="[--cell-x:10px] [--edge:14px] [--row-head:34px] [--row:36px] [--table-bg:var(--bg)] [--text-cell-line:18px] [--text-cell-size:13px] dark:[--table-bg:var(--surface)]">
      {rows === null ? (
        <PanelFailure {...(onRetry === undefined ? {} : { onRetry })} />
      ) : (
        <Table
          {...table}
          rows={rows ?? []}
          loading={rows === undefined}
          loadingRows={loadingRows}
          rowPx={rowPx}
          placeholder={<PanelEmpty text={empty} />}
        />
      )}
    </div>
  );
}

export function PanelEmpty({ text }: { readonly text: string }) {
  return <p className="px-3.5 py-6 text-center text-muted">{text}</p>;
}

export function PanelFailure({ onRetry }: { readonly onRetry?: () => void }) {
  const text = useConsoleText();
  const labels = useLabels();
  return (
    <div role="alert" className="flex flex-wrap items-center justify-center gap-3 px-3.5 py-6">
      <Icon name="warning" className="text-danger" />
      <span>{text("panel.failed")}</span>
      {onRetry !== undefined && (
        <Button size={28} onPress={onRetry}>
          {labels.retry}
        </Button>
      )}
    </div>
  );
}

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

/** Names at the left, values at the right. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-y-2">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex items-baseline justify-between gap-4">
          <dt className="shrink-0 text-muted">{label}</dt>
          <dd className="figures min-w-0 text-right [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface StripFigure {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}

/** Figures in a row with hairlines between them. */
export function FigureStrip({ figures }: { readonly figures: readonly StripFigure[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(138px,1fr))] gap-px overflow-hidden rounded-[8px] border border-line bg-line">
      {figures.map(({ label, value, note }) => (
        <div key={label} className="flex flex-col bg-bg px-3.5 py-2.5 dark:bg-surface">
          <dt className="text-label text-muted">{label}</dt>
          <dd className="figures font-semibold text-[17px] leading-6">{value}</dd>
          {note !== undefined && <dd className="text-label text-muted">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
