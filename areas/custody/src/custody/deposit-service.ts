// Moves deposits through their states: credited once with enough confirmations, withdrawable with more, taken back when
// their block was replaced. Every movement is an idempotent command of the ledger, stored as an intent first.

import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { Coins, CustodyCoin } from "@clockwork/kit/chains/chain";
import { inGroups } from "@clockwork/kit/chains/in-groups";
import type { Network } from "@clockwork/kit/chains/network";
import { coinOf, confirmationsOf } from "@clockwork/kit/chains/network";
import { parseUnits, toCoreUnits, units } from "@clockwork/kit/money";
import type { LedgerAnswer, LedgerNeeds } from "../withdrawals/needs.ts";
import { referenceOf } from "./rules.ts";
import type { CustodyStore, DepositRow } from "./store.ts";

export interface DepositNeeds {
  readonly coins: Coins;
  readonly ledger: Pick<LedgerNeeds, "submit" | "openAccount">;
  readonly now: () => number;
  notify(row: DepositRow, what: "credited" | "taken", timeMs: number): Promise<void>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}

/** Deposits of this many users are processed concurrently: when a block credits many, the last of them wait. */
const TOGETHER = 10;

interface Place {
  readonly coin: CustodyCoin;
  readonly account: number;
}

export class DepositService {
  readonly #store: CustodyStore;
  readonly #needs: DepositNeeds;

  constructor({ store, needs }: { readonly store: CustodyStore; readonly needs: DepositNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** Processes everything on a network due at the newest block. Returns the users whose lists changed. */
  async progress(network: Network, head: number): Promise<ReadonlySet<number>> {
    const rows = await this.#store.listOpen(network.network);
    const kept = this.#keptEnough(network, head, rows);
    const own = Map.groupBy(rows, ({ user_id }) => user_id);
    await this.#handOver();
    // One after the other per user.
    const progress = async (userId: number): Promise<void> => {
      for (const row of own.get(userId) ?? []) {
        const count = confirmationsOf(row.block_number, head);
        await this.#progressOne(row, network, count, kept.has(row.deposit_id));
      }
    };
    const users = [...own.keys()];
    await inGroups(users, TOGETHER, progress);
    return new Set(users);
  }

  /** Small deposits that together reach the minimum all count. */
  #keptEnough(network: Network, head: number, rows: readonly DepositRow[]): ReadonlySet<string> {
    const groups = new Map<string, { sum: bigint; ids: string[]; min: bigint }>();
    for (const row of rows) {
      const isDue = confirmationsOf(row.block_number, head) >= network.creditBlocks;
      if (!isDue || (row.state !== "CONFIRMING" && row.state !== "KEPT")) continue;
      const key = `${row.user_id}:${row.asset}`;
      const group = groups.get(key) ?? { sum: 0n, ids: [], min: this.#minUnits(network, row.asset) };
      groups.set(key, { ...group, sum: group.sum + row.units, ids: [...group.ids, row.deposit_id] });
    }
    return new Set([...groups.values()].flatMap(({ sum, ids, min }) => (sum >= min ? ids : [])));
  }

  #minUnits(network: Network, asset: string): bigint {
    const coin = this.#needs.coins.find(asset);
    const read = parseUnits(coinOf(network, asset)?.depositMin ?? "0", coin?.scale ?? 0);
    return read.done ? read.value : 0n;
  }

  async #progressOne(row: DepositRow, network: Network, count: number, isEnough: boolean): Promise<void> {
    switch (row.state) {
      case "CONFIRMING":
      case "KEPT":
        if (row.block_number === null) await this.#store.step(row, { state: "REPLACED" });
        else if (count >= network.creditBlocks && isEnough && row.units > 0n) await this.#credit(row);
        else if (count >= network.creditBlocks && row.state === "CONFIRMING")
          await this.#store.step(row, { state: "KEPT" });
        return;
      case "CREDITING":
        return this.#finishCredit(row);
      case "CREDITED":
      case "UNLOCKED":
        if (row.block_number === null) return this.#beginTaking(row);
        if (row.state === "CREDITED" && count >= network.unlockBlocks) await this.#unlock(row);
        return;
      case "TAKING":
        return this.#take(row);
      case "REPLACED":
        return;
    }
  }

  async #credit(row: DepositRow): Promise<void> {
    const values = { state: "CREDITING" } as const;
    if (await this.#store.step(row, values)) await this.#finishCredit({ ...row, ...values });
  }

  /** Funds that may not leave yet are restricted before they are credited, so that there is no gap. */
  async #finishCredit(row: DepositRow): Promise<void> {
    const { ledger, now } = this.#needs;
    const place = await this.#placeOf(row);
    if (place === undefined) return;
    const { coin, account } = place;
    const reference = referenceOf(row);
    const worth = this.#needs.coins.worthUnits(coin.asset, row.units) ?? 1n;
    if (worth > 0n) {
      const held = await ledger.submit({
        kind: "restrict",
        user: row.user_id,
        units: toCoreUnits(units(worth)),
        reference: `${reference}:l`,
      });
      if (!held.done) return this.#report("deposit.restrict.refused", row, held.code);
    }
    const made = await this.#bring(row, coin, account);
    if (!made.done) return this.#report("deposit.credit.refused", row, made.code);
    const values = { state: "CREDITED", credited_ms: now() } as const;
    if (await this.#store.step(row, values)) await this.#needs.notify(row, "credited", now());
  }

