// What the caller's contract accounts go by: whether one is a hedge, what it pays, and the most a leverage carries.
import type { FuturesFee } from "@clockwork/trading/futures/contract";
import type { ContractBiz, ContractInfo, LadderStep } from "@clockwork/trading/markets/contract";
import type { FuturesAccount } from "@clockwork/trading/positions/contract";
import type { DialectCall } from "../endpoint.ts";
import { NATIVE } from "./contracts.ts";

export async function readAccounts({ ask }: Pick<DialectCall, "ask">, biz: ContractBiz): Promise<FuturesAccount[]> {
  return (await ask("GET", `${NATIVE}/accounts`, { query: { biz } })) as FuturesAccount[];
}

export async function readFee({ ask }: Pick<DialectCall, "ask">, biz: ContractBiz): Promise<FuturesFee> {
  return (await ask("GET", `${NATIVE}/user-level-fee`, { query: { biz } })) as FuturesFee;
}

type Settled = Pick<ContractInfo, "settle">;

/** An account is in hedge mode only on request. */
export async function hedges(call: Pick<DialectCall, "ask">, biz: ContractBiz): Promise<(one: Settled) => boolean> {
  const accounts = await readAccounts(call, biz);
  return ({ settle }) => accounts.find(({ asset }) => asset === settle)?.isHedge ?? false;
}

/** The most that may be held at a leverage. */
export function maxAt(ladder: readonly LadderStep[], leverage: number): string {
  return ladder.filter(({ maxLeverage }) => maxLeverage >= leverage).at(-1)?.maxNotional ?? "0";
}
