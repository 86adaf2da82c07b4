// A panel with the rows of one call: loading, empty and failing states, further pages, and an export with progress.
import type { Endpoint } from "@clockwork/kit/endpoint";
import { Button } from "@clockwork/ui/button";
import { writeCsv } from "@clockwork/ui/logic/csv";
import type { Column } from "@clockwork/ui/table";
import { type ReactNode, useRef, useState } from "react";
import { useConsoleText } from "#words/console-text.ts";
import { Panel, PanelTable } from "./panel.tsx";
import { type SectionRows, type SectionSource, useSection } from "./use-section.ts";

export interface SectionPanelProps<Called extends Endpoint, Row> {
  readonly title: string;
  readonly source: SectionSource<Called, Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly empty: string;
  readonly aside?: ReactNode;
  /** The row a search led to. */
  readonly selectedKey?: string;
  readonly noExport?: true;
}

export function SectionPanel<Called extends Endpoint, Row>(props: SectionPanelProps<Called, Row>) {
  const { title, source, columns, rowKey, empty, aside, selectedKey, noExport } = props;
  const text = useConsoleText();
  const section = useSection(source);
  const hasRows = (section.rows?.length ?? 0) > 0;
  return (
    <Panel
      flush
      title={title}
      aside={
        <>
          {aside}
          {hasRows && noExport === undefined && <ExportButton title={title} section={section} columns={columns} />}
        </>
      }
    >
      <PanelTable
        label={title}
        columns={columns}
        rows={section.rows}
        rowKey={rowKey}
        empty={empty}
        onRetry={section.reload}
        {...(selectedKey === undefined ? {} : { selectedKey })}
      />
      {section.hasMore && (
        <div className="flex justify-center border-line border-t p-2">
          <Button size={28} busy={section.isBusy} onPress={section.more}>
            {text("label.more")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

interface ExportButtonProps<Row> {
  readonly title: string;
  readonly section: SectionRows<Row>;
  readonly columns: readonly Column<Row>[];
}

/** Reads every page and writes a file; a second press stops it. */
function ExportButton<Row>({ title, section, columns }: ExportButtonProps<Row>) {
  const text = useConsoleText();
  const [count, setCount] = useState<number>();
  const isStopped = useRef(false);
  const run = async () => {
    if (count !== undefined) {
      isStopped.current = true;
      return;
    }
    isStopped.current = false;
    setCount(0);
    const rows = await section.readAll((read) => {
      setCount(read);
      return !isStopped.current;
    });
    setCount(undefined);
    if (rows === undefined) return;
    const { saveCsv } = await import("@clockwork/ui/hooks/use-table");
    const shown = columns.filter(({ read }) => read !== undefined);
    const lines = rows.map((row) => shown.map(({ read }) => String(read?.(row) ?? "")));
    saveCsv(
      title,
      writeCsv(
        shown.map((column) => column.title),
        lines,
      ),
      Date.now(),
    );
  };
  return (
    <Button size={28} icon={count === undefined ? "download" : "close"} onPress={() => void run()}>
      {count === undefined ? text("label.csv") : text("label.exporting", { count })}
    </Button>
  );
}
