// The reconciliation of chain and ledger over a chain whose hot wallet outsiders may send to.
import type { Chain } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import { expect, test } from "vitest";
import { ReconcileService } from "./reconcile-service.ts";
import type { MinedRow, SendingStore } from "./sending-store.ts";
import type { UnclaimedRow, UnclaimedStore } from "./store.ts";

const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 4,
  coins: [{ asset: "ETH", contract: null, decimals: 8, depositMin: "1", withdrawMin: "1", withdrawFee: "1" }],
};

function makeHouse() {
  const at = { nowMs: 1_000, block: 10, branch: "a", hot: 60n, cold: 40n, ledger: 100n };
  const mined: MinedRow[] = [];
  /** Events while the chain is read, while the ledger's tables catch up, and before the next attempt. */
  const during = { chain: () => {}, ledger: () => {}, rest: () => {} };
  const gifts: UnclaimedRow[] = [];
  const paused: string[] = [];
  const reported: string[] = [];
  const chain = {
    hashAt: async (number: number) => `${at.branch}${number}`,
    balances: async (asks: readonly { address: string }[]) => {
      const held = asks.map(({ address }) => (address === "0xaa" ? at.hot : at.cold));
      during.chain();
      return held;
    },
  } as unknown as Chain;
  const service = new ReconcileService({
    store: {
      listAll: async () => [],
      issuedUnits: async () => new Map([[1, at.ledger]]),
    },
    sendings: {
      listMined: async () => [...mined],
      readGas: async () => ({ network: "N", chain_units: "0", posted_units: 0n }),
    } as unknown as SendingStore,
    gifts: {
      listUnclaimed: async () => [...gifts].reverse(),
      addUnclaimed: async (row) => void gifts.push(row),
      changeUnclaimed: async ({ seen_ms }, values) => {
        const index = gifts.findIndex((row) => row.seen_ms === seen_ms && !row.is_kept);
        if (index < 0) return;
        if (values.fine_units === "0") gifts.splice(index, 1);
        else gifts[index] = { ...(gifts[index] as UnclaimedRow), ...values };
      },
    } satisfies UnclaimedStore,
    needs: {
      chains: {
        networks: [NETWORK],
        chain: () => chain,
        addressOf: () => undefined,
        checksumOf: (address) => address,
        house: () => ({ hot: "0xaa", cold: "0xbb" }),
      },
      coins: { find: (symbol) => ({ asset: 1, symbol, scale: 8 }), worthUnits: () => 1n },
      now: () => at.nowMs,
      standing: () => ({ number: at.block, hash: `a${at.block}` }),
      settled: async () => during.ledger(),
      moveFees: async () => ({ paid: 0n, postedUnits: 0n, uncounted: 0n }),
      rest: async () => during.rest(),
      pause: async (network) => void paused.push(network),
      show: () => undefined,
      report: (fact) => void reported.push(fact),
    },
  });
  return { at, mined, during, gifts, paused, reported, service };
}

test("[WAL-2] one unit an outsider sends to the hot or cold wallet is an unsolicited deposit and pauses nothing", async () => {
  const { at, paused, reported, service } = makeHouse();
  expect((await service.run())?.isWhole).toBe(true);
  at.hot += 1n;
  const answer = await service.run();
  expect(answer).toMatchObject({ isWhole: true, assets: [{ asset: "ETH", gifts: "0.00000001", difference: "0" }] });
  at.nowMs += 1;
  at.cold += 2n;
  expect((await service.run())?.isWhole).toBe(true);
  expect(paused).toEqual([]);
  expect(reported).toEqual(["custody.gift", "custody.gift"]);
  expect((await service.listUnclaimed()).map(({ amount }) => amount)).toEqual(["0.00000002", "0.00000001"]);
  // Reconciled again it is the same unsolicited deposit.
  await service.run();
  expect(await service.listUnclaimed()).toHaveLength(2);
});

