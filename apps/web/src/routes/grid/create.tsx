// A new grid on spot or on futures, by the address: the chart, the form and the back-test of one pair.
import { GRID_CALLS, type GridBiz } from "@clockwork/strategies/grid/contract";
import { type Candle, CONTRACT_CALLS, type FundingEntry, MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PageHead } from "#shell/page-head.tsx";
import { CreatePage } from "../../features/grid/create-page.tsx";
import { readDraft } from "../../features/grid/model/draft-query.ts";
import type { GridPair } from "../../features/grid/model/grid-model.ts";
import type { CreateData } from "../../features/grid/use-create.ts";

/** Thirty days of hours. */
const CANDLES = 720;
/** Every hour of them. */
const FUNDINGS = 720;
const SHOWN_PAIRS = 8;

export async function loader({ context, url }: LoaderFunctionArgs): Promise<CreateData> {
  const page = context.get(pageContext);
  const biz: GridBiz = url.pathname.includes("/grid/futures") ? "futures" : "spot";
  const isSpot = biz === "spot";
  const options = { api: isSpot ? "spot" : "futures", shared: true } as const;
  const listed: readonly GridPair[] | undefined = isSpot
    ? await readCall(page, MARKET_CALLS.pairs, {}, options)
    : await readCall(page, CONTRACT_CALLS.instruments, { biz: "futures" }, options);
  const pairs = (listed ?? []).filter(({ quote }) => quote === "USDT");
  const wanted = url.searchParams.get("pair");
  const pair = pairs.find(({ pairCode }) => pairCode === wanted) ?? pairs[0];
  if (pair === undefined) throw data("No market is open yet", { status: 503 });
  const { pairCode } = pair;
  const of = { biz: "futures", pairCode } as const;
  const hours = { interval: "1h", limit: CANDLES } as const;
  const [quotations, candles, suggestion, ladder, fundings] = await Promise.all([
    isSpot
      ? readCall(page, MARKET_CALLS.quotations, { pairCode }, options)
      : readCall(page, CONTRACT_CALLS.quotations, of, options),
    isSpot
      ? readCall(page, MARKET_CALLS.candles, { pairCode, ...hours }, options)
      : readCall(page, CONTRACT_CALLS.candles, { ...of, ...hours }, options),
    readCall(page, GRID_CALLS[biz].suggestion, { pairCode, days: "30" }, { shared: true }),
    isSpot ? undefined : readCall(page, CONTRACT_CALLS.ladder, of, options),
    isSpot ? undefined : readCall(page, CONTRACT_CALLS.fundingHistory, { ...of, limit: FUNDINGS }, options),
  ]);
  return {
    biz,
    pair,
    pairs: pairs.slice(0, SHOWN_PAIRS).map(({ pairCode }) => pairCode),
    last: quotations?.find((one) => one.pairCode === pairCode)?.last ?? "0",
    candles: candles ?? [],
    ladder: ladder ?? [],
    fundings: sinceFirst(fundings, candles),
    suggestion: suggestion ?? null,
    isSignedIn: page.root.topInfo.id !== null,
    requested: readDraft(url.searchParams, isSpot),
  };
}

/** Settlements that the candles reach back to; a page carries no more of them than it tests with. */
function sinceFirst(fundings: readonly FundingEntry[] = [], candles: readonly Candle[] = []): FundingEntry[] {
  const firstMs = candles[0]?.timeMs ?? 0;
  return fundings.filter(({ timeMs }) => timeMs >= firstMs);
}

export const clientLoader = loadPayload<CreateData>;

export default function GridCreate() {
  const served = useLoaderData<CreateData>();
  const name = served.pair.pairCode.replace("_", "/");
  return (
    <>
      <PageHead
        title={`${served.biz === "spot" ? "Spot" : "Futures"} grid ${name}`}
        description={`Create a grid bot on ${name}: grid lines on the chart and a back-test.`}
      />
      <CreatePage
        key={`${served.biz}:${served.pair.pairCode}:${served.requested?.lower ?? ""}:${served.requested?.kind ?? ""}`}
        data={served}
      />
    </>
  );
}
