// Owns holders to try commands on: whoever holds what is asked, and another market beside. For tests.
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import type { PerpStage } from "../../testing/perp-stage.ts";

export const RICH = 10 ** 12;

/** The refusal and its limit. */
export const published = (events: readonly MachineEvent[]): [string, number] | undefined => {
  const [refused] = eventsOf(events, "rejected");
  return refused === undefined ? undefined : [refused.code, refused.limit];
};

export function listSecond(stage: PerpStage): number {
  const shape = { base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000 } as const;
  const more = { slippageBps: 200, feeGroup: 1, marketKind: "linear", symbol: "SECOND" } as const;
  const market = eventsOf(stage.sure({ kind: "listMarket", ...shape, ...more }), "marketListed")[0]?.market ?? 0;
  stage.sure({ kind: "setTiers", market, count: 1, cap1: 10 ** 12, rate1: 400_000, leverage1: 125 });
  stage.sure({ kind: "setReferencePrice", market, markTicks: 500_000, indexTicks: 500_000 });
  return market;
}

/** Alice holds in a market, Bob is on the other side. */
export function hold(stage: PerpStage, lots: number, more: { market?: number; funds?: number; layout?: object } = {}) {
  const inverse = more.market === stage.inverse;
  const [alice, bob] = [stage.trader(more.funds ?? RICH, { inverse }), stage.trader(RICH * 10, { inverse })];
  if (more.layout !== undefined) stage.sure({ kind: "setPositionMode", account: alice, hedge: true, ...more.layout });
  take(stage, alice, bob, lots, more.market);
  return { alice, bob };
}

export function take(stage: PerpStage, account: number, other: number, lots: number, market = stage.linear): void {
  const [side, against] = lots > 0 ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
  stage[against](other, Math.abs(lots), 500_000, { market });
  stage[side](account, Math.abs(lots), 500_000, { market });
}
