// One's own bots: grids and baskets.
import { type Bot, GRID_PATHS } from "@clockwork/strategies/grid/contract";
import { REBALANCE_PATH, type Rebalancer } from "@clockwork/strategies/rebalance/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { PageHead } from "#shell/page-head.tsx";
import { type BotsData, BotsPage } from "../../features/grid/bots-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<BotsData> {
  const { callApi } = context.get(pageContext);
  const ask = async <One,>(path: string): Promise<readonly One[]> => {
    const found = readEnvelope(await callApi({ method: "GET", path: `${path}/list` }));
    return (found?.bots as readonly One[] | undefined) ?? [];
  };
  const [spot, futures, baskets] = await Promise.all([
    ask<Bot>(GRID_PATHS.spot),
    ask<Bot>(GRID_PATHS.futures),
    ask<Rebalancer>(REBALANCE_PATH),
  ]);
  return { spot, futures, baskets };
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
