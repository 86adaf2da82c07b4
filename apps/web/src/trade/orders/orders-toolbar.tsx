// The right of the orders panel's tabs: this pair only, filters, export, cancel all.
import { Button, IconButton } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Suspense, useState } from "react";
import { lazy } from "#boot/timeout.ts";
import { useChannel } from "#live/react.ts";
import { Choice } from "#trade/order/choice.tsx";
import { notify } from "#trade/order/notices.ts";
import { useProduct } from "#trade/product.ts";
import type { TradeOrder } from "#trade/trade-order.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { describeKind } from "./order-cells.tsx";
import { type SheetSource, saveSheet } from "./orders-export.ts";
import { type ClearChoice, isOrdersTab, NO_FILTERS, type OrderFilters } from "./orders-model.ts";
import type { OrderActions } from "./use-order-actions.ts";
import { useOwnFeeds } from "./use-own-feeds.ts";

const CancelAllDialog = lazy(() => import("./cancel-dialog.tsx").then((part) => ({ default: part.CancelAllDialog })));

export interface OrdersToolbarProps {
  readonly tab: string;
  readonly filters: OrderFilters;
  readonly isPairOnly: boolean;
  readonly onPairOnly: (isPairOnly: boolean) => void;
  /** The row of filters is open. */
  readonly isFiltering: boolean;
  readonly onFiltering: (isFiltering: boolean) => void;
  readonly pair: { readonly pairCode: string };
  readonly sheet: SheetSource;
  readonly actions: OrderActions;
}

export function OrdersToolbar(props: OrdersToolbarProps) {
  const text = useTradeText();
  const { tab, filters, pair } = props;
  const { biz } = useProduct();
  const feeds = useOwnFeeds();
  const { open } = useChannel(feeds.orders).value;
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    const sheet = await props.sheet.current?.();
    setSaving(false);
    if (sheet !== undefined) await saveSheet(`${biz} ${tab}`, sheet);
    else notify({ title: text("exportFailed"), tone: "danger" });
  };
  return (
    <div className="flex shrink-0 items-center gap-2">
      {isOrdersTab(tab) && (
        <>
          <Checkbox isSelected={props.isPairOnly} onChange={props.onPairOnly}>
            {text("thisPair")}
          </Checkbox>
          <IconButton
            icon="filter"
            label={text("filters")}
            aria-expanded={props.isFiltering}
            size={28}
            className={isFiltered(filters) ? "text-accent" : ""}
            onPress={() => props.onFiltering(!props.isFiltering)}
          />
        </>
      )}
      <IconButton icon="download" label={text("export")} size={28} isDisabled={isSaving} onPress={() => void save()} />
      {(tab === "open" || tab === "plan") && (
        <CancelAll
          actions={props.actions}
          first={{ scope: tab === "plan" ? "plans" : "orders", pairCode: filters.pairCode }}
          all={open}
          pair={pair}
        />
      )}
    </div>
  );
}

export interface FilterRowProps {
  readonly tab: string;
  readonly filters: OrderFilters;
  readonly onFilters: (filters: OrderFilters) => void;
}

export function isFiltered({ side, type, span }: OrderFilters): boolean {
  return side !== "all" || type !== "all" || span !== "all";
}

/** A second row below the tabs, shown while filtering. */
export function FilterRow({ tab, filters, onFilters }: FilterRowProps) {
  const text = useTradeText();
  const { orderKinds } = useProduct();
  const all = (name: string) => ({ id: "all", title: `${name}: ${text("filter.all").toLowerCase()}` });
  return (
    <fieldset
      aria-label={text("filters")}
      className="m-0 flex shrink-0 flex-wrap items-center gap-2 border-0 border-line border-b px-3 py-1.5"
    >
      <Choice
        label={text("filter.side")}
        value={filters.side}
        options={[all(text("filter.side")), { id: "buy", title: text("buy") }, { id: "sell", title: text("sell") }]}
        onChange={(side) => onFilters({ ...filters, side: side as OrderFilters["side"] })}
      />
      {tab !== "fills" && (
        <Choice
          label={text("filter.type")}
          value={filters.type}
          options={[all(text("filter.type")), ...orderKinds.map((id) => ({ id, title: describeKind(text, id) }))]}
          onChange={(type) => onFilters({ ...filters, type })}
        />
      )}
      <Choice
        label={text("filter.time")}
        value={filters.span}
        options={[
          all(text("filter.time")),
          { id: "day", title: text("filter.day") },
          { id: "week", title: text("filter.week") },
          { id: "month", title: text("filter.month") },
        ]}
        onChange={(span) => onFilters({ ...filters, span: span as OrderFilters["span"] })}
      />
      <Button size={28} isDisabled={!isFiltered(filters)} onPress={() => onFilters(NO_FILTERS)}>
        {text("clearFilters")}
      </Button>
    </fieldset>
  );
}

interface CancelAllProps {
  readonly actions: OrderActions;
  readonly first: ClearChoice;
  readonly all: readonly TradeOrder[];
  readonly pair: { readonly pairCode: string };
}

/** Always confirmed, also where single orders are not: it states how many end. */
function CancelAll({ actions, ...question }: CancelAllProps) {
  const text = useTradeText();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const clear = async (choice: ClearChoice) => {
    setAsking(false);
    setBusy(true);
    await actions.clear(choice);
    setBusy(false);
  };
  return (
    <>
      <Button size={28} busy={isBusy} isDisabled={question.all.length === 0} onPress={() => setAsking(true)}>
        {text("cancelAll")}
      </Button>
      <Suspense fallback={null}>
        {isAsking && (
          <CancelAllDialog {...question} onYes={(choice) => void clear(choice)} onNo={() => setAsking(false)} />
        )}
      </Suspense>
    </>
  );
}
