// A user's own liquidation in the Binance dialect: an order of the exchange's that is filled when published, named by
// its report.
import type { LiquidationReport } from "@clockwork/trading/liquidations/contract";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { type Contracts, writeQuantity } from "../contract/contracts.ts";
import { eventTime } from "../event-time.ts";

export function describeLiquidation(
  { kind }: Contracts,
  contract: ContractInfo,
  report: LiquidationReport,
  isHedge: boolean,
  timeMs: number,
): object {
  const quantity = writeQuantity(contract, report.liquidatedQuantity);
  const price = report.averagePrice ?? "0";
  return {
    e: "ORDER_TRADE_UPDATE",
    E: eventTime(timeMs, report.timeMs),
    T: report.timeMs,
    o: {
      s: kind.symbolOf(contract),
      c: `autoclose-${report.id}`,
      S: report.side === "long" ? "SELL" : "BUY",
      o: "LIQUIDATION",
      f: "IOC",
      q: quantity,
      p: price,
      ap: price,
      sp: "0",
      x: "CALCULATED",
      X: "FILLED",
      i: report.sequence,
      l: quantity,
      z: quantity,
      L: price,
      T: report.timeMs,
      t: 0,
      b: "0",
      a: "0",
      m: false,
      R: true,
      wt: "CONTRACT_PRICE",
      ot: "LIQUIDATION",
      ps: isHedge ? report.side.toUpperCase() : "BOTH",
      cp: false,
      pP: false,
      si: 0,
      ss: 0,
      rp: "0",
      V: "NONE",
      pm: "NONE",
      gtd: 0,
    },
  };
}
