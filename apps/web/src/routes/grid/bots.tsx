// Own bots: grids and baskets.
import { GRID_CALLS } from "@clockwork/strategies/grid/contract";
import { REBALANCE_CALLS } from "@clockwork/strategies/rebalance/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PageHead } from "#shell/page-head.tsx";
import { type BotsData, BotsPage } from "../../features/grid/bots-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<BotsData> {
  const page = context.get(pageContext);
  const [spot, futures, baskets] = await Promise.all([
    readCall(page, GRID_CALLS.spot.list, {}),
    readCall(page, GRID_CALLS.futures.list, {}),
    readCall(page, REBALANCE_CALLS.list, {}),
  ]);
  return { spot: spot?.bots ?? [], futures: futures?.bots ?? [], baskets: baskets?.bots ?? [] };
}

export const clientLoader = loadPayload<BotsData>;

export default function GridBots() {
  return (
    <>
      <PageHead title="My bots" description="Your grid and rebalancing bots, running and ended." />
      <BotsPage data={useLoaderData<BotsData>()} />
    </>
  );
}
