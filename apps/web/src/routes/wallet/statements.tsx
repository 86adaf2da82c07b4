// Statements: the coins to choose from and the caller's files.

import { DAY_MS } from "@clockwork/kit/time";
import { STATEMENT_PATHS, type StatementFiles } from "@clockwork/trading/statements/contract";
import type { Coin } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { StatementsPage, type StatementsPageProps } from "../../features/statements/statements-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<StatementsPageProps> {
  const { callApi } = context.get(pageContext);
  const [coins, files] = await Promise.all([
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
    callApi({ method: "GET", path: STATEMENT_PATHS.list }),
  ]);
  const list = (readEnvelope(files) as StatementFiles | undefined) ?? { files: [], nowMs: Date.now() };
  return {
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    files: list,
    todayMs: list.nowMs - (list.nowMs % DAY_MS),
  };
}

export const clientLoader = loadPayload<StatementsPageProps>;

export default function WalletStatements() {
  return <StatementsPage {...useLoaderData<StatementsPageProps>()} />;
}
