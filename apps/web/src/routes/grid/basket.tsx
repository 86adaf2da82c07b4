// One rebalancing bot with its figures; public, its owner is not told.
import { REBALANCE_PATH, type RebalancerDetail, type RoundList } from "@clockwork/strategies/rebalance/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { PageHead } from "#shell/page-head.tsx";
import { BasketPage, type BasketPageData } from "../../features/grid/basket-page.tsx";
import { ROUNDS_SHOWN } from "../../features/grid/rounds-card.tsx";

export async function loader({ context, params }: LoaderFunctionArgs): Promise<BasketPageData> {
  const { callApi, root: page } = context.get(pageContext);
  const id = (params["*"] ?? "").replace(/\/$/, "");
  const missing = () => data(`Page Not Found: /grid/basket/${id.slice(0, 20)}`, { status: 404 });
  if (!/^[1-9][0-9]{0,6}$/.test(id)) throw missing();
  const [bot, told] = await Promise.all([
    callApi({ method: "GET", path: `${REBALANCE_PATH}/detail?id=${id}` }),
    callApi({ method: "GET", path: `${REBALANCE_PATH}/rounds?id=${id}&limit=${ROUNDS_SHOWN}` }),
  ]);
  const found = readEnvelope(bot) as RebalancerDetail | undefined;
  if (found === undefined) throw missing();
  return {
    bot: found,
    rounds: (readEnvelope(told)?.rounds as RoundList["rounds"] | undefined) ?? [],
    isSignedIn: page.topInfo.id !== null,
  };
}

export const clientLoader = loadPayload<BasketPageData>;

export default function GridBasket() {
  const served = useLoaderData<BasketPageData>();
  return (
    <>
      <PageHead title={`Rebalancing bot R-${served.bot.id}`} description="A basket of coins kept at its weights." />
      <BasketPage key={served.bot.id} data={served} />
    </>
  );
}
