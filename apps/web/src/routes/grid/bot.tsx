// One grid bot with its figures; public, without its owner.
import { bizOf, GRID_CALLS } from "@clockwork/strategies/grid/contract";
import { CONTRACT_CALLS, MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PageHead } from "#shell/page-head.tsx";
import { type DetailData, DetailPage } from "../../features/grid/detail-page.tsx";

const CANDLES = 240;

export async function loader({ context, params }: LoaderFunctionArgs): Promise<DetailData> {
  const page = context.get(pageContext);
  const requested = (params["*"] ?? "").replace(/\/$/, "");
  const missing = () => data(`Page Not Found: /grid/bot/${requested.slice(0, 20)}`, { status: 404 });
  if (!/^[1-9][0-9]{0,7}$/.test(requested)) throw missing();
  const id = Number(requested);
  // Either tree answers for any bot.
  const bot = await readCall(page, GRID_CALLS.spot.detail, { id });
  if (bot === undefined) throw missing();
  const isSpot = bizOf(bot.kind) === "spot";
  const options = { api: isSpot ? "spot" : "futures", shared: true } as const;
  const of = { pairCode: bot.pairCode, interval: "1h", limit: CANDLES } as const;
  const [listed, candles, closed] = await Promise.all([
    isSpot
      ? readCall(page, MARKET_CALLS.pairs, {}, options)
      : readCall(page, CONTRACT_CALLS.instruments, { biz: "futures" }, options),
    isSpot
      ? readCall(page, MARKET_CALLS.candles, of, options)
      : readCall(page, CONTRACT_CALLS.candles, { biz: "futures", ...of }, options),
    readCall(page, GRID_CALLS.spot.pairs, { id, limit: 50 }),
  ]);
  return {
    bot,
    pair: listed?.find(({ pairCode }) => pairCode === bot.pairCode) ?? null,
    candles: candles ?? [],
    isSignedIn: page.root.topInfo.id !== null,
    pairs: closed?.pairs ?? [],
  };
}

export const clientLoader = loadPayload<DetailData>;

export default function GridBot() {
  const served = useLoaderData<DetailData>();
  return (
    <>
      <PageHead title={`Grid bot B-${served.bot.id}`} description="A grid bot with its pairs, grid and float profit." />
      <DetailPage key={served.bot.id} data={served} />
    </>
  );
}
