// Rules of the treasury: balances left to sweep, the effect of moves on an address, and when the hot wallet is low.
import { expect, test } from "vitest";
import { leftToSweep, levelOf, nativeMoved } from "./rules.ts";
import type { MoveRow } from "./store.ts";

const move = (values: Partial<MoveRow>): MoveRow => ({
  network: "N",
  sender: "0xa",
  nonce: 0,
  kind: "sweep",
  user_id: 1,
  asset: "USDT",
  chain_units: "0",
  gas: "0",
  max_fee: "0",
  tip: "0",
  hashes: "",
  raw: "",
  state: "DONE",
  block_number: 5,
  fee_units: "0",
  is_success: true,
  is_counted: false,
  begun_ms: 0,
  sent_ms: 0,
  ...values,
});
const deposit = (address: string, asset: string, chain_units: string) => ({ address, user_id: 1, asset, chain_units });

test("[WAL-2] swept balances and those being swept are not swept again; failed ones are", () => {
  const deposits = [deposit("0xa", "USDT", "30"), deposit("0xa", "USDT", "12"), deposit("0xb", "USDT", "5")];
  const moves = [
    move({ chain_units: "30" }),
    move({ chain_units: "5", sender: "0xb", state: "OPEN", is_success: false }),
    move({ chain_units: "7", state: "FAILED", is_success: false }),
  ];
  expect(leftToSweep(deposits, moves)).toEqual([{ address: "0xa", asset: "USDT", userId: 1, units: 12n }]);
});

test("[WAL-2] a sweep takes the coin and its fee from an address, a failed one only the fee, an unmined one nothing", () => {
  const moves = [
    move({ asset: "ETH", chain_units: "100", fee_units: "3" }),
    move({ asset: "ETH", chain_units: "50", fee_units: "2", is_success: false }),
    move({ asset: "ETH", chain_units: "50", fee_units: "9", block_number: null }),
    move({ chain_units: "50", fee_units: "4", block_number: 9 }),
  ];
  expect(nativeMoved(moves, "ETH", 8).get("0xa")).toBe(-105n);
});

test("[WAL-2] the hot wallet is low below a twentieth of all there is, and filled up to a tenth", () => {
  expect(levelOf(10n, 90n, 0n)).toEqual({ low: 5n, refill: 0n, isLow: false });
  expect(levelOf(4n, 90n, 6n)).toEqual({ low: 5n, refill: 6n, isLow: true });
  expect(levelOf(0n, 3n, 97n)).toEqual({ low: 5n, refill: 3n, isLow: true });
});