test("[WAL-2] a shortage pauses, also when an unsolicited deposit of the same size came before", async () => {
  const { at, paused, service } = makeHouse();
  at.hot -= 1n;
  expect(await service.run()).toMatchObject({ isWhole: false, assets: [{ difference: "-0.00000001" }] });
  expect(paused).toEqual(["N"]);
  at.hot += 6n;
  expect((await service.run())?.isWhole).toBe(true);
  at.nowMs += 3_600_000;
  at.block += 4;
  await service.run();
  expect(await service.listUnclaimed()).toMatchObject([{ amount: "0.00000005", isKept: true }]);
  at.hot -= 5n;
  expect(await service.run()).toMatchObject({ isWhole: false, assets: [{ difference: "-0.00000005" }] });
  expect(paused).toEqual(["N", "N"]);
});

test("[WAL-2] an unsolicited deposit whose block is replaced, or which is explained a moment later, is removed without an alarm", async () => {
  const { at, gifts, paused, service } = makeHouse();
  at.hot += 5n;
  await service.run();
  at.hot -= 3n;
  expect(await service.run()).toMatchObject({ isWhole: true, assets: [{ gifts: "0.00000002" }] });
  at.ledger += 2n;
  expect((await service.run())?.isWhole).toBe(true);
  expect(gifts).toEqual([]);
  // Deep enough, but too recent: it may still be explained.
  at.hot += 1n;
  await service.run();
  at.block += 100;
  await service.run();
  expect(gifts).toMatchObject([{ is_kept: false }]);
  expect(paused).toEqual([]);
});

const payment = (nonce: number, values: Partial<MinedRow>): MinedRow => ({
  nonce,
  place: 0,
  block_number: 10,
  asset: "ETH",
  chain_units: "10",
  fee_units: "0",
  is_success: true,
  is_ended: false,
  is_counted: false,
  is_settled: false,
  state: "CONFIRMING",
  ...values,
});

test("[WAL-2] the ledger's tables are awaited: rows they do not hold yet are not missing", async () => {
  const { at, mined, during, paused, service } = makeHouse();
  mined.push(payment(1, { state: "DONE", is_settled: true }));
  at.hot -= 10n;
  during.ledger = () => {
    at.ledger = 90n;
  };
  expect(await service.run()).toMatchObject({ isWhole: true, assets: [{ ledger: "0.0000009", moving: "0" }] });
  expect(paused).toEqual([]);
});

test("[WAL-2] payments that end during every attempt of the reconciliation pause nothing; a shortage beyond them does", async () => {
  const { at, mined, during, paused, gifts, service } = makeHouse();
  let nonce = 0;
  const queue = (): void => {
    mined.splice(0, mined.length, payment(nonce, {}));
    at.hot -= 10n;
    nonce += 1;
  };
  queue();
  // Done, sent to the ledger and stored after the tables were read and before the ledger was.
  during.chain = () => {
    mined[0] = payment(nonce - 1, { state: "DONE", is_settled: true });
    at.ledger -= 10n;
  };
  during.rest = queue;
  expect(await service.run()).toMatchObject({ isWhole: true, assets: [{ moving: "0.0000001", difference: "0" }] });
  expect([paused, gifts]).toEqual([[], []]);
  queue();
  at.hot -= 21n;
  expect(await service.run()).toMatchObject({ isWhole: false, assets: [{ moving: "0", difference: "-0.00000011" }] });
  expect(paused).toEqual(["N"]);
});

test("[WAL-2] if the block read was replaced, nothing is compared", async () => {
  const { at, during, paused, service } = makeHouse();
  during.chain = () => {
    at.branch = "b";
    at.hot -= 5n;
  };
  expect(await service.run()).toBeUndefined();
  expect(paused).toEqual([]);
});

test("[WAL-2] what the ledger received and is above the block, or in none again, is no unsolicited deposit", async () => {
  for (const block_number of [11, null]) {
    const { at, mined, gifts, service } = makeHouse();
    mined.push(payment(1, { block_number, state: "DONE", is_settled: true }));
    at.ledger -= 10n;
    expect(await service.run()).toMatchObject({ isWhole: true, assets: [{ leaving: "-0.0000001", gifts: "0" }] });
    expect(gifts).toEqual([]);
  }
});
