// `/otc/orders`: the caller's orders with other users, newest first.
import { type OrderPage, OTC_ORDER_CALLS, OTC_ORDERS_CHANNEL } from "@clockwork/fiat/otcorders/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Badge } from "@clockwork/ui/pill";
import { EmptyState } from "@clockwork/ui/state";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { Minute } from "#shell/moment.tsx";
import { useChannelNews } from "./otc-calls.ts";
import { OtcFrame } from "./otc-frame.tsx";
import { useOtcText } from "./otc-text.ts";

type Row = OrderPage["orders"][number];

export function OrdersPage({ first }: { readonly first: OrderPage | null }) {
  const text = useOtcText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [more, setMore] = useState<readonly OrderPage[]>([]);
  useChannelNews(OTC_ORDERS_CHANNEL, () => void revalidate());
  const rows = [...(first?.orders ?? []), ...more.flatMap(({ orders }) => orders)];
  const before = (more.at(-1) ?? first)?.nextBefore ?? null;
  const showMore = async () => {
    const answer = await (await calls()).call(OTC_ORDER_CALLS.list, { before });
    if (answer.ok) setMore([...more, answer.data]);
  };
  return (
    <OtcFrame title={text("nav.orders")}>
      <Card flush>
        {rows.length === 0 && (
          <EmptyState
            text={first === null ? text("failed") : text("orders.none")}
            action={
              <SiteLink to="/otc" className={buttonClass({ size: 36 })}>
                {text("orders.find")}
              </SiteLink>
            }
          />
        )}
        <ul>
          {rows.map((row) => (
            <OrderLine key={row.orderId} row={row} />
          ))}
        </ul>
        {before !== null && (
          <div className="flex justify-center p-3">
            <Button size={36} onPress={() => void showMore()}>
              {text("more")}
            </Button>
          </div>
        )}
      </Card>
    </OtcFrame>
  );
}

function OrderLine({ row }: { readonly row: Row }) {
  const text = useOtcText();
  const tone = row.state === "COMPLETED" ? "up" : row.state === "APPEAL" ? "warn" : "neutral";
  return (
    <li className="border-line border-b last:border-0">
      <SiteLink
        to={`/otc/order/${row.orderId}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 px-4 py-3 hover:bg-hover sm:grid-cols-[minmax(0,1fr)_auto_168px] lg:px-6"
      >
        <span className="min-w-0">
          <span className="block font-medium text-ui">
            {text(row.side)} {formatCoins(row.quantity)} {row.asset}
          </span>
          <span className="block text-label text-muted">
            {row.counterpart} · <Minute at={row.createdAtMs} />
          </span>
        </span>
        <span className="figures text-right text-ui">
          {formatDecimal(row.amount, { grouped: true })} {row.fiat}
          <span className="block text-label text-muted">{row.price}</span>
        </span>
        <span className="flex flex-wrap items-center gap-2 max-sm:col-span-2 sm:justify-end">
          {row.unread > 0 && <Badge tone="info">{text("orders.unread", { count: row.unread })}</Badge>}
          <Badge tone={tone}>{text(`order.state.${row.state}`)}</Badge>
        </span>
      </SiteLink>
    </li>
  );
}
