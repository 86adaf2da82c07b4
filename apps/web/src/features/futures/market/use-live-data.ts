// The served data of a contract, kept up to date while visible: figures of the mark by their channel, slower ones by
// repeated requests.
import { LIQUIDATION_CALLS } from "@clockwork/trading/liquidations/contract";
import { CONTRACT_CALLS, type ContractQuotation } from "@clockwork/trading/markets/contract";
import { useMemo } from "react";
import { FUTURES_MARKETS } from "#live/feeds/futures-feeds.ts";
import { useChannel } from "#live/react.ts";
import { useRequested } from "../model/use-requested.ts";
import { FUND_DAYS, FUNDING_LIMIT, type FuturesData } from "./data-model.ts";

/** A settlement, a day of the fund and the ratio of positions appear within these. */
const FUNDING_MS = 60_000;
const FUND_MS = 15_000;
const SIDES_MS = 15_000;

export function useLiveData(served: FuturesData): FuturesData {
  const { biz, pairCode, settle } = served.pair;
  const ticker = useMemo(() => FUTURES_MARKETS[biz].ticker(pairCode), [biz, pairCode]);
  const quotation = useChannel(ticker).value as ContractQuotation | undefined;
  const ofPair = { biz, pairCode };
  const funding = useRequested(
    CONTRACT_CALLS.fundingHistory,
    { ...ofPair, limit: FUNDING_LIMIT },
    { everyMs: FUNDING_MS, served: served.funding },
  );
  const fund = useRequested(
    CONTRACT_CALLS.riskFund,
    { biz, asset: settle, days: FUND_DAYS },
    { everyMs: FUND_MS, served: served.fund },
  );
  const risk = useRequested(LIQUIDATION_CALLS.riskState, ofPair, { everyMs: SIDES_MS, served: served.risk });
  const sides = useRequested(CONTRACT_CALLS.longShort, ofPair, { everyMs: SIDES_MS, served: served.sides });
  return {
    ...served,
    quotation: quotation ?? served.quotation,
    funding: funding.data ?? served.funding,
    fund: fund.data ?? served.fund,
    risk: risk.data ?? served.risk,
    sides: sides.data ?? served.sides,
  };
}
