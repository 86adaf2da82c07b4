// Many payments that start at once, in real tables: each number and each withdrawal once, and the input of the
// reconciliation.

import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import { type SendingRow, sendingStore } from "../withdrawals/sending-store.ts";
import { type WithdrawalRow, withdrawStore } from "../withdrawals/store.ts";
import { addWithdrawal } from "./withdrawal-fixture.ts";

const withdrawal = (id: string, state: WithdrawalRow["state"]): WithdrawalRow => ({
  withdrawal_id: id,
  user_id: 7,
  client_id: id,
  network: "N",
  address: "0xee",
  receiver_id: null,
  asset: "ETH",
  book: "spot",
  amount_units: 30n,
  fee_units: 4n,
  worth_units: 1n,
  state,
  is_settled: false,
  review: "",
  reviewer_id: null,
  reason: "",
  tx_hash: null,
  block_number: null,
  created_ms: 0,
  changed_ms: 0,
  speed_ups: 0,
  speed_units: 0n,
  speed_state: "",
});
const sending = (key: string, nonce: number): SendingRow => ({
  network: "N",
  nonce,
  key,
  asset: "ETH",
  receiver: "0xee",
  chain_units: "26",
  gas: "21000",
  max_fee: "10",
  tip: "1",
  hashes: "",
  raw: "",
  state: "OPEN",
  block_number: null,
  fee_units: "0",
  is_success: false,
  is_counted: false,
  begun_ms: 1,
  sent_ms: 0,
});

forEachMigrated("payments that begin together", (database) => {
  test("[WAL-2] only queued payments start, without a gap in the numbers; unsigned ones wait again", async () => {
    const { kysely } = database.database();
    const [withdrawals, sendings] = [withdrawStore(kysely), sendingStore(kysely)];
    for (const [id, state] of [["a", "QUEUED"] as const, ["b", "REVIEW"] as const, ["c", "QUEUED"] as const])
      await addWithdrawal(kysely, withdrawal(id, state));
    await addWithdrawal(kysely, withdrawal("d", "QUEUED"));
    const rows = ["a", "b", "c", "d"].map((key, at) => sending(key, 5 + at));
    const started = await sendings.begin(rows, [], 9);
    expect(started.map(({ key, nonce }) => `${key} ${nonce}`)).toEqual(["a 5", "c 6", "d 7"]);
    expect(await sendings.begin(rows, [], 9)).toEqual([]);
    const signed = started
      .slice(0, 2)
      .map((row) => ({ ...row, hashes: `0x${row.key}`, raw: `raw ${row.key}`, sent_ms: 11 }));
    await sendings.keepSigned(signed);
    await sendings.giveBack(started);
    expect(await sendings.listOpen("N")).toEqual(signed);
    const answer = async (id: string) => {
      const row = await withdrawals.find(id);
      return `${row?.state} ${row?.tx_hash}`;
    };
    // Only unsigned ones are returned to the queue.
    const all = [await answer("a"), await answer("b"), await answer("c"), await answer("d")];
    expect(all).toEqual(["BROADCAST 0xa", "REVIEW null", "BROADCAST 0xc", "QUEUED null"]);
    const again = await sendings.begin([sending("d", 7)], [], 12);
    expect(again.map(({ key, nonce }) => `${key} ${nonce}`)).toEqual(["d 7"]);
  });

  test("[WAL-2] the reconciliation reads payments up to its block, and all that the ledger received", async () => {
    const { kysely } = database.database();
    const [withdrawals, sendings] = [withdrawStore(kysely), sendingStore(kysely)];
    const network = "M";
    for (const [at, id] of ["m0", "m1", "m2", "m3"].entries()) {
      await addWithdrawal(kysely, { ...withdrawal(id, "QUEUED"), network });
      await sendings.begin([{ ...sending(id, at), network }], [], 9);
    }
    await sendings.change({ network, nonce: 0 }, { block_number: 10, is_success: true });
    await sendings.change({ network, nonce: 1 }, { block_number: 11, is_success: true });
    await sendings.change({ network, nonce: 2 }, { block_number: 11, state: "FAILED" });
    await sendings.change({ network, nonce: 3 }, { block_number: 11 });
    await withdrawals.stepWithdrawal("m1", "BROADCAST", { state: "DONE" });
    const rows = (await sendings.listMined(network, 10)).toSorted((left, right) => left.nonce - right.nonce);
    expect(rows.map(({ nonce, state, is_ended }) => ({ nonce, state, is_ended }))).toEqual([
      { nonce: 0, state: "BROADCAST", is_ended: false },
      { nonce: 1, state: "DONE", is_ended: false },
      { nonce: 2, state: "BROADCAST", is_ended: true },
    ]);
  });
});
