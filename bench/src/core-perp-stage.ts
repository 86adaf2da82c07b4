// Owns the stage the core's benchmark workload plays on when its markets are perpetuals: the same accounts, orders and
// prices, one-way and cross, with a mark in the middle.
import { tiersCommand } from "@clockwork/core/protocol/listing-command";
import { tiersA } from "@clockwork/kit/margin-tiers";
import type { Send } from "./core-engines.ts";
import type { Workload } from "./core-workload.ts";

const FUNDS = 8 * 10 ** 11;
const MIDDLE = 100_000;

export function fundPerps(send: Send, workload: Workload): void {
  const { shape } = workload;
  send({ kind: "listAsset", symbol: "USDT", scale: 6 });
  // Fees as on spot, so that both write the same bills.
  for (let symbol = 0; symbol < shape.symbols; symbol++) {
    send({ kind: "listAsset", symbol: `C${symbol}`, scale: 8 });
    send({
      kind: "listMarket",
      marketKind: "linear",
      base: symbol + 2,
      quote: 1,
      tickMantissa: 1,
      tickDecimals: 1,
      stepUnits: 1_000,
      bandBps: 2_000,
      symbol: `C${symbol}USDT`,
    });
    send(tiersCommand(symbol + 1, tiersA(6)));
    send({ kind: "setReferencePrice", market: symbol + 1, markTicks: MIDDLE, indexTicks: MIDDLE });
  }
  for (let i = 0; i < shape.accounts; i++) {
    const account = 16 + i;
    send({ kind: "createAccount", user: i + 1, book: "linear" });
    send({ kind: "setAccountFlags", account, allowSelfTrade: true });
    send({ kind: "mint", account, asset: 1, units: FUNDS, business: "deposit", reference: `q${account}` });
  }
}
