// Why a frozen withdrawal is reviewed.
import { DAY_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { type VerifyNeeds, VerifyService } from "./review-service.ts";
import type { WithdrawalRow, WithdrawStore } from "./store.ts";

const NOW_MS = 100 * DAY_MS;
const ROW: WithdrawalRow = {
  withdrawal_id: "w1",
  user_id: 7,
  client_id: "c",
  network: "N",
  address: "0xee",
  receiver_id: null,
  asset: "ETH",
  book: "spot",
  amount_units: 30n,
  fee_units: 4n,
  worth_units: 1n,
  state: "VERIFY",
  is_settled: false,
  review: "",
  reviewer_id: null,
  reason: "",
  tx_hash: null,
  block_number: null,
  created_ms: NOW_MS,
  changed_ms: 0,
  speed_ups: 0,
  speed_units: 0n,
  speed_state: "",
};

function reasons(needs: Partial<VerifyNeeds>, recent: readonly WithdrawalRow[] = [ROW]): Promise<readonly string[]> {
  const store = { hasDone: async () => true, listSince: async () => recent } as unknown as WithdrawStore;
  const calm: VerifyNeeds = {
    now: () => NOW_MS,
    limitUnits: async () => 1_000n,
    createdMs: async () => 0,
    leftUnits: async () => 1_000n,
    isFlagged: async () => false,
  };
  return new VerifyService({ store, needs: { ...calm, ...needs } }).reasonsOf(ROW);
}

test("[WAL-2] a flagged address and a high risk require a review, normal behaviour does not, and a missing answer is no approval", async () => {
  expect(await reasons({})).toEqual([]);
  expect(await reasons({ isFlagged: async (_, address) => address === "0xee" })).toEqual(["flagged"]);
  const young = { createdMs: async () => NOW_MS - 60_000 };
  expect(await reasons(young)).toEqual([]);
  expect(await reasons({ ...young, leftUnits: async () => 0n })).toEqual(["risk"]);
  const many = Array.from({ length: 6 }, (_, at) => ({ ...ROW, address: `0x${at}` }));
  expect(await reasons({}, many)).toEqual(["risk"]);
  const away = { isFlagged: () => Promise.reject(new Error("the list does not answer")) };
  await expect(reasons(away)).rejects.toThrow("the list does not answer");
});
