// Whether the caller's account that trades a contract is a hedge, asked for once per call.
import type { ContractBiz, ContractInfo } from "@clockwork/domains/markets/api";
import type { FuturesAccount } from "@clockwork/domains/positions/api";
import type { DialectCall } from "../endpoint.ts";
import { NATIVE } from "./contracts.ts";

export async function readAccounts({ ask }: Pick<DialectCall, "ask">, biz: ContractBiz): Promise<FuturesAccount[]> {
  return (await ask("GET", `${NATIVE}/accounts`, { query: { biz } })) as FuturesAccount[];
}

type Settled = Pick<ContractInfo, "settle">;

/** Nobody has an account in hedge mode without having asked for it. */
export async function hedges(call: Pick<DialectCall, "ask">, biz: ContractBiz): Promise<(one: Settled) => boolean> {
  const accounts = await readAccounts(call, biz);
  return ({ settle }) => accounts.find(({ asset }) => asset === settle)?.isHedge ?? false;
}
