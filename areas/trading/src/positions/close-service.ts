// Use cases that close positions, now or on a trigger: close, close all, reverse, take-profit, stop-loss and trailing
// stops. Each is one command of the core, which alone decides what is left to close: two concurrent ones never flip a
// position.

import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import { answer, type Outcome, type RouteRejection, refuse } from "@clockwork/host/route";
import {
  averagePriceText,
  priceText,
  quantityText,
  readPriceTicks,
  readQuantityLots,
  valueText,
} from "@clockwork/kit/instrument";
import { referenceOf } from "@clockwork/kit/intent/reference";
import { SLIPPAGE_MAX_BPS, SLIPPAGE_MIN_BPS } from "@clockwork/kit/order-bounds";
import { readSteps } from "@clockwork/kit/whole-text";
import type { MarketPair } from "../markets/pair.ts";
import type { CloseResult, FuturesPosition } from "./contract.ts";
import { describeContractRefusal } from "./contract-refusals.ts";
import { size } from "./figure-rules.ts";
import type { PositionNeeds } from "./needs.ts";
import type { ContractRefusal } from "./refusals.ts";
import { describePositions } from "./rules.ts";
import { type Chosen, choiceOf, type FoundPosition, type PositionService, UNKNOWN_CONTRACT } from "./service.ts";

interface Leg {
  readonly triggerPrice: string;
  readonly price?: string;
}

export interface StopOrder extends Chosen {
  readonly positionId: string;
  readonly quantity?: string;
  readonly profit?: Leg;
  readonly loss?: Leg;
  readonly trailing?: { readonly trailBps: number; readonly activation?: string };
  readonly source?: "last" | "mark";
}

export interface CloseOrder extends Chosen {
  readonly positionId: string;
  readonly quantity?: string;
  readonly price?: string;
  readonly slippagePercent?: string;
  readonly clientId?: string;
}

/** Stops the reading of an input; caught where it began. */
class Misshapen extends Error {
  readonly rejection: RouteRejection<ContractRefusal>;

  constructor(code: ContractRefusal, field: string, message: string) {
    super(message);
    this.rejection = { code, status: 400, message, fields: { [`body.${field}`]: message } };
  }
}

export class CloseService {
  readonly #needs: PositionNeeds;
  readonly #positions: PositionService;

  constructor({ needs, positions }: { readonly needs: PositionNeeds; readonly positions: PositionService }) {
    this.#needs = needs;
    this.#positions = positions;
  }

