// Owns what events mean for the fills and balances of cached accounts: rows as the tables keep them, made from decoded
// events.
// Pure; the tables' own come from the entries, by the same rules.
import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import type { ProjectionMemory } from "./fold.ts";
import type { BalanceRow, FillRow } from "./rows.ts";

export interface MoneyChanges {
  readonly fills: readonly FillRow[];
  readonly balances: readonly BalanceRow[];
}

export class MoneyFold {
  readonly #memory: ProjectionMemory;
  readonly #fills: FillRow[] = [];
  readonly #fillsByTrade = new Map<string, FillRow[]>();
  readonly #fees: EventOf<"posting">[] = [];
  readonly #balances = new Map<string, BalanceRow>();

  constructor(memory: ProjectionMemory) {
    this.#memory = memory;
  }

  apply(event: MachineEvent): void {
    switch (event.kind) {
      case "posting":
        this.#setBalance(event, event.asset);
        if (event.business === "fee" && event.deltaUnits < 0) this.#fees.push(event);
        break;
      case "frozen":
        this.#setBalance(event, event.asset);
        break;
      case "orderAccepted":
      case "orderAmended":
        this.#setHeldBalance(event, event.heldUnits);
        break;
      case "orderEnded":
        this.#setHeldBalance(event, event.releasedUnits);
        break;
      case "trade":
        this.#addTrade(event);
        break;
      default:
        break;
    }
  }

  changes(): MoneyChanges {
    this.#assignFees();
    return { fills: this.#fills, balances: [...this.#balances.values()] };
  }

  #setBalance(
    event: { account: number; availableUnits: number; frozenUnits: number; sequence: number },
    asset: number,
  ): void {
    this.#balances.set(`${event.account}:${asset}`, {
      account: event.account,
      asset,
      available_units: BigInt(event.availableUnits),
      frozen_units: BigInt(event.frozenUnits),
      updated_sequence: event.sequence,
    });
  }

  /** Order events carry the balance of the asset their money is held in; without a change there is nothing to learn. */
  #setHeldBalance(event: EventOf<"orderAccepted" | "orderEnded" | "orderAmended">, changedUnits: number): void {
    const market = this.#memory.markets.get(event.market);
    if (changedUnits === 0 || market === undefined) return;
    this.#setBalance(event, event.side === "buy" ? market.quote_asset : market.base_asset);
  }

  #addTrade(event: EventOf<"trade">): void {
    const unit = this.#memory.markets.get(event.market)?.tick_lot_units ?? 0n;
    const lots = BigInt(event.lots);
    const shared = {
      market: event.market,
      trade_number: event.tradeNumber,
      price_ticks: event.price,
      lots,
      notional_units: BigInt(event.price) * lots * unit,
      fee_asset: null,
      fee_units: 0n,
      sequence: event.sequence,
      time_ms: event.time,
    };
    const { takerOrderId, makerOrderId, account, makerAccount, takerSide } = event;
    const makerSide = takerSide === "buy" ? "sell" : "buy";
    const { simulated } = this.#memory;
    const rows: FillRow[] = [];
    if (!simulated.has(account)) {
      rows.push({ ...shared, role: "taker", account, order_id: takerOrderId, side: takerSide });
    }
    if (!simulated.has(makerAccount)) {
      rows.push({ ...shared, role: "maker", account: makerAccount, order_id: makerOrderId, side: makerSide });
    }
    this.#fills.push(...rows);
    this.#fillsByTrade.set(`${event.market}:${event.tradeNumber}`, rows);
  }

  /** A fee belongs to the payer's side of its trade; who trades with himself is told apart by the asset he received. */
  #assignFees(): void {
    for (const fee of this.#fees) {
      const rows = this.#fillsByTrade.get(`${fee.market}:${fee.reference}`) ?? [];
      const own = rows.filter((row) => row.account === fee.account);
      const base = this.#memory.markets.get(fee.market)?.base_asset;
      const side = fee.asset === base ? "buy" : "sell";
      const row = own.length > 1 ? (own.find((each) => each.side === side) ?? own[0]) : own[0];
      if (row === undefined) continue;
      row.fee_asset = fee.asset;
      row.fee_units -= BigInt(fee.deltaUnits);
    }
  }
}
