// A new grid on spot or on futures, by the address: the chart, the form and the back-test of one pair.
import { GRID_CALLS, type GridBiz } from "@clockwork/strategies/grid/contract";
import type { Candle, FundingEntry, LadderStep, Quotation } from "@clockwork/trading/markets/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { readData } from "#boot/root-data.ts";
import { FUTURES_ROOT } from "#live/feeds/futures-paths.ts";
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
  const ask = async (call: string) =>
    readData(
      await page.callApi({
        method: "GET",
        path: `${isSpot ? "/v1/spot" : FUTURES_ROOT}/${call}`,
        shared: true,
        ...(isSpot ? {} : { isRoot: true }),
      }),
    );
  const listed = await ask(isSpot ? "pairs" : "instruments?biz=futures");
  const pairs = (Array.isArray(listed) ? (listed as GridPair[]) : []).filter(({ quote }) => quote === "USDT");
  const wanted = url.searchParams.get("pair");
  const pair = pairs.find(({ pairCode }) => pairCode === wanted) ?? pairs[0];
  if (pair === undefined) throw data("No market is open yet", { status: 503 });
  const of = isSpot ? `pairCode=${pair.pairCode}` : `biz=futures&pairCode=${pair.pairCode}`;
  const [quotations, candles, suggestion, ladder, fundings] = await Promise.all([
    ask(`quotations?${of}`),
    ask(`candles?${of}&interval=1h&limit=${CANDLES}`),
    readCall(page, GRID_CALLS[biz].suggestion, { pairCode: pair.pairCode, days: "30" }, { shared: true }),
    isSpot ? undefined : ask(`ladder?${of}`),
    isSpot ? undefined : ask(`funding-history?${of}&limit=${FUNDINGS}`),
  ]);
  const told = (Array.isArray(quotations) ? quotations : [quotations]) as readonly (Quotation | undefined)[];
  return {
    biz,
    pair,
    pairs: pairs.slice(0, SHOWN_PAIRS).map(({ pairCode }) => pairCode),
    last: told.find((one) => one?.pairCode === pair.pairCode)?.last ?? "0",
    candles: Array.isArray(candles) ? (candles as Candle[]) : [],
    ladder: Array.isArray(ladder) ? (ladder as LadderStep[]) : [],
    fundings: sinceFirst(fundings, candles),
    suggestion: suggestion ?? null,
    isSignedIn: page.root.topInfo.id !== null,
    asked: readDraft(url.searchParams, isSpot),
  };
}

/** Settlements that the candles reach back to; a page carries no more of them than it tests with. */
function sinceFirst(fundings: unknown, candles: unknown): FundingEntry[] {
  const firstMs = Array.isArray(candles) ? ((candles as Candle[])[0]?.timeMs ?? 0) : 0;
  return Array.isArray(fundings) ? (fundings as FundingEntry[]).filter(({ timeMs }) => timeMs >= firstMs) : [];
}

export const clientLoader = loadPayload<CreateData>;

export default function GridCreate() {
  const served = useLoaderData<CreateData>();
  const name = served.pair.pairCode.replace("_", "/");
  return (
    <>
      <PageHead
        title={`${served.biz === "spot" ? "Spot" : "Futures"} grid ${name}`}
        description={`Make a grid bot on ${name}: its lines on the chart, and what it would have made.`}
      />
      <CreatePage
        key={`${served.biz}:${served.pair.pairCode}:${served.asked?.lower ?? ""}:${served.asked?.kind ?? ""}`}
        data={served}
      />
    </>
  );
}