  async close(userId: number, body: CloseOrder): Promise<Outcome<CloseResult, ContractRefusal>> {
    const found = await this.#positions.find(userId, body);
    if (!found.ok) return found;
    const { pair, named } = found.data;
    return orRefuse(async () => {
      const lots = readLots(pair, body.quantity);
      const price = readTicks(pair, "price", body.price);
      const slippageBps = readSlippage(body.slippagePercent);
      if (price !== 0 && slippageBps !== 0) {
        throw new Misshapen("INVALID_COMBINATION", "slippagePercent", "A close at a price takes no slippage.");
      }
      const reference = body.clientId === undefined ? "" : referenceOf(`p:${userId.toString(36)}:`, body.clientId);
      const ack = await this.#needs.submit({ kind: "closePosition", ...named, lots, price, slippageBps, reference });
      if (!ack.done) return refuse(describeContractRefusal(ack, { pair }));
      return answer(await this.#notify(found.data, ack));
    });
  }

  async reverse(
    userId: number,
    body: Chosen & { readonly positionId: string },
  ): Promise<Outcome<CloseResult, ContractRefusal>> {
    const found = await this.#positions.find(userId, body);
    if (!found.ok) return found;
    const { pair, named } = found.data;
    const ack = await this.#needs.submit({ kind: "reversePosition", ...named });
    if (ack.done) return answer(await this.#notify(found.data, ack));
    const fields = { INVALID_COMBINATION: "positionId" };
    return refuse(describeContractRefusal(ack, { pair, fields }));
  }

  /**
   * Closes everything at market, of one contract when named. Positions that cannot be closed remain and are reported.
   */
  async closeAll(userId: number, body: Chosen & { readonly pairCode?: string }) {
    const choice = choiceOf(body);
    const { contracts } = this.#needs;
    const pair = body.pairCode === undefined ? undefined : contracts.find(choice.biz, body.pairCode);
    if (body.pairCode !== undefined && pair === undefined) return refuse(UNKNOWN_CONTRACT);
    let closed = 0;
    const refusals: { pairCode: string; code: string; message: string }[] = [];
    for (const { account } of await this.#needs.listViews(userId, choice)) {
      const market = pair?.market ?? -1;
      const ack = await this.#needs.submit({ kind: "closeAll", account, market });
      if (!ack.done) return refuse(describeContractRefusal(ack, { pair }));
      closed += endsOf(ack.events, account).length;
      for (const event of ack.events) {
        if (event.kind !== "rejected" || event.account !== account || event.orderId !== 0) continue;
        const result = contracts.findMarket(event.market);
        const { code, message } = describeContractRefusal({ code: event.code, events: [event] }, { pair: result });
        refusals.push({ pairCode: result?.pairCode ?? "", code, message });
      }
    }
    return answer({ closed, refusals });
  }

  async setStops(userId: number, body: StopOrder): Promise<Outcome<FuturesPosition, ContractRefusal>> {
    const found = await this.#positions.find(userId, body);
    if (!found.ok) return found;
    const { pair, named } = found.data;
    return orRefuse(async () => {
      const command = { kind: "setPositionStops", ...named, ...readStops(pair, body) } as const;
      const ack = await this.#needs.submit(command);
      if (ack.done) return this.#positions.notify(found.data);
      const field = body.profit === undefined ? (body.loss === undefined ? "trailing" : "loss") : "profit";
      const fields = { TRIGGER_ALREADY_TRUE: field, INVALID_TRIGGER: field, INVALID_COMBINATION: "quantity" };
      return refuse(describeContractRefusal(ack, { pair, fields }));
    });
  }

  /** The result of a close or reversal, from its own events; the position after the commit. */
  async #notify(
    { view, row, pair }: FoundPosition,
    ack: { readonly sequence: number; readonly events: readonly MachineEvent[] },
  ): Promise<CloseResult> {
    const { account } = view;
    const changes = ack.events.filter(
      (event): event is EventOf<"positionChanged"> => event.kind === "positionChanged" && event.account === account,
    );
    const own = changes.filter(({ position }) => position === row.position_id);
    const left = own.at(-1)?.lots;
    const closedLots = size(row.lots) - (left === undefined ? size(row.lots) : size(BigInt(left)));
    const isSell = row.side === "long";
    const fills = ack.events.flatMap((event) => closingFill(event, account, isSell));
    // A reversal replaces the position.
    const shown = String(changes.findLast(({ lots }) => lots !== 0)?.position ?? row.position_id);
    const now = await this.#needs.openView(account);
    const result = describePositions(this.#needs.contracts, now, row.market);
    const rejected = ack.events.find((event) => event.kind === "rejected" && event.account === account);
    return {
      position: result.find(({ positionId }) => positionId === shown) ?? null,
      closedQuantity: quantityText(pair, closedLots),
      averagePrice: averageOf(pair, fills, closedLots),
      realizedPnl: valueText(
        pair,
        own.reduce((sum, { realizedUnits }) => sum + BigInt(realizedUnits), 0n),
      ),
      orderIds: ack.events.flatMap((event) =>
        event.kind === "orderAccepted" && event.account === account ? [String(event.orderId)] : [],
      ),
      refusal: rejected?.kind === "rejected" ? refusalOf(rejected, pair) : null,
      isRepeated: ack.events.some((event) => event.kind === "repeated"),
      sequence: ack.sequence,
    };
  }
}

function refusalOf(event: EventOf<"rejected">, pair: MarketPair): { code: string; message: string } {
  const { code, message } = describeContractRefusal({ code: event.code, events: [event] }, { pair });
  return { code, message };
}

interface ClosingFill {
  readonly lots: number;
  readonly price: number;
}

function closingFill(event: MachineEvent, account: number, isSell: boolean): ClosingFill[] {
  if (event.kind !== "trade" || event.account !== account || (event.takerSide === "sell") !== isSell) return [];
  return [{ lots: event.lots, price: event.price }];
}

/** Of the lots that closed: a reversal continues in the same direction after them. */
function averageOf(pair: MarketPair, fills: readonly ClosingFill[], closedLots: bigint): string | null {
  let left = closedLots;
  let value = 0n;
  const factor = BigInt(pair.factor);
  for (const { lots, price } of fills) {
    const taken = BigInt(lots) < left ? BigInt(lots) : left;
    if (taken === 0n) break;
    value += pair.kind === "inverse" ? (taken * factor) / BigInt(price) : taken * factor * BigInt(price);
    left -= taken;
  }
  return averagePriceText(pair, value, closedLots - left);
}

function endsOf(events: readonly MachineEvent[], account: number): MachineEvent[] {
  return events.filter((event) => event.kind === "positionChanged" && event.account === account && event.lots === 0);
}

async function orRefuse<Data>(
  act: () => Promise<Outcome<Data, ContractRefusal>>,
): Promise<Outcome<Data, ContractRefusal>> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Misshapen) return refuse(error.rejection);
    throw error;
  }
}

