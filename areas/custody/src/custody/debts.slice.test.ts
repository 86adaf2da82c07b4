// Debt left by a reorganisation: sent to the ledger once, whatever stops in between, and repaid by the next credit.
import { readDebts } from "@clockwork/core/inspect/debts";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { coreOf } from "@clockwork/core/machine/machine";
import type { Command } from "@clockwork/core/protocol/command";
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { eventsOf } from "@clockwork/core/testing/driver";
import { createStage } from "@clockwork/core/testing/stage";
import type { Network } from "@clockwork/kit/chains/network";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import { DepositService } from "./deposit-service.ts";
import { custodyStore, type DepositRow } from "./store.ts";

const USER = 7;
const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 90,
  coins: [{ asset: "ETH", contract: null, decimals: 8, depositMin: "0", withdrawMin: "1", withdrawFee: "1" }],
};

/** The core itself; the process may end right after a command of a reference was applied. */
function makeLedger() {
  const stage = createStage({ anchorTicks: 1_000 });
  const account = stage.trader(0, 0, { user: USER });
  const asset = stage.base;
  const mint = { kind: "mint", asset, business: "deposit" } as const;
  stage.send({ ...mint, account: RESERVES_ACCOUNT, units: 1_000, reference: "genesis" });
  const stopAfter: { reference?: string } = {};
  const { ledger } = coreOf(stage.machine);
  const send = async (command: Command) => {
    const [rejected] = eventsOf(stage.send(command), "rejected");
    expect(checkInvariants(stage.machine)).toEqual([]);
    if ("reference" in command && command.reference === stopAfter.reference) {
      delete stopAfter.reference;
      throw new Error("the process ends here");
    }
    return rejected === undefined ? { done: true } : { done: false, code: rejected.code };
  };
  return {
    stage,
    account,
    asset,
    stopAfter,
    send,
    of: (held: number) => ledger.available(ledger.cellOf(held, asset)),
    owed: () => readDebts(stage.machine, USER).reduce((sum, { owedUnits }) => sum + owedUnits, 0),
    /** Everything the user has, spent on something else. */
    spend: () =>
      send({
        kind: "burn",
        account,
        asset,
        units: ledger.available(ledger.cellOf(account, asset)),
        business: "withdrawal",
        reference: `spent:${stage.machine.sequence}`,
      }),
    needs: { submit: send, openAccount: async () => account },
  };
}

type Ledger = ReturnType<typeof makeLedger>;

forEachMigrated("debts of reorganisations", (database) => {
  const open = (ledger: Ledger) => {
    const store = custodyStore(database.database().kysely);
    const answer: string[] = [];
    const service = new DepositService({
      store,
      needs: {
        coins: { find: (symbol) => ({ asset: ledger.asset, symbol, scale: 8 }), worthUnits: () => 1n },
        ledger: ledger.needs,
        now: () => 1,
        notify: async (row, what) => void answer.push(`${row.deposit_id} ${what}`),
        report: (fact, fields) => void answer.push(`${fact} ${JSON.stringify(fields)}`),
      },
    });
    const arrive = (id: string, units: bigint, block: number): Promise<void> => {
      const row: DepositRow = {
        deposit_id: id,
        network: "N",
        tx_hash: id,
        place: 0,
        user_id: USER,
        address: "0xa",
        sender: "0xb",
        asset: "ETH",
        chain_units: units.toString(),
        units,
        block_number: block,
        block_hash: `h${block}`,
        state: "CONFIRMING",
        round: 0,
        taken_units: 0n,
        taking_round: 0,
        repaid_units: 0n,
        seen_ms: 1,
        credited_ms: null,
        unlocked_ms: null,
      };
      const blocks = [{ number: block, hash: `h${block}` }];
      return store.keepFound({ network: "N", blocks, deposits: [row], unknown: [], timeMs: 1, finalNumber: 0 });
    };
    return { store, service, answer, arrive };
  };

  test("[WAL-2] two debts: owed once despite a stop, repaid by every credit, and the surplus is the user's", async () => {
    const ledger = makeLedger();
    const { store, service, answer, arrive } = open(ledger);
    // Two deposits are spent and then replaced; the process stops after the ledger knew the first debt.
    await arrive("a", 100n, 10);
    await arrive("b", 60n, 11);
    await service.progress(NETWORK, 20);
    expect(ledger.of(ledger.account)).toBe(160);
    await ledger.spend();
    await store.dropBlocks("N", 9, "h9");
    ledger.stopAfter.reference = "d:a:0:o";
    await expect(service.progress(NETWORK, 9)).rejects.toThrow("the process ends here");
    await service.progress(NETWORK, 9);
    expect([ledger.of(RESERVES_ACCOUNT), ledger.owed()]).toEqual([840, 160]);

    // The next credit repays a part; the process stops after the ledger did it.
    await arrive("c", 90n, 12);
    ledger.stopAfter.reference = "d:c:0";
    await expect(service.progress(NETWORK, 12)).rejects.toThrow("the process ends here");
    await arrive("d", 40n, 13);
    await service.progress(NETWORK, 13);
    expect([ledger.of(ledger.account), ledger.of(RESERVES_ACCOUNT), ledger.owed()]).toEqual([0, 970, 30]);
    await arrive("e", 50n, 14);
    await service.progress(NETWORK, 14);
    await service.progress(NETWORK, 30);
    expect([ledger.of(ledger.account), ledger.of(RESERVES_ACCOUNT), ledger.owed()]).toEqual([20, 1_000, 0]);
    expect(answer.filter((one) => one.endsWith("credited"))).toEqual(
      ["a", "b", "c", "d", "e"].map((id) => `${id} credited`),
    );
    expect(answer.filter((one) => one.includes("refused"))).toEqual([]);
  });

  test("[WAL-2] debts of an earlier release become the ledger's, once, and their locks are lifted", async () => {
    const ledger = makeLedger();
    const { service, arrive } = open(ledger);
    const { kysely } = database.database();
    const tables = kysely.$extendTables<{ custody_debt: object; custody_lock: object }>();
    const owner = { user_id: USER, asset: "ETH" };
    await tables
      .insertInto("custody_debt")
      .values({ ...owner, owed_units: 70n, restriction: null })
      .execute();
    await tables
      .insertInto("custody_lock")
      .values({ ...owner, restriction: "old:b" })
      .execute();
    await ledger.send({ kind: "restrict", user: USER, units: 1_000, reference: "old:b" });
    ledger.stopAfter.reference = `owed:${USER}:${ledger.asset}`;
    await expect(service.progress(NETWORK, 1)).rejects.toThrow("the process ends here");
    await service.progress(NETWORK, 1);
    await service.progress(NETWORK, 1);
    expect(ledger.owed()).toBe(70);
    await arrive("f", 100n, 40);
    await service.progress(NETWORK, 50);
    await service.progress(NETWORK, 50);
    expect([ledger.of(ledger.account), ledger.owed()]).toEqual([30, 0]);
    const away = {
      kind: "burn",
      account: ledger.account,
      asset: ledger.asset,
      units: 30,
      business: "withdrawal",
    } as const;
    expect(await ledger.send({ ...away, outgoing: true, reference: "away" })).toEqual({ done: true });
  });
});
