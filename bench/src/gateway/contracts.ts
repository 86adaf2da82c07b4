// The same traders on perpetuals, for the benchmarks of the gateway and of futures: funds transferred, and orders
// written beforehand like spot's: most rest, some take resting orders.
import { postRequest } from "./client.ts";
import { CLEAR_EVERY, callJson, describeOrder, type Trader } from "./traders.ts";

const API = "/futuresapi/v1/futuresc";
const FUNDS = "400000";

export interface ContractTrader extends Pick<Trader, "pair" | "headers" | "last" | "decimals" | "quantity"> {
  placed: number;
  requests: readonly Buffer[];
}

interface ContractRules {
  readonly pairCode: string;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly minQuantity: string;
}

/** Identity, funds and a contract for a user who has an account and spot funds already. */
export async function openContracts(port: number, trader: Trader, index: number): Promise<ContractTrader> {
  const { headers, pair } = trader;
  await callJson(port, "/dev/identity", { level: 1 }, headers);
  const move = { asset: "USDT", amount: FUNDS, from: "1", to: "3", clientId: `bench-${index}` };
  await callJson(port, "/api/asset/v1/api/wallet/transfer", move, headers);
  const list = (await callJson(port, `${API}/instruments`)).data as ContractRules[];
  const rules = list.find(({ pairCode }) => pairCode === pair);
  if (rules === undefined) throw new Error(`there is no contract ${pair}`);
  // About 20 USDT an order as on spot, and never below the contract's least.
  const quantity = Math.max(20 / trader.last, Number(rules.minQuantity)).toFixed(rules.quantityDecimals);
  return { headers, pair, last: trader.last, decimals: rules.priceDecimals, quantity, placed: 0, requests: [] };
}

export async function refreshContract(port: number, trader: ContractTrader): Promise<ContractTrader> {
  const quoted = (await callJson(port, `${API}/quotations?pairCode=${trader.pair}`)).data as { last: string }[];
  const last = Number(quoted[0]?.last ?? 0);
  if (!(last > 0)) throw new Error(`the contract ${trader.pair} has no price yet`);
  const fresh = { ...trader, last };
  const requests = Array.from({ length: CLEAR_EVERY }, (_, number) =>
    number === CLEAR_EVERY - 1
      ? postRequest(`${API}/orders/clear`, {}, trader.headers)
      : postRequest(`${API}/orders`, describeOrder(fresh as unknown as Trader, number), trader.headers),
  );
  return { ...fresh, requests };
}

export function nextContractRequest(trader: ContractTrader): Buffer {
  const request = trader.requests[trader.placed % CLEAR_EVERY] as Buffer;
  trader.placed += 1;
  return request;
}
