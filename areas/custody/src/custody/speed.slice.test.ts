// A withdrawal that waits for a block: its owner pays for a speed-up once, however often it is requested or
// interrupted.

import { FEES_ACCOUNT } from "@clockwork/core/protocol/names";
import { allOf } from "@clockwork/kit/all-of";
import type { Network } from "@clockwork/kit/chains/network";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import { SpeedService } from "../withdrawals/fee-service.ts";
import { maySpeedUp } from "../withdrawals/rules.ts";
import { type SendingRow, sendingStore } from "../withdrawals/sending-store.ts";
import { type WithdrawalRow, withdrawStore } from "../withdrawals/store.ts";
import { addWithdrawal } from "./withdrawal-fixture.ts";

const ACCOUNT = 500;
const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 4,
  coins: [{ asset: "ETH", contract: null, decimals: 8, depositMin: "1", withdrawMin: "1", withdrawFee: "0.00000004" }],
};

const WITHDRAWAL: WithdrawalRow = {
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
  state: "BROADCAST",
  is_settled: false,
  review: "",
  reviewer_id: null,
  reason: "",
  tx_hash: "0x1",
  block_number: null,
  created_ms: 0,
  changed_ms: 0,
  speed_ups: 0,
  speed_units: 0n,
  speed_state: "",
};
const SENDING: SendingRow = {
  network: "N",
  nonce: 1,
  key: "w1",
  asset: "ETH",
  receiver: "0xee",
  chain_units: "26",
  gas: "21000",
  max_fee: "10",
  tip: "1",
  hashes: "0x1",
  raw: "raw",
  state: "OPEN",
  block_number: null,
  fee_units: "0",
  is_success: false,
  is_counted: false,
  begun_ms: 1,
  sent_ms: 900,
};

type Move = { account: number; to: number; units: number; reference: string };

forMigrated("sqlite", "speeding up", (database) => {
  test("[WAL-1] a stuck withdrawal is sped up by its owner, who pays once, and nothing for what was mined since", async () => {
    const { kysely } = database.database();
    const [withdrawals, sendings] = [withdrawStore(kysely), sendingStore(kysely)];
    const balances = new Map([[ACCOUNT, 10]]);
    const seen = new Set<string>();
    const at = { nowMs: 1_000, stops: false };
    const service = new SpeedService({
      withdrawals,
      sendings,
      needs: {
        chains: {
          networks: [NETWORK],
          chain: () => {
            throw new Error("nothing is sent here");
          },
          addressOf: () => undefined,
          checksumOf: (address) => address,
          house: () => undefined,
        },
        coins: { find: (symbol) => ({ asset: 1, symbol, scale: 8 }), worthUnits: () => 1n },
        ledger: {
          submit: async (command) => {
            const { account, to, units, reference } = command as unknown as Move;
            if (seen.has(reference)) return { done: true };
            const left = (balances.get(account) ?? 0) - units;
            if (left < 0) return { done: false, code: "INSUFFICIENT_BALANCE" };
            seen.add(reference);
            balances.set(account, left);
            balances.set(to, (balances.get(to) ?? 0) + units);
            if (at.stops) throw new Error("the process ends here");
            return { done: true };
          },
          openAccount: async () => ACCOUNT,
          availableUnits: async () => 0n,
        },
        now: () => at.nowMs,
        wake: () => undefined,
        changed: () => undefined,
      },
    });
    const held = () => [balances.get(ACCOUNT), balances.get(FEES_ACCOUNT) ?? 0];
    const find = async () => (await withdrawals.find("w1")) as WithdrawalRow;
    expect(await addWithdrawal(kysely, WITHDRAWAL, 1_000n)).toBe("added");
    await sendings.beginOwn(SENDING);

    // Too early, and another user's.
    expect(await service.speedUp(7, "w1")).toMatchObject({ code: "WITHDRAWAL_NOT_STUCK" });
    expect(await service.speedUp(8, "w1")).toMatchObject({ code: "WITHDRAWAL_UNKNOWN" });
    at.nowMs = 3_000;
    expect(maySpeedUp(await find(), NETWORK, at.nowMs)).toBe(true);
    const answer = await Promise.all(Array.from({ length: 8 }, () => service.speedUp(7, "w1")));
    expect(allOf(answer, (one) => one.done)).toBe(true);
    expect(held()).toEqual([6, 4]);
    expect(await find()).toMatchObject({ speed_ups: 1, speed_units: 4n, speed_state: "" });
    expect((await sendings.listOpen("N"))[0]?.sent_ms).toBe(0);

    // The process stops after the ledger took the second fee; the payment is mined before it resumes.
    at.nowMs = 6_000;
    at.stops = true;
    await expect(service.speedUp(7, "w1")).rejects.toThrow("the process ends here");
    at.stops = false;
    expect(held()).toEqual([2, 8]);
    await sendings.change(SENDING, { block_number: 9 });
    await service.resume();
    expect(held()).toEqual([6, 4]);
    expect(await find()).toMatchObject({ speed_units: 4n, speed_state: "" });

    // A user who cannot pay is refused and may retry.
    await sendings.change(SENDING, { block_number: null });
    balances.set(ACCOUNT, 3);
    at.nowMs = 9_000;
    const before = (await find()).speed_ups;
    expect(await service.speedUp(7, "w1")).toMatchObject({ done: false, code: "INSUFFICIENT_BALANCE" });
    expect(await find()).toMatchObject({ speed_ups: before, speed_state: "" });
    expect(held()).toEqual([3, 4]);
  });
});
