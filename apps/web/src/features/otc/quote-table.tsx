// Prices of coins in one currency now: the index and the best ads, each way; kept up to date while the page is open,
// and marked when outdated.
import { OTC_AD_CALLS, OTC_MARKET_CHANNEL, type OtcIndex } from "@clockwork/fiat/otcads/contract";
import { formatClock } from "@clockwork/kit/time";
import { StalePill } from "@clockwork/ui/pill";
import { useCallback, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { useChannelNews, useEvery } from "./otc-calls.ts";
import { formatPrice, useOtcText } from "./otc-text.ts";
import { type Requested, requestedPath } from "./requested.ts";

export const QUOTES_ID = "quotes";

const linked = (asset: string, fiat: string): Requested => ({ side: "buy", asset: asset as Requested["asset"], fiat });

/** Prices move with the index: an open page looks again so often, and at once when ads change. */
const REFRESH_MS = 5_000;

interface Quotes {
  readonly index: OtcIndex;
  /** The last refresh failed. */
  readonly isOld: boolean;
}

function useQuotes(first: OtcIndex): Quotes {
  const calls = useCalls();
  const [quotes, setQuotes] = useState<Quotes>({ index: first, isOld: false });
  const fiat = first.prices[0]?.fiat ?? "AED";
  const load = useCallback(async () => {
    const answer = await (await calls()).call(OTC_AD_CALLS.index, { fiat }, { anonymous: true });
    setQuotes((now) => {
      if (!answer.ok) return { ...now, isOld: true };
      // An older answer is dropped.
      return answer.data.asOfMs < now.index.asOfMs ? now : { index: answer.data, isOld: false };
    });
  }, [calls, fiat]);
  useChannelNews(OTC_MARKET_CHANNEL, () => void load());
  useEvery(REFRESH_MS, () => void load());
  return quotes;
}

export function QuoteTable({ index: first }: { readonly index: OtcIndex }) {
  const text = useOtcText();
  const { index, isOld } = useQuotes(first);
  const time = formatClock(index.asOfMs);
  const shown = (value: string | null): string => (value === null ? "–" : formatPrice(value));
  return (
    <section aria-labelledby={QUOTES_ID} className="mt-10">
      <h2 id={QUOTES_ID} className="text-[22px] font-semibold text-text">
        {text("quotes.title")}
      </h2>
      <table className="mt-4 w-full text-ui">
        <thead>
          <tr className="border-line border-b text-left text-label text-muted">
            <th className="py-2 font-normal">{text("post.coin")}</th>
            <th className="py-2 text-right font-normal">{text("quotes.index")}</th>
            <th className="py-2 text-right font-normal">{text("quotes.buy")}</th>
            <th className="py-2 text-right font-normal">{text("quotes.sell")}</th>
          </tr>
        </thead>
        <tbody className="figures">
          {index.prices.map(({ asset, fiat, price, bestBuy, bestSell }) => (
            <tr key={asset} className="border-line border-b">
              <td className="py-2">
                <SiteLink to={requestedPath("/otc", linked(asset, fiat))} className="font-medium text-text">
                  {asset}/{fiat}
                </SiteLink>
              </td>
              <td className="py-2 text-right">{shown(price)}</td>
              <td className="py-2 text-right">{shown(bestBuy)}</td>
              <td className="py-2 text-right">{shown(bestSell)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-ui">
        <SiteLink to="/otc/providers" className="font-medium text-text underline">
          {text("quotes.provider")}
        </SiteLink>
      </p>
      <p className="mt-2 text-label text-muted">
        {isOld ? <StalePill>{text("quotes.old", { time })}</StalePill> : text("quotes.asOf", { time })}
      </p>
      {index.isSimulated && <p className="mt-2 text-label text-muted">{text("quotes.simulated")}</p>}
    </section>
  );
}
