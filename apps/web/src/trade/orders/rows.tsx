// One list of rows as every tab shows it: a table where there is space, cards where there is not, and a placeholder
// while loading, when empty or after a failure.
import { Button } from "@clockwork/ui/button";
import { useTable } from "@clockwork/ui/hooks/use-table";
import { Skeleton } from "@clockwork/ui/skeleton";
import { EmptyState, ErrorState } from "@clockwork/ui/state";
import { type Column, Table } from "@clockwork/ui/table";
import type { ReactNode } from "react";
import { useProduct } from "#trade/product.ts";
import { useTradeText } from "#trade/trade-text.ts";
import type { SheetSource } from "./orders-export.ts";
import type { OrderFilters, OrdersTab, Zone } from "./orders-model.ts";
import type { Pages } from "./use-pages.ts";

export interface TabView {
  readonly filters: OrderFilters;
  readonly zone: Zone;
  readonly sheet: SheetSource;
  readonly isNarrow: boolean;
  /** Height for the rows; nothing before it was measured and where cards are shown. */
  readonly heightPx: number | undefined;
  readonly onAllPairs: () => void;
}

const ROW_PX = 32;
const FOOT_PX = 36;

export interface RowsProps<Row> {
  readonly view: TabView;
  readonly label: string;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly cards: ReactNode;
  readonly placeholder: ReactNode;
  readonly isLoading: boolean;
  readonly foot?: ReactNode;
  /** Where a row has two lines. */
  readonly rowPx?: number;
}

/** One list of rows as table or cards, with its foot. */
export function Rows<Row>({
  view,
  label,
  columns,
  rows,
  rowKey,
  cards,
  placeholder,
  isLoading,
  foot,
  rowPx = ROW_PX,
}: RowsProps<Row>) {
  const table = useTable(rows, columns);
  if (view.isNarrow) {
    const body = isLoading ? <LoadingCards /> : rows.length === 0 ? placeholder : cards;
    return (
      <>
        {body}
        {foot}
      </>
    );
  }
  const viewPx =
    view.heightPx === undefined ? undefined : Math.max(96, view.heightPx - (foot === undefined ? 0 : FOOT_PX));
  return (
    <>
      <Table
        label={label}
        columns={columns}
        rows={table.rows}
        rowKey={rowKey}
        sort={table.sort}
        onSort={table.onSort}
        rowPx={rowPx}
        viewPx={viewPx}
        loading={isLoading}
        placeholder={placeholder}
      />
      {foot !== undefined && (
        <div
          className="figures flex items-center justify-between gap-4 border-line border-t px-3 text-muted"
          style={{ height: FOOT_PX }}
        >
          {foot}
        </div>
      )}
    </>
  );
}

function LoadingCards() {
  return (
    <div className="flex flex-col gap-3 p-3" aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex flex-col gap-2">
          <Skeleton width="60%" />
          <Skeleton width="40%" />
        </div>
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly view: TabView;
  readonly tab: OrdersTab;
  readonly pairCode: string | undefined;
}

export function Nothing({ view, tab, pairCode }: EmptyProps) {
  const text = useTradeText();
  const { nameOf } = useProduct().words;
  const { filters } = view;
  const isNarrowed = filters.side !== "all" || filters.type !== "all" || filters.span !== "all";
  const isFiltered = filters.pairCode !== undefined || isNarrowed;
  const plain = pairCode === undefined ? text(`empty.${tab}`) : text(`empty.${tab}Pair`, { pair: nameOf(pairCode) });
  const words = isNarrowed ? text("empty.filtered") : plain;
  return (
    <EmptyState
      text={words}
      action={
        isFiltered ? (
          <Button size={28} onPress={view.onAllPairs}>
            {text(filters.pairCode === undefined ? "clearFilters" : "showAll")}
          </Button>
        ) : undefined
      }
    />
  );
}

export function Failing({ title, onRetry }: { readonly title: string; readonly onRetry: () => void }) {
  const text = useTradeText();
  return (
    <div className="p-3">
      <ErrorState title={title} detail={text("failedNote")} onRetry={onRetry} />
    </div>
  );
}

/** How many are shown, and the way to more. */
export function MoreFoot({ pages, count }: { readonly pages: Pages<unknown>; readonly count: number }) {
  const text = useTradeText();
  return (
    <>
      <span className="figures">{text("shown", { shown: count, total: pages.hasMore ? `${count}+` : count })}</span>
      {pages.hasMore && (
        <Button size={28} busy={pages.isLoading} onPress={pages.more}>
          {text("more")}
        </Button>
      )}
    </>
  );
}
