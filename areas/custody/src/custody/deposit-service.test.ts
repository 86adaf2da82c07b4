// Deposits of several users that are due with one block.
import type { Network } from "@clockwork/kit/chains/network";
import { expect, test } from "vitest";
import { DepositService } from "./deposit-service.ts";
import type { CustodyStore, DepositRow } from "./store.ts";

const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 4,
  coins: [{ asset: "ETH", contract: null, decimals: 8, depositMin: "0", withdrawMin: "1", withdrawFee: "1" }],
};

const deposit = (id: string, user_id: number): DepositRow => ({
  deposit_id: id,
  network: "N",
  tx_hash: id,
  place: -1,
  user_id,
  address: "0xaa",
  sender: "0xbb",
  asset: "ETH",
  chain_units: "5",
  units: 5n,
  block_number: 9,
  block_hash: "h9",
  state: "CONFIRMING",
  round: 0,
  taken_units: 0n,
  taking_round: 0,
  repaid_units: 0n,
  seen_ms: 0,
  credited_ms: null,
  unlocked_ms: null,
});

test("[WAL-2] a slow credit delays no other user's, and a user's deposits are credited in order", async () => {
  const rows = [deposit("slow", 1), deposit("second", 1), deposit("other", 2)];
  const credited: string[] = [];
  const otherIsDone = Promise.withResolvers<void>();
  const store = {
    listOpen: async () => rows,
    step: async (row: DepositRow, { state }: Partial<DepositRow>) => {
      if (state !== "CREDITED") return true;
      credited.push(row.deposit_id);
      if (row.deposit_id === "other") otherIsDone.resolve();
      return true;
    },
    listEarlierDebts: async () => [],
    listLocks: async () => [],
  } as unknown as CustodyStore;
  const service = new DepositService({
    store,
    needs: {
      coins: { find: (symbol) => ({ asset: 1, symbol, scale: 8 }), worthUnits: () => 0n },
      ledger: {
        submit: async () => ({ done: true }),
        openAccount: async (userId) => {
          // The ledger answers this user only once the other has been served.
          if (userId === 1) await otherIsDone.promise;
          return 500 + userId;
        },
      },
      now: () => 1,
      notify: async () => undefined,
      report: () => undefined,
    },
  });
  expect([...(await service.progress(NETWORK, 9))]).toEqual([1, 2]);
  expect(credited).toEqual(["other", "slow", "second"]);
});
