// The checks of a withdrawal before anything is frozen, over a store in memory.
import type { Network } from "@clockwork/kit/chains/network";
import { done } from "@clockwork/kit/result";
import { expect, test } from "vitest";
import { WithdrawService } from "./service.ts";
import type { WithdrawalRow, WithdrawStore } from "./store.ts";

const NETWORK: Network = {
  ...{ network: "N", name: "N", chainId: 1, isTest: true, blockSeconds: 1 },
  ...{ creditBlocks: 1, unlockBlocks: 2, finalBlocks: 4 },
  coins: [{ asset: "ODD", contract: null, decimals: 8, depositMin: "1", withdrawMin: "1", withdrawFee: "0.1" }],
};
const ASKER = { userId: 7, isKey: false, prove: async () => done(null) };
const WISH = { asset: "ODD", network: "N", address: `0x${"ab".repeat(20)}`, amount: "5", clientId: "c" };

function makeDesk() {
  const at: { worth: bigint | undefined } = { worth: undefined };
  const rows: WithdrawalRow[] = [];
  const held: string[] = [];
  const store = {
    findIntent: async (_: number, clientId: string) => rows.find(({ client_id }) => client_id === clientId),
    findSaved: async () => undefined,
    isWhitelist: async () => false,
    hasDone: async () => true,
    add: async (row: WithdrawalRow) => {
      rows.push(row);
      return "added";
    },
    find: async (id: string) => rows.find((row) => row.withdrawal_id === id),
    stepWithdrawal: async (id: string, from: string, values: Partial<WithdrawalRow>) => {
      const index = rows.findIndex((row) => row.withdrawal_id === id && row.state === from);
      if (index < 0) return false;
      rows[index] = { ...(rows[index] as WithdrawalRow), ...values };
      return true;
    },
  } as unknown as WithdrawStore;
  const service = new WithdrawService({
    store,
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
      coins: { find: (symbol) => ({ asset: 1, symbol, scale: 8 }), worthUnits: () => at.worth },
      ledger: {
        submit: async ({ kind }) => {
          held.push(kind);
          return { done: true };
        },
        openAccount: async () => 1,
        availableUnits: async () => 0n,
      },
      now: () => 1_000,
      limitOf: async () => "1000",
      levelOf: async () => 2,
      listLocks: async () => [],
      protection: async () => ({ hasTradePassword: true, hasPasskeys: false, codeBy: "email" }),
      addressProblem: () => undefined,
      ownerOf: async () => undefined,
      findUser: async () => 8,
      confirmationsOf: () => 0,
      isPaused: () => false,
      randomId: () => `id${rows.length}`,
      wake: () => undefined,
      changed: () => undefined,
    },
  });
  return { at, rows, held, service };
}

test("[WAL-2] a coin without a price is refused in both ways out, nothing is frozen, and it is no limit of zero", async () => {
  const { at, rows, held, service } = makeDesk();
  expect(await service.apply(ASKER, WISH)).toMatchObject({ done: false, code: "NO_REFERENCE_PRICE" });
  const inside = { asset: "ODD", amount: "5", clientId: "t", to: "somebody" };
  expect(await service.transfer(ASKER, inside)).toMatchObject({ done: false, code: "NO_REFERENCE_PRICE" });
  expect([rows, held]).toEqual([[], []]);
  at.worth = 12_000_000n;
  expect(await service.apply(ASKER, WISH)).toMatchObject({ done: true });
  expect(rows).toMatchObject([{ worth_units: 12_000_000n }]);
  // What was taken stays taken, whatever became of the price.
  at.worth = undefined;
  expect(await service.apply(ASKER, WISH)).toMatchObject({ done: true, value: { withdrawal_id: "id0" } });
});
