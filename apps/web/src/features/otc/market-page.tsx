// `/otc`: one-key matching above, the list of ads with its filters below, the three rules of the exchange at the foot.
import {
  type AdPage,
  type AdsQuery,
  OTC_AD_CALLS,
  OTC_MARKET_CHANNEL,
  type OtcIndex,
} from "@clockwork/fiat/otcads/contract";
import { OTC_COINS } from "@clockwork/kit/otc/fiat";
import { Card } from "@clockwork/ui/card";
import { Segmented } from "@clockwork/ui/segmented";
import { useCallback, useEffect, useRef, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { AdRows } from "./ad-rows.tsx";
import { useChannelNews, useEvery } from "./otc-calls.ts";
import { OtcFrame } from "./otc-frame.tsx";
import { useOtcText } from "./otc-text.ts";
import type { Requested } from "./requested.ts";

// Forms are drawn by the server and woken after the page.
const ListFilters = latePart(async () => (await import("./list-filters.tsx")).ListFilters);
const MatchCard = latePart(async () => (await import("./match-card.tsx")).MatchCard);

export interface MarketPageProps {
  readonly page: AdPage | null;
  readonly index: OtcIndex | null;
  readonly isSignedIn: boolean;
  readonly level: number;
  /** An authenticator, a passkey or a fund password. */
  readonly hasFactor: boolean;
  readonly requested: Requested;
  /** The caller's own payment accounts, for sales. */
  readonly payments: readonly { readonly paymentId: string; readonly fiat: string; readonly label: string }[];
}

/** The content of the list, as the visitor requests it. */
export type Wanted = Requested &
  Pick<AdsQuery, "payment" | "usable" | "sort" | "merchant" | "windowMin" | "windowMax"> & { readonly amount: string };

const SIZE = 20;
/** Prices move with the index: an open list looks again so often. */
const REFRESH_MS = 10_000;

export function MarketPage(props: MarketPageProps) {
  const text = useOtcText();
  const [wanted, setWanted] = useState<Wanted>({ ...props.requested, amount: "" });
  const list = useAds(wanted, props.page);
  const price = props.index?.prices.find((one) => one.asset === wanted.asset && one.fiat === wanted.fiat);
  return (
    <OtcFrame title={text("title")} lead={text("lead")} description={text("description")} noIndex={false}>
      <MatchCard {...props} wanted={wanted} onWanted={setWanted} />
      <div className="mt-6 mb-3 flex flex-wrap items-center gap-x-5 gap-y-2">
        <Segmented
          label={text("list.side")}
          segments={[
            { id: "buy", title: text("buy") },
            { id: "sell", title: text("sell") },
          ]}
          value={wanted.side}
          onChange={(side) => setWanted({ ...wanted, side: side === "sell" ? "sell" : "buy" })}
        />
        <Segmented
          label={text("list.coins")}
          segments={OTC_COINS.map((asset) => ({ id: asset, title: asset }))}
          value={wanted.asset}
          onChange={(asset) => setWanted({ ...wanted, asset: asset as Wanted["asset"] })}
        />
        {price?.index != null && price.rate !== null && (
          <p className="figures ml-auto text-[13px] text-muted">
            {text("list.index", { index: price.index, rate: price.rate })}{" "}
            <strong className="text-text">{list.page?.indexPrice ?? price.price}</strong> {wanted.fiat}
          </p>
        )}
      </div>
      <ListFilters wanted={wanted} onWanted={setWanted} fiats={props.index?.fiats ?? []} />
      <AdRows {...props} list={list} wanted={wanted} />
      <Rules />
    </OtcFrame>
  );
}

export interface AdList {
  readonly page: AdPage | null;
  readonly showMore: () => void;
}

/** Pages one after the other; an ad that moved from one to the next between the requests is shown once. */
function joinPages(pages: readonly AdPage[]): AdPage {
  const ads = new Map(pages.flatMap((page) => page.ads).map((ad) => [ad.adId, ad]));
  return { ...(pages[0] as AdPage), ads: [...ads.values()] };
}

/** The page for the current filters; requested again when ads change, and from time to time for the index. */
function useAds(wanted: Wanted, first: AdPage | null): AdList {
  const calls = useCalls();
  const [page, setPage] = useState(first);
  const [pages, setPages] = useState(1);
  const requested = useRef(0);
  const isFirst = useRef(true);
  const load = useCallback(async () => {
    requested.current += 1;
    const mine = requested.current;
    const { amount, ...query } = wanted;
    const request = await calls();
    const answers = await Promise.all(
      Array.from({ length: pages }, (_, i) =>
        request.call(
          OTC_AD_CALLS.page,
          { ...query, ...(amount === "" ? {} : { amount }), size: SIZE, page: i + 1 },
          { anonymous: true },
        ),
      ),
    );
    const found = answers.flatMap((answer) => (answer.ok ? [answer.data] : []));
    // A later request was sent since, or a page is missing: the shown list remains.
    if (requested.current === mine && found.length === pages) setPage(joinPages(found));
  }, [calls, wanted, pages]);
  // Other filters start with their first page.
  const showWanted = useRef(wanted);
  useEffect(() => {
    if (showWanted.current === wanted) return;
    showWanted.current = wanted;
    setPages(1);
  }, [wanted]);
  useEffect(() => {
    if (isFirst.current && first !== null) {
      isFirst.current = false;
      return;
    }
    void load();
  }, [load, first]);
  useChannelNews(OTC_MARKET_CHANNEL, () => void load());
  useEvery(REFRESH_MS, () => void load());
  return { page, showMore: () => setPages(pages + 1) };
}

function Rules() {
  const text = useOtcText();
  return (
    <>
      <div className="mt-4 grid gap-4 md:grid-cols-3">
        {(["escrow", "timers", "names"] as const).map((one) => (
          <Card key={one} title={text(`card.${one}`)}>
            <p className="text-muted text-ui">{text(`card.${one}.text`)}</p>
          </Card>
        ))}
      </div>
      <p className="mt-4 flex flex-wrap justify-between gap-3 text-[13px] text-muted">
        <span>{text("fees")}</span>
        <span className="flex flex-wrap gap-x-6 gap-y-2 font-medium text-text">
          <SiteLink to="/otc/merchant">{text("become")}</SiteLink>
          <SiteLink to="/otc/payments">{text("nav.blocked")}</SiteLink>
          <SiteLink to="/help/articles/otc-order">{text("rules")}</SiteLink>
        </span>
      </p>
    </>
  );
}
