// No event is dated earlier than its cause, although two clocks are read for it.
import type { LiquidationReport } from "@clockwork/trading/liquidations/contract";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { expect, test } from "vitest";
import type { Contracts } from "./contract/contracts.ts";
import { describeLiquidation } from "./stream/liquidation-update.ts";

test("[BOT-1] the time of an event is never before the time of its transaction", () => {
  const contracts = { kind: { biz: "futures", symbolOf: () => "BTCUSDT" } } as unknown as Contracts;
  const contract = { pairCode: "BTC_USDT", faceValue: null } as unknown as ContractInfo;
  const report = { id: "1", side: "long", liquidatedQuantity: "1", averagePrice: "5", timeMs: 1_002 };
  const answer = (nowMs: number) =>
    describeLiquidation(contracts, contract, report as unknown as LiquidationReport, false, nowMs);
  expect(answer(1_000)).toMatchObject({ E: 1_002, T: 1_002 });
  expect(answer(1_005)).toMatchObject({ E: 1_005, T: 1_002 });
});
