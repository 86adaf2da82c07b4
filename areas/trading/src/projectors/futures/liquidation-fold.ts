// Owns what events mean for liquidations: why each started, every step with what the book, the fund and winners took,
// and how it ended. Pure; processes one command's events in order, because a liquidation never outlives its command.
import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import { INSURANCE_ACCOUNT } from "@clockwork/core/protocol/names";
import type { LedgerFacts } from "@clockwork/host/projector";
import { fillValue } from "../orders/fills.ts";
import type { DeleveragingRow, LiquidationRow, PositionRow, StepRow } from "./futures-rows.ts";

/** What has happened since the last step. */
interface Taken {
  bookLots: bigint;
  bookUnits: bigint;
  fundUnits: bigint;
  feeUnits: bigint;
}

const nothing = (): Taken => ({ bookLots: 0n, bookUnits: 0n, fundUnits: 0n, feeUnits: 0n });
/** These are published before they happen; the others afterwards. */
const PUBLISHED_FIRST: ReadonlySet<string> = new Set(["takenOver", "deleveraged"]);

export class LiquidationFold {
  readonly #facts: LedgerFacts;
  readonly #findPosition: (account: number, positionId: number) => PositionRow | undefined;
  readonly liquidations: LiquidationRow[] = [];
  readonly steps: StepRow[] = [];
  readonly deleveragings: DeleveragingRow[] = [];
  #sequence = 0;
  #places = 0;
  #numbers = 0;
  #open: LiquidationRow | undefined;
  #taken = nothing();
  /** The step that is still being filled: it was published before it happened. */
  #running: StepRow | undefined;
  #lines = 0;
  #isPrinted = true;
  /** Each position's lots when the step started, by id. */
  readonly #held = new Map<number, bigint>();

  constructor(facts: LedgerFacts, findPosition: (account: number, positionId: number) => PositionRow | undefined) {
    this.#facts = facts;
    this.#findPosition = findPosition;
  }

