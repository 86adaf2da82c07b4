// Payments over a chain that stands still: a stuck one is offered more under the same number, and whichever version is mined
// ends it, once.
import { PayoutService } from "@clockwork/domains/withdrawals/payout-service";
import type { SendingRow, SendingStore } from "@clockwork/domains/withdrawals/sending-store";
import type { WithdrawalRow, WithdrawStore } from "@clockwork/domains/withdrawals/store";
import type { Chain, Receipt } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import { expect, test } from "vitest";

const NETWORK: Network = {
  ...{ network: "N", name: "N", chainId: 1, isTest: true, blockSeconds: 1 },
  ...{ creditBlocks: 1, unlockBlocks: 2, finalBlocks: 4 },
  coins: [{ asset: "ETH", contract: null, decimals: 8, depositMin: "1", withdrawMin: "1", withdrawFee: "1" }],
};

/** Tables in memory, as far as a payment goes. */
function makeTables() {
  const rows: SendingRow[] = [];
  const withdrawal: { row: WithdrawalRow } = {
    row: {
      ...{ withdrawal_id: "w1", user_id: 7, client_id: "c", network: "N", address: "0xee", receiver_id: null },
      ...{ asset: "ETH", book: "spot", amount_units: 30n, fee_units: 1n, worth_units: 1n, state: "QUEUED" },
      ...{ is_settled: false, review: "", reviewer_id: null, reason: "", tx_hash: null, block_number: null },
      ...{ created_ms: 0, changed_ms: 0 },
    },
  };
  const sendings = {
    listOpen: async () => rows.filter(({ state }) => state === "OPEN"),
    lastNonce: async () => rows.at(-1)?.nonce,
    begin: async (row: SendingRow) => {
      rows.push(row);
      withdrawal.row = { ...withdrawal.row, state: "BROADCAST" };
      return true;
    },
    change: async ({ nonce }: SendingRow, values: Partial<SendingRow>) => {
      const at = rows.findIndex((row) => row.nonce === nonce);
      rows[at] = { ...(rows[at] as SendingRow), ...values };
    },
    listUncounted: async () => [],
  } as unknown as SendingStore;
  const withdrawals = {
    find: async () => withdrawal.row,
    listState: async (state: string) => (withdrawal.row.state === state ? [withdrawal.row] : []),
    stepWithdrawal: async (_: string, from: string, values: Partial<WithdrawalRow>) => {
      if (withdrawal.row.state !== from) return false;
      withdrawal.row = { ...withdrawal.row, ...values };
      return true;
    },
  } as unknown as WithdrawStore;
  return { rows, withdrawal, sendings, withdrawals };
}

function makeHouse() {
  const tables = makeTables();
  const at = { nowMs: 1_000 };
  const signed: { nonce: number; maxFee: bigint; tip: bigint }[] = [];
  const sent: string[] = [];
  const mined = new Map<string, Receipt>();
  let settled = 0;
  const chain = {
    fees: async () => ({ baseFee: 10n, tip: 2n }),
    hasCode: async () => false,
    head: async () => 9,
    countOf: async () => 5,
    balances: async () => [1_000_000n],
    receipts: async (hashes: readonly string[]) => hashes.map((hash) => mined.get(hash)),
    send: async (raw: string) => void sent.push(raw),
  } as unknown as Chain;
  const payouts = new PayoutService({
    ...tables,
    needs: {
      chains: {
        networks: [NETWORK],
        chain: () => chain,
        addressOf: () => undefined,
        checksumOf: (address) => address,
        house: () => ({ hot: "0xaa", cold: "0xbb" }),
      },
      coins: { find: (symbol) => ({ asset: 1, symbol, scale: 8 }), worthUnits: () => 1n },
      ledger: { submit: async () => ({ done: true }), openAccount: async () => 1, availableUnits: async () => 0n },
      now: () => at.nowMs,
      sign: async ({ nonce, maxFee, tip }) => {
        signed.push({ nonce, maxFee: BigInt(maxFee), tip: BigInt(tip) });
        return { raw: `raw${signed.length}`, hash: `0x${signed.length}` };
      },
      isPaused: () => false,
      settle: async () => {
        settled += 1;
        return true;
      },
      changed: () => undefined,
      tell: async () => undefined,
      report: () => undefined,
    },
  });
  return { ...tables, at, signed, sent, mined, payouts, settledCount: () => settled };
}

test("[WAL-2] a stuck payment is signed again with a higher fee under the same number, and ends once", async () => {
  const house = makeHouse();
  await house.payouts.turn(NETWORK, 9);
  expect(house.signed).toHaveLength(1);
  house.at.nowMs += 5_000;
  await house.payouts.turn(NETWORK, 9);
  expect(house.signed).toHaveLength(1);
  expect(house.sent).toEqual(["raw1", "raw1"]);
  house.at.nowMs += 20_000;
  await house.payouts.turn(NETWORK, 9);
  const [first, second] = house.signed;
  expect(second?.nonce).toBe(first?.nonce);
  // Nodes take a replacement from a tenth more on, of both figures.
  expect((second?.maxFee ?? 0n) * 10n).toBeGreaterThanOrEqual((first?.maxFee ?? 0n) * 11n);
  expect((second?.tip ?? 0n) * 10n).toBeGreaterThanOrEqual((first?.tip ?? 0n) * 11n);
  expect(house.rows.map(({ hashes }) => hashes)).toEqual(["0x1 0x2"]);
  house.mined.set("0x1", { blockNumber: 10, blockHash: "h", isDone: true, feeUnits: 3n });
  for (const head of [10, 11, 12, 13, 14]) await house.payouts.turn(NETWORK, head);
  expect(house.withdrawal.row).toMatchObject({ state: "DONE", tx_hash: "0x1" });
  expect(house.settledCount()).toBe(1);
  expect(house.rows).toHaveLength(1);
  expect(house.rows[0]).toMatchObject({ state: "DONE", fee_units: "3" });
});
