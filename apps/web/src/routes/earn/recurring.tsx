// Recurring buys: the editor for all visitors, the plans of a signed-in user.

import { EARN_CALLS } from "@clockwork/earning/earn/contract";
import { PLAN_CALLS, type PlanList } from "@clockwork/earning/plans/contract";
import { MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { EarnFrame } from "../../features/earn/earn-page.tsx";

interface RecurringData {
  readonly isSignedIn: boolean;
  readonly plans: PlanList | null;
  readonly coins: readonly string[];
  readonly free: Readonly<Record<string, string>>;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<RecurringData> {
  const page = context.get(pageContext);
  const isSignedIn = page.root.topInfo.id !== null;
  const [pairs, plans, accounts, earn] = await Promise.all([
    readCall(page, MARKET_CALLS.pairs, {}),
    isSignedIn ? readCall(page, PLAN_CALLS.list, {}) : undefined,
    isSignedIn ? readCall(page, WALLET_CALLS.accounts, { walletTypeList: ["1", "2"] }) : undefined,
    isSignedIn ? readCall(page, EARN_CALLS.balance, {}) : undefined,
  ]);
  const books = accounts?.accounts;
  const book = (type: string): string =>
    books?.find(({ walletType }) => walletType === type)?.assets.find(({ asset }) => asset === "USDT")?.available ??
    "0";
  return {
    isSignedIn,
    plans: plans ?? null,
    coins: (pairs ?? []).filter(({ quote }) => quote === "USDT").map(({ base }) => base),
    free: {
      spot: book("1"),
      funding: book("2"),
      flexible: earn?.assets.find(({ asset }) => asset === "USDT")?.amount ?? "0",
    },
  };
}

export const clientLoader = loadPayload<RecurringData>;

const PlanPage = latePart(async () => (await import("../../features/plans/plan-page.tsx")).PlanPage);
// One function for all renders: a part before hydration must not change.
const frame = (children: ReactNode) => <EarnFrame part="recurring">{children}</EarnFrame>;

export default function Recurring() {
  const data = useLoaderData<RecurringData>();
  return <PlanPage {...data} frame={frame} />;
}