  /** Must receive an event before the position it changes is changed. */
  apply(event: MachineEvent): void {
    if (event.sequence !== this.#sequence) this.#begin(event.sequence);
    switch (event.kind) {
      case "liquidationStarted":
        this.#start(event);
        break;
      case "liquidationStep":
        this.#step(event);
        break;
      case "liquidationPrint":
        this.#print(event);
        break;
      case "liquidationEnded":
        this.#end(event);
        break;
      case "deleveraged":
        this.#deleverage(event);
        break;
      case "trade":
        this.#trade(event);
        break;
      case "posting":
        this.#post(event);
        break;
      case "positionChanged":
        this.#note(event);
        break;
      default:
        break;
    }
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  #begin(sequence: number): void {
    this.#sequence = sequence;
    this.#places = 0;
    this.#numbers = 0;
    this.#open = undefined;
    this.#running = undefined;
  }

  #start(event: EventOf<"liquidationStarted">): void {
    const held = this.#findPosition(event.account, event.position);
    this.#open = {
      sequence: event.sequence,
      place: this.#places,
      account: event.account,
      market: event.market,
      position_id: event.position,
      isolated: event.isolated,
      leverage: held?.leverage ?? 0,
      lots: held?.lots ?? 0n,
      cost_units: held?.cost_units ?? 0n,
      cost_excess: held?.cost_excess ?? 0n,
      mark_ticks: event.markTicks,
      cash_units: BigInt(event.cashUnits),
      profit_units: BigInt(event.profitUnits),
      need_units: BigInt(event.needUnits),
      available_units: 0n,
      frozen_units: 0n,
      time_ms: event.time,
    };
    this.#places += 1;
    this.#lines = 0;
    this.#taken = nothing();
    this.#running = undefined;
    this.#isPrinted = true;
    this.#held.clear();
  }

  #step(event: EventOf<"liquidationStep">): void {
    const row = this.#addStep(event.step, event.market, event.position, event.lots);
    if (row === undefined) return;
    row.bankruptcy_ticks = event.bankruptcyTicks;
    row.value_units = BigInt(event.valueUnits);
    row.cash_units = BigInt(event.cashUnits);
    const isFirst = PUBLISHED_FIRST.has(event.step);
    this.#isPrinted = event.step === "ordersCancelled" || event.step === "pairNetted";
    this.#running = isFirst ? row : undefined;
  }

  #addStep(step: string, market: number, positionId: number, lots: number): StepRow | undefined {
    if (this.#open === undefined) return undefined;
    const { sequence, place, account } = this.#open;
    const held = this.#held.get(positionId) ?? this.#findPosition(account, positionId)?.lots ?? 0n;
    const row: StepRow = {
      sequence,
      place,
      line: this.#lines,
      step,
      market,
      position_id: positionId,
      bankruptcy_ticks: 0,
      held_lots: held < 0n ? -held : held,
      lots: BigInt(lots),
      value_units: 0n,
      cash_units: null,
      book_lots: this.#taken.bookLots,
      book_units: this.#taken.bookUnits,
      fund_units: this.#taken.fundUnits,
      fee_units: this.#taken.feeUnits,
    };
    this.#lines += 1;
    this.#taken = nothing();
    this.#held.clear();
    this.steps.push(row);
    return row;
  }

  /** A tier left in whole is printed without a step of its own: the position ended with it. */
  #print(event: EventOf<"liquidationPrint">): void {
    if (this.#open !== undefined && this.#isPrinted && this.#taken.bookLots > 0n) {
      const [positionId = this.#open.position_id] = this.#held.keys();
      const units = this.#taken.bookUnits;
      const row = this.#addStep("tierReduced", event.market, positionId, Math.abs(event.lots));
      if (row !== undefined) {
        row.bankruptcy_ticks = event.price;
        row.value_units = units;
      }
    }
    this.#isPrinted = true;
  }

  #end(event: EventOf<"liquidationEnded">): void {
    if (this.#open === undefined) return;
    this.#open.available_units = BigInt(event.availableUnits);
    this.#open.frozen_units = BigInt(event.frozenUnits);
    this.liquidations.push(this.#open);
    this.#open = undefined;
    this.#running = undefined;
  }

  #deleverage(event: EventOf<"deleveraged">): void {
    const side = this.#findPosition(event.account, event.position)?.side;
    this.deleveragings.push({
      sequence: event.sequence,
      number: this.#numbers,
      place: this.#open?.place ?? null,
      line: this.#running?.line ?? null,
      account: event.account,
      market: event.market,
      position_id: event.position,
      price_ticks: event.price,
      lots: BigInt(side === "short" ? -event.lots : event.lots),
      value_units: BigInt(event.valueUnits),
      realized_units: BigInt(event.realizedUnits),
      time_ms: event.time,
    });
    this.#numbers += 1;
  }

  #trade(event: EventOf<"trade">): void {
    if (this.#open?.account !== event.account) return;
    const isSell = event.takerSide === "sell";
    this.#taken.bookLots += BigInt(event.lots);
    this.#taken.bookUnits += BigInt(fillValue(this.#facts.markets.get(event.market), event.lots, event.price, isSell));
  }

  #post(event: EventOf<"posting">): void {
    if (this.#open === undefined) return;
    const units = BigInt(event.deltaUnits);
    if (event.account === INSURANCE_ACCOUNT) {
      if (this.#running === undefined) this.#taken.fundUnits += units;
      else this.#running.fund_units += units;
    } else if (event.business === "liquidationFee" && event.account === this.#open.account) {
      if (this.#running === undefined) this.#taken.feeUnits -= units;
      else this.#running.fee_units -= units;
    }
  }

  /** A position's lots before the first change since the last step. */
  #note(event: EventOf<"positionChanged">): void {
    if (event.account !== this.#open?.account || this.#held.has(event.position)) return;
    const row = this.#findPosition(event.account, event.position);
    if (row !== undefined && this.#running?.position_id !== event.position) this.#held.set(event.position, row.lots);
  }
}
