// Mark, index, funding with its countdown and open interest in the pair bar, each live separately.

import { formatDecimal } from "@clockwork/kit/format";
import type { ContractInfo, ContractQuotation } from "@clockwork/trading/markets/contract";
import { useSyncExternalStore } from "react";
import { useProduct } from "#trade/product.ts";
import { Statistic } from "#trade/terminal/pair-bar.tsx";
import { useMarketFeeds, useTerminalData } from "#trade/terminal-market.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { FundingCountdown, showFundingRate, showPrice } from "./funding-figures.tsx";

const silent = () => () => {};

/** Served first, live once it flows. */
export function useContractQuotation(): ContractQuotation | null {
  const data = useTerminalData<ContractInfo>();
  const quotation = data.quotation as ContractQuotation | null;
  const feeds = useMarketFeeds();
  const read = () => (feeds?.ticker.get().value as ContractQuotation | undefined) ?? quotation;
  return useSyncExternalStore(feeds?.ticker.subscribe ?? silent, read, () => quotation);
}

export function ContractStatistics() {
  const text = useFuturesText();
  const { pair } = useTerminalData<ContractInfo>();
  const { words } = useProduct();
  const quotation = useContractQuotation();
  if (quotation === null) return null;
  return (
    <>
      <Statistic name="mark" label={text("mark")} shortLabel={text("mark")}>
        <span className={quotation.isDegraded ? "text-warn" : ""} title={quotation.isDegraded ? text("degraded") : ""}>
          {showPrice(quotation.mark, pair.priceDecimals)}
        </span>
      </Statistic>
      <Statistic name="index" label={text("index")} shortLabel={text("index")}>
        {showPrice(quotation.index, pair.priceDecimals)}
      </Statistic>
      <Statistic name="funding" label={text("funding", { hours: pair.fundingHours })} shortLabel={text("fundingShort")}>
        {showFundingRate(quotation.fundingRate)}
        <span className="max-lg:hidden">
          {" "}
          · <FundingCountdown untilMs={quotation.nextFundingMs} />
        </span>
      </Statistic>
      <Statistic name="countdown" label={text("fundingIn")} shortLabel={text("fundingIn")}>
        <FundingCountdown untilMs={quotation.nextFundingMs} />
      </Statistic>
      <Statistic name="interest" label={text("openInterest", { asset: words.assetsOf(pair.pairCode).quantity })}>
        {formatDecimal(quotation.openInterest, { decimals: pair.quantityDecimals, grouped: true })}
      </Statistic>
    </>
  );
}
