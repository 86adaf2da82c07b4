// One grid bot with its figures; public, its owner is not told.
import { bizOf, GRID_CALLS } from "@clockwork/strategies/grid/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { readData } from "#boot/root-data.ts";
import { FUTURES_ROOT } from "#live/feeds/futures-paths.ts";
import { PageHead } from "#shell/page-head.tsx";
import { type DetailData, DetailPage } from "../../features/grid/detail-page.tsx";

const CANDLES = 240;

export async function loader({ context, params }: LoaderFunctionArgs): Promise<DetailData> {
  const page = context.get(pageContext);
  const asked = (params["*"] ?? "").replace(/\/$/, "");
  const missing = () => data(`Page Not Found: /grid/bot/${asked.slice(0, 20)}`, { status: 404 });
  if (!/^[1-9][0-9]{0,7}$/.test(asked)) throw missing();
  const id = Number(asked);
  // Either tree tells of any bot.
  const bot = await readCall(page, GRID_CALLS.spot.detail, { id });
  if (bot === undefined) throw missing();
  const isSpot = bizOf(bot.kind) === "spot";
  const root = isSpot ? "/v1/spot" : FUTURES_ROOT;
  const of = isSpot ? `pairCode=${bot.pairCode}` : `biz=futures&pairCode=${bot.pairCode}`;
  const ask = async (call: string) =>
    readData(
      await page.callApi({ method: "GET", path: `${root}/${call}`, shared: true, ...(isSpot ? {} : { isRoot: true }) }),
    );
  const [listed, candles, told] = await Promise.all([
    ask(isSpot ? "pairs" : "instruments?biz=futures"),
    ask(`candles?${of}&interval=1h&limit=${CANDLES}`),
    readCall(page, GRID_CALLS.spot.pairs, { id, limit: 50 }),
  ]);
  const pairs = Array.isArray(listed) ? (listed as { pairCode: string }[]) : [];
  return {
    bot,
    pair: (pairs.find(({ pairCode }) => pairCode === bot.pairCode) as DetailData["pair"] | undefined) ?? null,
    candles: Array.isArray(candles) ? (candles as DetailData["candles"]) : [],
    isSignedIn: page.root.topInfo.id !== null,
    pairs: told?.pairs ?? [],
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
