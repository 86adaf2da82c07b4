// The grid ranking (GRID-1): all users' bots with public results.
import { GRID_CALLS } from "@clockwork/strategies/grid/contract";
import { REBALANCE_CALLS } from "@clockwork/strategies/rebalance/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PageHead } from "#shell/page-head.tsx";
import { type RankingData, RankingPage } from "../../features/grid/ranking-page.tsx";

const SHOWN = 50;

export async function loader({ context }: LoaderFunctionArgs): Promise<RankingData> {
  const page = context.get(pageContext);
  const [spot, futures, baskets] = await Promise.all([
    readCall(page, GRID_CALLS.spot.ranking, { limit: SHOWN }),
    readCall(page, GRID_CALLS.futures.ranking, { limit: SHOWN }),
    readCall(page, REBALANCE_CALLS.ranking, { limit: SHOWN }),
  ]);
  const grids = [spot, futures].flatMap((list) => list ?? []);
  const ranked = grids.flatMap(({ bots }) => bots).toSorted((left, right) => Number(right.apr) - Number(left.apr));
  return {
    bots: [...ranked, ...grids.flatMap(({ young }) => young)],
    baskets: [...(baskets?.bots ?? []), ...(baskets?.young ?? [])],
    isSignedIn: page.root.topInfo.id !== null,
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
