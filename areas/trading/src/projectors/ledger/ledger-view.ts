// Owns an account's current money: its balances and its own rates, read from the tables once and followed.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_HEADER, EVENTS, type EventOf } from "@clockwork/core/protocol/event";
import type { LedgerFacts, LiveRun, LiveView } from "@clockwork/host/projector";
import type { BalanceRow, FeeRow } from "../rows/rows.ts";
import { availableUnits, BALANCE_KINDS, balanceAccount, frozenUnits, publishedAsset } from "./balance.ts";

export interface LedgerState {
  /** By asset. */
  readonly balances: Map<number, BalanceRow>;
  /** By fee group. */
  readonly fees: Map<number, FeeRow>;
}

export interface LedgerChange {
  readonly count: number;
  readonly balances: readonly BalanceRow[];
}

const FEES = EVENTS.feesChanged.kind;

export const ledgerView: LiveView<LedgerState, LedgerChange> = {
  name: "ledger",
  kinds: [...BALANCE_KINDS, FEES],
  empty: () => ({ balances: new Map(), fees: new Map() }),
  async load(read, account) {
    const [balances, fees] = await Promise.all([
      read<BalanceRow>("select * from engine_balances where account = ?", [account]),
      read<FeeRow>("select * from engine_fees where account = ?", [account]),
    ]);
    return {
      balances: new Map(balances.map((row) => [row.asset, row])),
      fees: new Map(fees.map((row) => [row.fee_group, row])),
    };
  },
  begin: (facts, stateOf) => new LedgerFollow(facts, stateOf),
};

class LedgerFollow implements LiveRun<LedgerChange> {
  readonly #facts: LedgerFacts;
  readonly #stateOf: (account: number) => LedgerState | undefined;
  /** By account, then by asset: the last value counts. */
  readonly #changed = new Map<number, Map<number, BalanceRow>>();

  constructor(facts: LedgerFacts, stateOf: (account: number) => LedgerState | undefined) {
    this.#facts = facts;
    this.#stateOf = stateOf;
  }

  add(kind: number, view: DataView, at: number, timeMs: number): void {
    const account = balanceAccount.read(view, at);
    const state = this.#stateOf(account);
    if (state === undefined) return;
    if (kind === FEES) {
      const { feeGroup, makerRate, takerRate } = readEvent(view, at, timeMs) as EventOf<"feesChanged">;
      state.fees.set(feeGroup, { account, fee_group: feeGroup, maker_rate: makerRate, taker_rate: takerRate });
      return;
    }
    const asset = publishedAsset(kind, view, at, this.#facts);
    if (asset === undefined) return;
    const row = {
      account,
      asset,
      available_units: BigInt(availableUnits.read(view, at)),
      frozen_units: BigInt(frozenUnits.read(view, at)),
      updated_sequence: EVENT_HEADER.sequence.read(view, at),
    };
    state.balances.set(asset, row);
    const own = this.#changed.get(account);
    if (own === undefined) this.#changed.set(account, new Map([[asset, row]]));
    else own.set(asset, row);
  }

  end(): ReadonlyMap<number, LedgerChange> {
    const found = new Map<number, LedgerChange>();
    for (const [account, rows] of this.#changed) {
      found.set(account, { count: rows.size, balances: [...rows.values()] });
    }
    return found;
  }
}
