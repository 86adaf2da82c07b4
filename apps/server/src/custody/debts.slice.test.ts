// What a reorganisation left owed: repaid by the next credits to the unit, once, whatever stops in between; and every lock it
// brought is lifted with the last of it, not before.
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { DepositService } from "@clockwork/domains/custody/deposit-service";
import { custodyStore, type DepositRow } from "@clockwork/domains/custody/store";
import type { Network } from "@clockwork/kit/chains/network";
import { expect, test } from "vitest";
import { forEachMigrated } from "../storage/test-databases.ts";

const ACCOUNT = 500;
const NETWORK: Network = {
  ...{ network: "N", name: "N", chainId: 1, isTest: true, blockSeconds: 1 },
  ...{ creditBlocks: 1, unlockBlocks: 2, finalBlocks: 90 },
  coins: [{ asset: "ETH", contract: null, decimals: 8, depositMin: "0", withdrawMin: "1", withdrawFee: "1" }],
};

type Move = { account: number; units: number };
interface Sent {
  readonly kind: string;
  readonly reference: string;
  readonly account?: number;
  readonly units?: number;
  readonly restriction?: string;
  readonly legs?: readonly { from: number; to: number; units: number }[];
}

/** As the core does it: a reference counts once, and is refused with another content. */
function makeLedger() {
  const balances = new Map<number, number>([[RESERVES_ACCOUNT, 1_000]]);
  const seen = new Map<string, string>();
  const locks = new Set<string>();
  const stopAfter: { reference?: string } = {};
  const add = ({ account, units }: Move): void => void balances.set(account, (balances.get(account) ?? 0) + units);
  const movesOf = ({ kind, account = 0, units = 0, legs = [] }: Sent): readonly Move[] => {
    if (kind === "mint") return [{ account, units }];
    if (kind === "burn") return [{ account, units: -units }];
    return legs.flatMap((leg) => [
      { account: leg.from, units: -leg.units },
      { account: leg.to, units: leg.units },
    ]);
  };
  const apply = (sent: Sent): { done: boolean; code?: string } => {
    const content = JSON.stringify(sent);
    const known = seen.get(sent.reference);
    if (known !== undefined) return known === content ? { done: true } : { done: false, code: "REFERENCE_REUSED" };
    const moves = movesOf(sent);
    const after = new Map(balances);
    for (const { account, units } of moves) after.set(account, (after.get(account) ?? 0) + units);
    if ([...after.values()].some((units) => units < 0)) return { done: false, code: "INSUFFICIENT_BALANCE" };
    if (sent.kind === "restrict") locks.add(sent.reference);
    if (sent.kind === "unrestrict") locks.delete(sent.restriction ?? "");
    for (const move of moves) add(move);
    seen.set(sent.reference, content);
    return { done: true };
  };
  return {
    ...{ balances, locks, stopAfter },
    of: (account: number) => balances.get(account) ?? 0,
    needs: {
      submit: async (command: object) => {
        const sent = command as Sent;
        const told = apply(sent);
        if (sent.reference === stopAfter.reference) {
          delete stopAfter.reference;
          throw new Error("the process ends here");
        }
        return told;
      },
      openAccount: async () => ACCOUNT,
      availableUnits: async () => BigInt(balances.get(ACCOUNT) ?? 0),
    },
  };
}

forEachMigrated("debts of reorganisations", (database) => {
  test("[WAL-2] two debts: repaid exactly once through a stop, and both locks end with the last unit", async () => {
    const { kysely } = database.database();
    const store = custodyStore(kysely);
    const ledger = makeLedger();
    const told: string[] = [];
    const service = new DepositService({
      store,
      needs: {
        coins: { find: (symbol) => ({ asset: 1, symbol, scale: 8 }), worthUnits: () => 1n },
        ledger: ledger.needs,
        now: () => 1,
        tell: async (row, what) => void told.push(`${row.deposit_id} ${what}`),
        report: (fact, fields) => void told.push(`${fact} ${JSON.stringify(fields)}`),
      },
    });
    const arrive = (id: string, units: bigint, block: number): Promise<void> => {
      const row: DepositRow = {
        ...{ deposit_id: id, network: "N", tx_hash: id, place: 0, user_id: 7, address: "0xa", sender: "0xb" },
        ...{ asset: "ETH", chain_units: units.toString(), units, block_number: block, block_hash: `h${block}` },
        ...{ state: "CONFIRMING", round: 0, taken_units: 0n, taking_round: 0, repaid_units: 0n, seen_ms: 1 },
        ...{ credited_ms: null, unlocked_ms: null },
      };
      const blocks = [{ number: block, hash: `h${block}` }];
      return store.keepFound({ network: "N", blocks, deposits: [row], unknown: [], timeMs: 1, finalNumber: 0 });
    };
    const blocksOf = () => [...ledger.locks].filter((name) => name.endsWith(":b"));

    // Two deposits are spent and then replaced.
    await arrive("a", 100n, 10);
    await arrive("b", 60n, 11);
    await service.progress(NETWORK, 20);
    expect(ledger.of(ACCOUNT)).toBe(160);
    ledger.balances.set(ACCOUNT, 0);
    await store.dropBlocks("N", 9, "h9");
    await service.progress(NETWORK, 9);
    expect(ledger.of(RESERVES_ACCOUNT)).toBe(840);
    expect(blocksOf()).toHaveLength(2);

    // The next credit repays a part; the process stops after the ledger did it.
    await arrive("c", 90n, 12);
    ledger.stopAfter.reference = "d:c:0";
    await expect(service.progress(NETWORK, 12)).rejects.toThrow("the process ends here");
    // Another one is credited before the first goes on.
    await arrive("d", 40n, 13);
    await service.progress(NETWORK, 13);
    expect([ledger.of(ACCOUNT), ledger.of(RESERVES_ACCOUNT)]).toEqual([0, 970]);
    expect(blocksOf()).toHaveLength(2);
    await arrive("e", 50n, 14);
    await service.progress(NETWORK, 14);
    expect([ledger.of(ACCOUNT), ledger.of(RESERVES_ACCOUNT)]).toEqual([20, 1_000]);
    expect(blocksOf()).toEqual([]);
    await service.progress(NETWORK, 30);
    expect([ledger.of(ACCOUNT), ledger.of(RESERVES_ACCOUNT)]).toEqual([20, 1_000]);
    expect(ledger.locks).toEqual(new Set());
    expect(told.filter((one) => one.endsWith("credited"))).toEqual(
      ["a", "b", "c", "d", "e"].map((id) => `${id} credited`),
    );
    expect(told.filter((one) => one.includes("refused"))).toEqual([]);
  });
});
