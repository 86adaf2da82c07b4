// The spot account's balances, as a tab next to own orders, and the link to the coupons.
import type { SpotBalance } from "@clockwork/trading/spot/contract";
import { Button } from "@clockwork/ui/button";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { EmptyState } from "@clockwork/ui/state";
import type { Column } from "@clockwork/ui/table";
import { Suspense, useState } from "react";
import { lazy } from "#boot/timeout.ts";
import { useChannel } from "#live/react.ts";
import { readServed } from "#trade/order/exact.ts";
import { CARD } from "#trade/orders/order-cards.tsx";
import { useSheet } from "#trade/orders/orders-export.ts";
import { showNumber } from "#trade/orders/orders-model.ts";
import { Failing, Rows, type TabView } from "#trade/orders/rows.tsx";
import { useFailing, useReconnect } from "#trade/orders/use-own-feeds.ts";
import { type TradeText, useTradeText } from "#trade/trade-text.ts";
import { useSpotText } from "./spot-text.ts";
import { useSpotFeeds } from "./use-own.ts";

const CouponsDialog = lazy(() => import("./coupons-dialog.tsx").then((part) => ({ default: part.CouponsDialog })));

/** The way to one's coupons, below what is held. */
function CouponsFoot() {
  const text = useSpotText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <span className="max-sm:hidden">{text("coupons.note")}</span>
      <Button size={28} onPress={() => setOpen(true)}>
        {text("coupons")}
      </Button>
      <Suspense fallback={null}>{isOpen && <CouponsDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

const ASSET_HEAD = ["Asset", "Name", "Total", "Available", "In orders", "Worth USDT"] as const;

export function AssetsTab(view: TabView) {
  const text = useTradeText();
  const spot = useSpotText();
  const feeds = useSpotFeeds();
  const reconnect = useReconnect();
  const state = useChannel(feeds.balances);
  const failing = useFailing(state);
  const rows: readonly SpotBalance[] = state.value.filter((balance) => readServed(balance.total).units > 0n);
  useSheet(view.sheet, async () => ({
    head: ASSET_HEAD,
    rows: rows.map((one) => [one.asset, one.name, one.total, one.available, one.frozen, one.worthUsdt ?? ""]),
  }));
  if (failing) return <Failing title={text("failed.assets")} onRetry={reconnect} />;
  return (
    <Rows
      view={view}
      label={text("tab.assets")}
      columns={assetColumns(text)}
      rows={rows}
      rowKey={(balance) => balance.asset}
      cards={<AssetCards balances={rows} />}
      placeholder={<EmptyState text={spot("empty.assets")} />}
      isLoading={state.empty}
      foot={<CouponsFoot />}
    />
  );
}

function assetColumns(text: TradeText): readonly Column<SpotBalance>[] {
  const number = (id: "total" | "available" | "frozen", title: string): Column<SpotBalance> => ({
    id,
    title,
    kind: "number",
    width: "132px",
    read: (balance) => balance[id],
    render: (balance) => showNumber(balance[id]),
  });
  return [
    {
      id: "asset",
      title: text("col.asset"),
      read: (balance) => balance.asset,
      render: (balance) => (
        <span className="flex items-center gap-2">
          <CoinGlyph code={balance.asset} size={16} />
          <span className="font-medium">{balance.asset}</span>
          <span className="truncate text-muted">{balance.name}</span>
        </span>
      ),
    },
    number("total", text("col.total")),
    number("available", text("col.available")),
    number("frozen", text("col.frozen")),
    {
      id: "worth",
      title: text("col.worth"),
      kind: "number",
      width: "124px",
      read: (balance) => balance.worthUsdt,
      render: (balance) => showNumber(balance.worthUsdt, 2),
    },
  ];
}

function AssetCards({ balances }: { readonly balances: readonly SpotBalance[] }) {
  const text = useTradeText();
  return (
    <ul>
      {balances.map((balance) => (
        <li key={balance.asset} className={`${CARD} items-center`}>
          <CoinGlyph code={balance.asset} size={24} />
          <div className="min-w-0 flex-1">
            <div className="font-medium">{balance.asset}</div>
            <div className="truncate text-muted">{balance.name}</div>
          </div>
          <div className="figures text-right">
            <div className="font-medium">{showNumber(balance.available)}</div>
            <div className="text-muted">
              {text("col.frozen")} {showNumber(balance.frozen)}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
