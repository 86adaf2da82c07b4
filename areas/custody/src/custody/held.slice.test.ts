// Withdrawals that wait behind many of frozen accounts, on both databases.

import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import { ReviewService } from "../withdrawals/review-service.ts";
import type { WithdrawService } from "../withdrawals/service.ts";
import { type WithdrawalRow, withdrawStore } from "../withdrawals/store.ts";
import { addWithdrawal } from "./withdrawal-fixture.ts";

const FROZEN = 7;
const FREE = 8;

function rowOf(id: string, userId: number): WithdrawalRow {
  return {
    withdrawal_id: id,
    user_id: userId,
    client_id: id,
    network: "N",
    address: "0xee",
    receiver_id: null,
    asset: "ETH",
    book: "spot",
    amount_units: 30n,
    fee_units: 4n,
    worth_units: 1n,
    state: "REVIEW",
    is_settled: false,
    review: "first,held",
    reviewer_id: null,
    reason: "",
    tx_hash: null,
    block_number: null,
    created_ms: 0,
    changed_ms: 0,
    speed_ups: 0,
    speed_units: 0n,
    speed_state: "",
  };
}

forEachMigrated("withdrawals held for their owner", (database) => {
  test("[WAL-2] withdrawals behind many of frozen accounts continue when their own owner is free, repeatedly", async () => {
    const { kysely } = database.database();
    const store = withdrawStore(kysely);
    const review = new ReviewService({
      store,
      withdrawals: {} as WithdrawService,
      needs: {
        now: () => 1,
        hasSimulatedReviewer: false,
        wake: () => undefined,
        changed: () => undefined,
        signer: () => ({}) as never,
        isHeld: async (userId) => userId === FROZEN,
      },
    });
    for (let at = 0; at < 250; at++) await addWithdrawal(kysely, rowOf(`a${String(at).padStart(3, "0")}`, FROZEN));
    for (const id of ["b1", "b2"]) {
      await addWithdrawal(kysely, rowOf(id, FREE));
      for (let turn = 0; turn < 5; turn++) await review.resume();
      expect(await store.find(id)).toMatchObject({ state: "QUEUED", review: "first" });
    }
    expect(await store.find("a000")).toMatchObject({ state: "REVIEW", review: "first,held" });
  });
});
