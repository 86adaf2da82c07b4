// `/otc/providers`: buying and selling with an outside provider of money, what is held with it, and the deals so far.

import { OTC_ORDERS_CHANNEL } from "@clockwork/fiat/otcorders/contract";
import {
  type DealList,
  type LegalTender,
  OTC_PROVIDER_CALLS,
  type ProviderList,
} from "@clockwork/fiat/otcproviders/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Badge } from "@clockwork/ui/pill";
import { EmptyState } from "@clockwork/ui/state";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { Minute } from "#shell/moment.tsx";
import { useChannelNews } from "./otc-calls.ts";
import { OtcFrame } from "./otc-frame.tsx";
import { formatPrice, useOtcText } from "./otc-text.ts";
import type { Requested } from "./requested.ts";

const ProviderDeal = latePart(async () => (await import("./provider-deal.tsx")).ProviderDeal);

export interface ProvidersPageProps {
  readonly providers: ProviderList | null;
  readonly tender: LegalTender | null;
  readonly deals: DealList | null;
  readonly isSignedIn: boolean;
  readonly level: number;
  readonly requested: Requested;
}

export function ProvidersPage(props: ProvidersPageProps) {
  const text = useOtcText();
  const { revalidate } = useRevalidator();
  useChannelNews<{ what: string }>(OTC_ORDERS_CHANNEL, ({ what }) => what === "deal" && void revalidate());
  const isNone = props.providers === null || props.providers.providers.length === 0;
  return (
    <OtcFrame
      title={text("nav.providers")}
      lead={text("provider.lead")}
      description={text("provider.description")}
      noIndex={false}
    >
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_408px]">
        {isNone ? (
          <EmptyState boxed text={text(props.providers === null ? "failed" : "provider.none")} />
        ) : (
          <ProviderDeal {...props} onChanged={() => void revalidate()} />
        )}
        {props.isSignedIn && <Balances tender={props.tender} />}
      </div>
      {props.isSignedIn && (
        <Deals key={props.deals?.deals[0]?.dealId} first={props.deals} providers={props.providers} />
      )}
    </OtcFrame>
  );
}

/** Balances with providers, each currency separately. */
function Balances({ tender }: { readonly tender: LegalTender | null }) {
  const text = useOtcText();
  const bills = (
    <SiteLink to="/otc/bills" className={buttonClass({ size: 32 })}>
      {text("nav.bills")}
    </SiteLink>
  );
  return (
    <Card title={text("provider.balances")} aside={bills}>
      {(tender === null || tender.assets.length === 0) && (
        <p className="text-muted text-ui">{text(tender === null ? "failed" : "provider.noBalance")}</p>
      )}
      <ul>
        {tender?.assets.map(({ fiat, name, amount }) => (
          <li key={fiat} className="flex justify-between gap-3 border-line border-t py-3 text-ui first:border-0">
            <span>
              {fiat}
              <span className="block text-label text-muted">{name}</span>
            </span>
            <span className="figures self-center font-semibold">{formatDecimal(amount, { grouped: true })}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface DealsProps {
  readonly first: DealList | null;
  readonly providers: ProviderList | null;
}

function Deals({ first, providers }: DealsProps) {
  const text = useOtcText();
  const calls = useCalls();
  const [more, setMore] = useState<readonly DealList[]>([]);
  const rows = [...(first?.deals ?? []), ...more.flatMap(({ deals }) => deals)];
  const before = (more.at(-1) ?? first)?.nextBefore ?? null;
  const showMore = async () => {
    const answer = await (await calls()).call(OTC_PROVIDER_CALLS.deals, { before });
    if (answer.ok) setMore([...more, answer.data]);
  };
  return (
    <Card flush title={text("provider.deals")} className="mt-4">
      {rows.length === 0 && <EmptyState text={text(first === null ? "failed" : "provider.noDeals")} />}
      <ul>
        {rows.map((row) => (
          <DealLine
            key={row.dealId}
            row={row}
            label={providers?.providers.find(({ name }) => name === row.provider)?.label ?? row.provider}
          />
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
  );
}

function DealLine({ row, label }: { readonly row: DealList["deals"][number]; readonly label: string }) {
  const text = useOtcText();
  const tone = row.state === "SUCCESS" ? "up" : row.state === "FAILED" ? "down" : "neutral";
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 border-line border-t px-4 py-3 lg:px-6">
      <span className="min-w-40 flex-1">
        <span className="figures block font-medium text-ui">
          {text(row.side)} {formatCoins(row.quantity)} {row.asset}
        </span>
        <span className="block text-label text-muted">
          {label} · <Minute at={row.createdAtMs} />
        </span>
      </span>
      <span className="figures text-right text-ui">
        {formatDecimal(row.amount, { grouped: true })} {row.fiat}
        <span className="block text-label text-muted">{formatPrice(row.price)}</span>
      </span>
      <Badge tone={tone}>{text(`deal.state.${row.state}`)}</Badge>
    </li>
  );
}
