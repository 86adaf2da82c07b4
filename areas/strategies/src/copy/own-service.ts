// A follower's own actions on copies: moving money and coins, selling one coin, stops on one trade. One command of the
// core each.

import type { Ack } from "@clockwork/host/engine";
import { answer, type Outcome, refuseBy } from "@clockwork/host/route";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import { priceText, quantityText, readPriceTicks } from "@clockwork/kit/instrument";
import { referenceOf } from "@clockwork/kit/intent/reference";
import { parseUnits, toCoreUnits, type Units, units } from "@clockwork/kit/money";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { CloseBody, CopyKind, CopyPosition, StopsBody, TransferBody } from "./contract.ts";
import type { CopyBook, CopyNeeds } from "./needs.ts";
import type { RecordStore } from "./record-store.ts";
import { type CopyRefusal, REFUSALS } from "./refusals.ts";
import { IDENTITY_TO_FOLLOW, refusalOf } from "./rules.ts";

/** Where investments come from and go back to. */
export const HOME: Readonly<Record<CopyKind, CopyBook>> = { futures: "linear", spot: "spot" };
export const SUB_BOOK: Readonly<Record<CopyKind, CopyBook>> = { futures: "copyF", spot: "copyS" };

export const no = (code: CopyRefusal, fields?: Readonly<Record<string, string>>) =>
  refuseBy(REFUSALS, { code }, fields);

interface OwnParts {
  readonly needs: CopyNeeds;
  readonly records: RecordStore;
  /** The user's copied futures positions as described to them. */
  readonly readPositions: (userId: number) => Promise<readonly CopyPosition[]>;
}

export class OwnService {
  readonly #parts: OwnParts;

  constructor(parts: OwnParts) {
    this.#parts = parts;
  }

  /** Between the home book and the own lead book, or the sub-book of a follow. */
  async transfer(userId: number, kind: CopyKind, body: TransferBody): Promise<Outcome<{ done: boolean }, CopyRefusal>> {
    const { needs } = this.#parts;
    const coin = this.#movedCoin(kind, body);
    if (needs.findCoin() === undefined) return no("ACCOUNT_NOT_READY");
    if (coin === undefined) return no("NOT_TRANSFERABLE");
    const amount = body.amount === "all" ? undefined : parseUnits(body.amount, coin.scale);
    if (amount !== undefined && (!amount.done || amount.value === 0n)) return no("INVALID_AMOUNT");
    if ((await needs.kycLevelOf(userId)) < IDENTITY_TO_FOLLOW) return no("IDENTITY_REQUIRED");
    if (body.leaderId === undefined && kind === "spot") return no("NOT_TRANSFERABLE");
    const home = await needs.openAccount(userId, HOME[kind]);
    const other =
      body.leaderId === undefined
        ? await needs.openAccount(userId, "copyFLead")
        : await needs.findAccount(userId, SUB_BOOK[kind], Number(body.leaderId));
    if (other === undefined && body.leaderId !== undefined) return no("NOT_FOLLOWING");
    if (home === undefined || other === undefined) return no("ACCOUNT_NOT_READY");
    const [account, to] = body.direction === "in" ? [home, other] : [other, home];
    const moved = amount?.done === true ? amount.value : await this.#free(account, coin.asset);
    if (moved === 0n) return no("INSUFFICIENT_BALANCE");
    const ack = await needs.submit({
      kind: "transfer",
      account,
      to,
      asset: coin.asset,
      units: toCoreUnits(moved),
      reference: referenceOf(`y:${userId.toString(36)}:`, body.clientId),
    });
    if (!ack.done) return refuseFollow(ack);
    await needs.settled(ack.sequence);
    return answer({ done: true });
  }

  async #free(account: number, asset: number): Promise<Units> {
    const found = (await this.#parts.records.balances(account)).find((row) => row.asset === asset);
    return units(found?.available_units ?? 0n);
  }

  /** Take-profit and stop-loss on one copied trade, instead of the leader's; with neither they are removed. */
  async setStops(
    userId: number,
    { leaderId, positionId, ...prices }: StopsBody,
  ): Promise<Outcome<CopyPosition, CopyRefusal>> {
    const { needs, records, readPositions } = this.#parts;
    const account = await needs.findAccount(userId, SUB_BOOK.futures, Number(leaderId));
    if (account === undefined) return no("NOT_FOLLOWING");
    const row = (await records.positionsOf([account])).find(({ position_id }) => String(position_id) === positionId);
    const pair = row === undefined ? undefined : needs.findMarket(row.market);
    if (row === undefined || pair === undefined) return no("POSITION_GONE");
    const ticks = { takeProfit: 0, stopLoss: 0 };
    for (const field of ["takeProfit", "stopLoss"] as const) {
      const text = prices[field];
      const read = text === undefined ? 0 : readPriceTicks(pair, text);
      if (read === undefined || (text !== undefined && read === 0))
        return no("INVALID_PRICE", { [`body.${field}`]: `The price must be a multiple of ${priceText(pair, 1)}.` });
      ticks[field] = read;
    }
    const ack = await needs.submit({
      kind: "setPositionStops",
      account,
      market: row.market,
      side: row.side === "short" ? "short" : "long",
      profitTrigger: ticks.takeProfit,
      stopTrigger: ticks.stopLoss,
    });
    if (!ack.done) return refuseFollow(ack, ticks.stopLoss === 0 ? "takeProfit" : "stopLoss");
    await needs.settled(ack.sequence);
    const result = (await readPositions(userId)).find((one) => one.positionId === positionId);
    return result === undefined ? no("POSITION_GONE") : answer(result);
  }

