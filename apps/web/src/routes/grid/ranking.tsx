// The grid ranking (GRID-1): bots of everybody with public results.
import { GRID_PATHS, type Ranking } from "@clockwork/strategies/grid/contract";
import { type BasketRanking, REBALANCE_PATH } from "@clockwork/strategies/rebalance/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { PageHead } from "#shell/page-head.tsx";
import { type RankingData, RankingPage } from "../../features/grid/ranking-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<RankingData> {
  const { callApi, root } = context.get(pageContext);
  const ask = async <List,>(path: string): Promise<List | undefined> =>
    readEnvelope(await callApi({ method: "GET", path: `${path}/ranking?limit=50` })) as List | undefined;
  const [spot, futures, baskets] = await Promise.all([
    ask<Ranking>(GRID_PATHS.spot),
    ask<Ranking>(GRID_PATHS.futures),
    ask<BasketRanking>(REBALANCE_PATH),
  ]);
  const grids = [spot, futures].flatMap((list) => list ?? []);
  const ranked = grids.flatMap(({ bots }) => bots).toSorted((left, right) => Number(right.apr) - Number(left.apr));
  return {
    bots: [...ranked, ...grids.flatMap(({ young }) => young)],
    baskets: [...(baskets?.bots ?? []), ...(baskets?.young ?? [])],
    isSignedIn: root.topInfo.id !== null,
  };
}

export const clientLoader = loadPayload<RankingData>;

export default function GridRanking() {
  return (
    <>
      <PageHead title="Grid ranking" description="Grid bots by the grid profit of their last seven days." />
      <RankingPage data={useLoaderData<RankingData>()} />
    </>
  );
}
