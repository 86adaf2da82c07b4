// Earn and its lists: products for all visitors, holdings and coupons of a signed-in user, fetched together.
import { EARN_CALLS } from "@clockwork/earning/earn/contract";
import { SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { EarnPage, type EarnPageProps, type EarnPart } from "../../features/earn/earn-page.tsx";

const PARTS: Readonly<Record<string, EarnPart>> = {
  "/earn/flexible": "flexible",
  "/earn/fixed": "fixed",
  "/earn/shark-fin": "shark",
};

type EarnData = Omit<EarnPageProps, "mixes">;

export async function loader({ context }: LoaderFunctionArgs): Promise<EarnData> {
  const page = context.get(pageContext);
  const isSignedIn = page.root.topInfo.id !== null;
  const [products, holdings, coupons, balance] = await Promise.all([
    readCall(page, EARN_CALLS.products, {}),
    isSignedIn ? readCall(page, EARN_CALLS.holdings, {}) : undefined,
    isSignedIn ? readCall(page, EARN_CALLS.coupons, {}) : undefined,
    isSignedIn ? readCall(page, SPOT_CALLS.balance, {}) : undefined,
  ]);
  return {
    part: PARTS[page.rest] ?? "all",
    products: products ?? null,
    holdings: holdings ?? null,
    isSignedIn,
    coupons: coupons?.coupons ?? null,
    available:
      balance === undefined ? null : Object.fromEntries(balance.map(({ asset, available }) => [asset, available])),
  };
}

export const clientLoader = loadPayload<EarnData>;

const MixCards = latePart(async () => (await import("../../features/plans/mix-cards.tsx")).MixCards);

export default function Earn() {
  return <EarnPage {...useLoaderData<EarnData>()} mixes={<MixCards />} />;
}
