// What the pair's coin is, and the rules of the pair as the core enforces them, in one table.

import { trimZeros } from "@clockwork/kit/decimal";
import { formatDecimal } from "@clockwork/kit/format";
import { ARTICLE_CALLS, type CoinInfo } from "@clockwork/site/articles/contract";
import type { Pair } from "@clockwork/trading/markets/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { use, useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { RequestContext } from "#live/react.ts";
import { CoinFacts } from "#shell/coin-facts.tsx";
import { dayText } from "#trade/clock-text.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";

/** "0.001" → "0.1%" */
function percentOf(rate: string): string {
  const [whole = "0", fraction = ""] = rate.split(".");
  const digits = fraction.padEnd(2, "0");
  const text = `${Number(whole + digits.slice(0, 2))}.${digits.slice(2)}`;
  return `${trimZeros(text.endsWith(".") ? text.slice(0, -1) : text)}%`;
}

/** Requested when the tab is first opened; without an answer only the rules are shown. */
function AboutCoin({ symbol }: { readonly symbol: string }) {
  const text = useTerminalText();
  const request = use(RequestContext);
  const [coin, setCoin] = useState<CoinInfo>();
  useEffect(() => {
    let gone = false;
    void request?.call(ARTICLE_CALLS.coin, { coin: symbol }, { anonymous: true }).then((answer) => {
      if (answer.ok && !gone) setCoin(answer.data);
    });
    return () => {
      gone = true;
    };
  }, [request, symbol]);
  if (coin === undefined) return null;
  return (
    <div className="mb-4">
      <CoinFacts
        coin={coin}
        words={{
          since: text("coin.since"),
          maxSupply: text("coin.maxSupply"),
          noMax: text("coin.noMax"),
          links: text("coin.links"),
        }}
      />
      <SiteLink to={`/coins/${symbol}`} className="mt-2 inline-block text-accent hover:underline">
        {text("coin.more", { coin: coin.name })}
      </SiteLink>
    </div>
  );
}

export function InfoPanel() {
  const text = useTerminalText();
  const timezone = useGlobal((state) => state.timezone);
  const { pair } = useTerminalData<Pair>();
  const { words } = useProduct();
  const amount = (value: string) =>
    `${formatDecimal(value, { decimals: 18, grouped: true, trimZeros: true })} ${pair.base}`;
  const band = (low: string, high: string) => text("bandNote", { low: trimZeros(low), high: trimZeros(high) });
  const rows = [
    [text("status"), pair.status],
    [text("tick"), `${pair.tickSize} ${pair.quote}`],
    [text("lot"), `${pair.stepSize} ${pair.base}`],
    [text("minAmount"), amount(pair.minQuantity)],
    [text("maxAmount"), amount(pair.maxQuantity)],
    [text("maxMarket"), amount(pair.maxMarketQuantity)],
    [text("minTotal"), `${trimZeros(pair.minNotional)} ${pair.quote}`],
    [text("bandBuy"), band(pair.band.buyMin, pair.band.buyMax)],
    [text("bandSell"), band(pair.band.sellMin, pair.band.sellMax)],
    [text("openOrdersMax"), String(pair.openOrdersMax)],
    [text("makerFee"), percentOf(pair.makerRate)],
    [text("takerFee"), percentOf(pair.takerRate)],
    [text("listed"), dayText(pair.listedAtMs, timezone)],
  ] as const;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-4">
      <h2 className="mb-3 flex items-center gap-2 text-card">
        <CoinGlyph code={pair.base} size={20} /> {pair.baseName} · {words.nameOf(pair.pairCode)}
      </h2>
      <AboutCoin symbol={pair.base} />
      {pair.isSimulated && <p className="mb-3 max-w-[560px] text-warn">{text("simulatedNote")}</p>}
      <dl className="grid max-w-[880px] grid-cols-1 gap-x-12 sm:grid-cols-2">
        {rows.map(([label, value]) => (
          <div key={label} className="flex h-8 items-center justify-between gap-4 border-line border-b">
            <dt className="text-muted">{label}</dt>
            <dd className="figures text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
