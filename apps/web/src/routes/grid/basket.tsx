// One rebalancing bot with its figures; public, without its owner.
import { REBALANCE_CALLS } from "@clockwork/strategies/rebalance/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PageHead } from "#shell/page-head.tsx";
import { BasketPage, type BasketPageData } from "../../features/grid/basket-page.tsx";
import { ROUNDS_SHOWN } from "../../features/grid/rounds-card.tsx";

export async function loader({ context, params }: LoaderFunctionArgs): Promise<BasketPageData> {
  const page = context.get(pageContext);
  const requested = (params["*"] ?? "").replace(/\/$/, "");
  const missing = () => data(`Page Not Found: /grid/basket/${requested.slice(0, 20)}`, { status: 404 });
  if (!/^[1-9][0-9]{0,6}$/.test(requested)) throw missing();
  const id = Number(requested);
  const [bot, answer] = await Promise.all([
    readCall(page, REBALANCE_CALLS.detail, { id }),
    readCall(page, REBALANCE_CALLS.rounds, { id, limit: ROUNDS_SHOWN }),
  ]);
  if (bot === undefined) throw missing();
  return {
    bot,
    rounds: answer?.rounds ?? [],
    isSignedIn: page.root.topInfo.id !== null,
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