  /** The ledger repays the user's debts, out of this credit first. */
  async #bring(row: DepositRow, coin: CustodyCoin, account: number): Promise<LedgerAnswer> {
    const { ledger } = this.#needs;
    const reference = referenceOf(row);
    const amount = toCoreUnits(units(row.units));
    const mint = { kind: "mint", asset: coin.asset, business: "deposit", units: amount } as const;
    if (row.repaid_units === 0n) return ledger.submit({ ...mint, account, reference });
    // Started by an earlier release that decided repayment here.
    const made = await ledger.submit({ ...mint, account: RESERVES_ACCOUNT, reference: `${reference}:m` });
    if (!made.done) return made;
    const [house, asset] = [RESERVES_ACCOUNT, coin.asset];
    const repaid = toCoreUnits(units(row.repaid_units));
    return ledger.submit({
      kind: "settle",
      reference,
      legs: [
        { from: house, to: account, asset, business: "deposit", units: amount },
        { from: account, to: house, asset, business: "reorg", units: repaid },
      ],
    });
  }

  async #unlock(row: DepositRow): Promise<void> {
    await this.#lift(row);
    await this.#store.step(row, { state: "UNLOCKED", unlocked_ms: this.#needs.now() });
  }

  async #lift(row: DepositRow): Promise<void> {
    const reference = referenceOf(row);
    // Refused where there is none: it was lifted before, or the deposit had no value.
    await this.#needs.ledger.submit({ kind: "unrestrict", reference: `${reference}:u`, restriction: `${reference}:l` });
  }

  // A block was replaced after its deposits had been credited

  async #beginTaking(row: DepositRow): Promise<void> {
    const plan = { state: "TAKING", taken_units: 0n, taking_round: 0 } as const;
    if (await this.#store.step(row, plan)) await this.#take({ ...row, ...plan });
  }

  /**
   * The user owes all of it, and the ledger takes at once what is free; the reserves, which receive it, give what the
   * chain took back. Until the rest is repaid no funds leave the account, and it may trade only towards repayment.
   */
  async #take(row: DepositRow): Promise<void> {
    const { ledger } = this.#needs;
    const place = await this.#placeOf(row);
    if (place === undefined) return;
    const reference = referenceOf(row);
    const { asset } = place.coin;
    const taken = await this.#takenEarlier(row, place);
    if (taken === undefined) return;
    if (taken < row.units) {
      const amount = toCoreUnits(units(row.units - taken));
      const owed = await ledger.submit({
        kind: "owe",
        user: row.user_id,
        asset,
        units: amount,
        reference: `${reference}:o`,
      });
      if (!owed.done) return this.#report("deposit.owe.refused", row, owed.code);
      const burn = { kind: "burn", account: RESERVES_ACCOUNT, asset, business: "reorg", units: amount } as const;
      const burnt = await ledger.submit({ ...burn, reference: `${reference}:s` });
      if (!burnt.done) return this.#report("deposit.suspense.refused", row, burnt.code);
    }
    await this.#lift(row);
    if (await this.#store.endTaking(row)) await this.#needs.notify(row, "taken", this.#needs.now());
  }

  /**
   * The amount an earlier release has taken from one account, as far as it came; undefined while the ledger cannot
   * answer.
   */
  async #takenEarlier(row: DepositRow, { coin, account }: Place): Promise<bigint | undefined> {
    if (row.taken_units === 0n) return 0n;
    const burn = { kind: "burn", account, asset: coin.asset, business: "reorg" } as const;
    const amount = toCoreUnits(units(row.taken_units));
    const reference = `${referenceOf(row)}:r${row.taking_round}`;
    const burnt = await this.#needs.ledger.submit({ ...burn, units: amount, reference });
    if (burnt.done) return row.taken_units;
    return burnt.code?.startsWith("ENGINE_") === true ? undefined : 0n;
  }

  /** Moves debts and locks of an earlier release to the ledger. */
  async #handOver(): Promise<void> {
    const { ledger, coins } = this.#needs;
    for (const debt of await this.#store.listEarlierDebts()) {
      const coin = coins.find(debt.asset);
      if (coin === undefined) continue;
      const amount = toCoreUnits(units(debt.owed_units));
      const reference = `owed:${debt.user_id}:${coin.asset}`;
      const owed = await ledger.submit({
        kind: "owe",
        user: debt.user_id,
        asset: coin.asset,
        units: amount,
        reference,
      });
      if (!owed.done) return;
      await this.#store.closeEarlierDebt(debt);
    }
    for (const lock of await this.#store.listLocks()) {
      const { restriction } = lock;
      const lifted = await ledger.submit({ kind: "unrestrict", reference: `${restriction}u`, restriction });
      // Unavailable is no answer: it is retried.
      if (lifted.done || lifted.code?.startsWith("ENGINE_") !== true) await this.#store.removeLock(lock);
    }
  }

  async #placeOf(row: DepositRow): Promise<Place | undefined> {
    const coin = this.#needs.coins.find(row.asset);
    const account = await this.#needs.ledger.openAccount(row.user_id);
    return coin === undefined || account === undefined ? undefined : { coin, account };
  }

  #report(fact: string, { deposit_id, user_id, asset }: DepositRow, code: string | undefined): void {
    this.#needs.report(fact, { depositId: deposit_id, userId: user_id, asset, code });
  }
}