function readTicks(pair: MarketPair, field: string, text: string | undefined): number {
  if (text === undefined) return 0;
  const ticks = readPriceTicks(pair, text);
  if (ticks !== undefined) return ticks;
  throw new Misshapen("INVALID_PRICE", field, `${field} must be a multiple of ${priceText(pair, 1)} above zero.`);
}

/** 0 means all of it. */
function readLots(pair: MarketPair, text: string | undefined): number {
  if (text === undefined) return 0;
  const lots = readQuantityLots(pair, text);
  if (lots !== undefined) return lots;
  const message = `quantity must be a multiple of ${quantityText(pair, 1)} above zero.`;
  throw new Misshapen("INVALID_QUANTITY", "quantity", message);
}

function readSlippage(text: string | undefined): number {
  if (text === undefined) return 0;
  const bps = readSteps(text, 1, 2);
  if (bps !== undefined && bps >= SLIPPAGE_MIN_BPS && bps <= SLIPPAGE_MAX_BPS) return bps;
  throw new Misshapen("INVALID_SLIPPAGE", "slippagePercent", "Slippage must be 0.01% to 10%.");
}

function readStops(pair: MarketPair, body: StopOrder) {
  const { profit, loss, trailing, source = "mark" } = body;
  if (loss !== undefined && trailing !== undefined) {
    throw new Misshapen("INVALID_COMBINATION", "trailing", "A trailing stop stands in the place of a stop loss.");
  }
  if (body.quantity !== undefined && profit === undefined && loss === undefined && trailing === undefined) {
    throw new Misshapen("INVALID_ORDER", "profit", "Say profit, loss or trailing.");
  }
  return {
    lots: readLots(pair, body.quantity),
    profitTrigger: readTicks(pair, "profit.triggerPrice", profit?.triggerPrice),
    profitPrice: readTicks(pair, "profit.price", profit?.price),
    stopTrigger: readTicks(pair, "loss.triggerPrice", loss?.triggerPrice),
    stopPrice: readTicks(pair, "loss.price", loss?.price),
    source,
    trailBps: trailing?.trailBps ?? 0,
    trailFrom: readTicks(pair, "trailing.activation", trailing?.activation),
  };
}
