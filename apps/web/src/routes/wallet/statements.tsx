// Statements: the coins to choose from and the caller's files.

import { DAY_MS } from "@clockwork/kit/time";
import { STATEMENT_CALLS } from "@clockwork/trading/statements/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { StatementsPage, type StatementsPageProps } from "../../features/statements/statements-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<StatementsPageProps> {
  const page = context.get(pageContext);
  const [coins, files] = await Promise.all([
    readCall(page, WALLET_CALLS.coins, {}),
    readCall(page, STATEMENT_CALLS.list, {}),
  ]);
  const list = files ?? { files: [], nowMs: Date.now() };
  return {
    coins: coins ?? [],
    files: list,
    todayMs: list.nowMs - (list.nowMs % DAY_MS),
  };
}

export const clientLoader = loadPayload<StatementsPageProps>;

export default function WalletStatements() {
  return <StatementsPage {...useLoaderData<StatementsPageProps>()} />;
}