  /** The coin leaders are measured in; out of a spot sub-book any coin that is traded there. */
  #movedCoin(kind: CopyKind, { asset, direction, leaderId }: TransferBody): LedgerCoin | undefined {
    const own = this.#parts.needs.findCoin();
    if (asset === undefined || asset === own?.symbol) return own;
    if (kind !== "spot" || direction !== "out" || leaderId === undefined) return undefined;
    return this.#parts.needs.listPairs("spot").find(({ base }) => base.symbol === asset)?.base;
  }

  /** Sells at the market what a spot copy holds of one coin; a repeat with the same id has no effect. */
  async close(
    userId: number,
    { leaderId, pairCode, clientId }: CloseBody,
  ): Promise<Outcome<{ filled: string }, CopyRefusal>> {
    const { needs, records } = this.#parts;
    const pair = needs.findPair("spot", pairCode);
    const account = await needs.findAccount(userId, SUB_BOOK.spot, Number(leaderId));
    if (account === undefined) return no("NOT_FOLLOWING");
    const held = (await records.balances(account)).find(({ asset }) => asset === pair?.base.asset);
    const lots = pair === undefined ? 0n : (held?.available_units ?? 0n) / BigInt(pair.stepUnits);
    if (pair === undefined || lots === 0n) return no("NOTHING_HELD");
    const ack = await needs.submit({
      kind: "placeOrder",
      account,
      market: pair.market,
      side: "sell",
      type: "market",
      quantity: toCoreUnits(units(lots)),
      clientOrderId: referenceOf("close.", clientId),
    });
    if (!ack.done && ack.code !== "DUPLICATE_CLIENT_ORDER_ID") return refuseFollow(ack);
    if (ack.done) await needs.settled(ack.sequence);
    const filled = ack.events.reduce((sum, event) => sum + (event.kind === "trade" ? event.lots : 0), 0);
    return answer({ filled: quantityText(pair, filled) });
  }
}

const PRICED: ReadonlySet<string> = new Set(["INVALID_PRICE", "INVALID_TRIGGER", "TRIGGER_ALREADY_TRUE"]);

/** A refusal of the core, at its field; `priced` is the field whose price was refused. */
export function refuseFollow(
  ack: Extract<Ack, { readonly done: false }>,
  priced?: string,
): Outcome<never, CopyRefusal> {
  const code = refusalOf(ack.code);
  const own = PRICED.has(code) ? priced : undefined;
  const field = code === "INVESTMENT_TOO_SMALL" ? "investment" : code === "INVALID_AMOUNT" ? "amount" : own;
  return no(code, field === undefined ? undefined : { [`body.${field}`]: REFUSALS[code][1] });
}

/** A fill of a spot sub-book as the tables have it. */
export interface SpotFill {
  readonly market: number;
  readonly side: string;
  readonly lots: bigint;
  readonly notional_units: bigint;
  readonly fee_asset: number | null;
  readonly fee_units: bigint;
}

interface Lot {
  units: bigint;
  cost: bigint;
}

/** Removes the oldest first; a part of a lot has its share of the cost, rounded as the core does. */
function takeOldest(lots: Lot[], wanted: bigint): void {
  let left = wanted;
  for (let lot = lots[0]; left > 0n && lot !== undefined; lot = lots[0]) {
    const taken = left < lot.units ? left : lot.units;
    lot.cost -= (lot.cost * taken + lot.units - 1n) / lot.units;
    lot.units -= taken;
    left -= taken;
    if (lot.units === 0n) lots.shift();
  }
}

/**
 * The holding of a coin and its cost, including fees: bought lots, sold first in, first out. If the book has less than
 * was not sold, the rest was withdrawn, the oldest first.
 */
export function lotsHeld(
  fills: readonly SpotFill[],
  { market, stepUnits, base }: Pick<MarketPair, "market" | "stepUnits" | "base">,
  thereUnits: bigint,
): { readonly heldUnits: bigint; readonly costUnits: bigint } {
  const lots: Lot[] = [];
  for (const fill of fills) {
    if (fill.market !== market) continue;
    const moved = fill.lots * BigInt(stepUnits);
    const fee = fill.fee_asset === base.asset ? fill.fee_units : 0n;
    if (fill.side === "buy") lots.push({ units: moved - fee, cost: fill.notional_units + fill.fee_units - fee });
    else takeOldest(lots, moved + fee);
  }
  const sum = (pick: (lot: Lot) => bigint): bigint => lots.reduce((all, lot) => all + pick(lot), 0n);
  takeOldest(lots, sum(({ units: held }) => held) - thereUnits);
  return { heldUnits: sum(({ units: held }) => held), costUnits: sum(({ cost }) => cost) };
}
