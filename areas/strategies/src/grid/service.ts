// Users' actions on their bots: create, clone, change, margin, profit, cancel an order, stop. Each is a command of the
// core under a reference of its own, so that a repeat has no effect.

import type { Command } from "@clockwork/core/protocol/command";
import { stopsOf } from "@clockwork/kit/grid/back-test-task";
import { readPriceTicks } from "@clockwork/kit/instrument";
import { referenceOf } from "@clockwork/kit/intent/reference";
import { parseUnits, toCoreUnits } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import { bizOf, type CreateBody, type FollowBody, type GridBiz, type UpdateBody } from "./contract.ts";
import type { GridNeeds } from "./needs.ts";
import type { GridRefusal } from "./refusals.ts";
import { clonedBounds, clonedRange, isPublished, refusalOf } from "./rules.ts";
import type { GridStore, OwnedBot } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, GridRefusal>>;
type CreateBot = Extract<Command, { readonly kind: "createBot" }>;
type Settings = Pick<
  CreateBot,
  | "triggerTicks"
  | "stopAboveTicks"
  | "stopBelowTicks"
  | "trailUpTicks"
  | "trailDownTicks"
  | "exitBps"
  | "keeps"
  | "endsAt"
>;

export class GridService {
  readonly #store: GridStore;
  readonly #needs: GridNeeds;

  constructor({ store, needs }: { readonly store: GridStore; readonly needs: GridNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async create(userId: number, biz: GridBiz, body: CreateBody): Outcome<{ readonly id: number }> {
    const { clientId, ...requested } = body;
    return this.#create(userId, biz, requested, referenceOf(`g:${userId}:`, clientId));
  }

  /** Copies a bot's shape, with an own investment. The copy is then independent. */
  async follow(
    userId: number,
    biz: GridBiz,
    { id, investment, clientId }: FollowBody,
  ): Outcome<{ readonly id: number }> {
    const row = await this.#store.find(id);
    const market = row === undefined ? undefined : this.#needs.marketOf(row.market);
    if (row === undefined || market === undefined || bizOf(row.grid) !== biz) return refused("UNKNOWN_BOT");
    if (row.user_id !== userId && !isPublished(row, market, this.#needs.now())) return refused("UNKNOWN_BOT");
    const found = await this.#open(userId, biz);
    if (!found.done) return found;
    const quote = parseUnits(investment, market.settle.scale);
    if (!quote.done || quote.value === 0n) return refused("INVALID_AMOUNT");
    const first = (await this.#store.started(id)) ?? row;
    const { kind: grid, range, leverage } = clonedRange(row, this.#needs.seenTicks(row.market));
    const made = await this.#send({
      kind: "createBot",
      account: found.value,
      market: row.market,
      grid,
      ...range,
      leverage: leverage ?? 1,
      quoteUnits: toCoreUnits(quote.value),
      ...clonedBounds(row, first),
      exitBps: row.exit_bps,
      keeps: Boolean(row.keeps),
      reference: referenceOf(`g:${userId}:`, clientId),
    });
    if (made.done) await this.#store.noteClone(made.value.id, id);
    return made;
  }

  async #create(
    userId: number,
    biz: GridBiz,
    requested: Omit<CreateBody, "clientId">,
    reference: string,
  ): Outcome<{ readonly id: number }> {
    if (bizOf(requested.kind) !== biz) return refused("INVALID_KIND");
    const market = this.#needs.findMarket(biz, requested.pairCode);
    if (market === undefined) return refused("UNKNOWN_PAIR");
    const settings = readSettings(market, requested.kind, requested);
    const lowTicks = readPriceTicks(market, requested.lower);
    if (lowTicks === undefined || settings === undefined) return refused("INVALID_PRICE");
    const beginsAt = requested.trigger === undefined ? this.#needs.seenTicks(market.market) : settings.triggerTicks;
    const highTicks = readUpper(market, requested, beginsAt ?? 0);
    if (highTicks === undefined) return refused("INVALID_PRICE");
    const quote = parseUnits(requested.investment, market.settle.scale);
    const base = parseUnits(requested.base ?? "0", market.base.scale);
    if (!quote.done || !base.done) return refused("INVALID_AMOUNT");
    const found = await this.#open(userId, biz);
    if (!found.done) return found;
    return this.#send({
      kind: "createBot",
      account: found.value,
      market: market.market,
      grid: requested.kind,
      spacing: requested.kind === "infinity" ? "geometric" : requested.spacing,
      lowTicks,
      highTicks,
      cells: requested.count,
      leverage: requested.leverage ?? 1,
      quoteUnits: toCoreUnits(quote.value),
      baseUnits: toCoreUnits(base.value),
      ...settings,
      reference,
    });
  }

  /** Who may have a bot, and the source of its money. */
  async #open(userId: number, biz: GridBiz): Outcome<number> {
    if (!(await this.#needs.isVerified(userId))) return refused("IDENTITY_REQUIRED");
    if ((await this.#store.agreedAt(userId)) === undefined) return refused("AGREEMENT_REQUIRED");
    const account = await this.#needs.openSource(userId, biz);
    return account === undefined ? refused("ACCOUNT_NOT_READY") : done(account);
  }

  async #send(command: CreateBot): Outcome<{ readonly id: number }> {
    const ack = await this.#needs.submit(command);
    if (!ack.done) return refused(refusalOf(ack.code));
    return ack.bot === undefined ? refused("NOT_DONE") : done({ id: ack.bot });
  }

  async #own(userId: number, biz: GridBiz, id: number): Promise<OwnedBot | undefined> {
    const row = await this.#store.find(id);
    return row?.user_id === userId && bizOf(row.grid) === biz ? row : undefined;
  }

  async #ask(command: Command): Outcome<true> {
    const ack = await this.#needs.submit(command);
    return ack.done ? done(true) : refused(refusalOf(ack.code));
  }

  async update(userId: number, biz: GridBiz, { id, clientId, ...requested }: UpdateBody): Outcome<true> {
    const row = await this.#own(userId, biz, id);
    const market = row === undefined ? undefined : this.#needs.marketOf(row.market);
    if (row === undefined || market === undefined) return refused("UNKNOWN_BOT");
    const settings = readSettings(market, row.grid, requested);
    if (settings === undefined) return refused("INVALID_PRICE");
    // A started bot keeps its initial trigger.
    const triggerTicks = row.status === "WAIT_TRIGGER" ? (settings.triggerTicks ?? 0) : row.trigger_ticks;
    const reference = referenceOf(`gu:${userId}:`, clientId);
    return this.#ask({ kind: "changeBot", account: row.account, ...settings, triggerTicks, reference });
  }

  async changeMargin(userId: number, biz: GridBiz, id: number, amount: string, clientId: string): Outcome<true> {
    const row = await this.#own(userId, biz, id);
    const market = row === undefined ? undefined : this.#needs.marketOf(row.market);
    if (row === undefined || market === undefined) return refused("UNKNOWN_BOT");
    if (biz === "spot") return refused("NOT_A_FUTURES_BOT");
    const units = parseUnits(amount.replace("-", ""), market.settle.scale);
    if (!units.done || units.value === 0n) return refused("INVALID_AMOUNT");
    return this.#ask({
      kind: "changeBot",
      account: row.account,
      marginUnits: amount.startsWith("-") ? 0 - toCoreUnits(units.value) : toCoreUnits(units.value),
      triggerTicks: row.trigger_ticks,
      stopAboveTicks: row.stop_above_ticks,
      stopBelowTicks: row.stop_below_ticks,
      trailUpTicks: row.trail_up_ticks,
      trailDownTicks: row.trail_down_ticks,
      exitBps: row.exit_bps,
      keeps: Boolean(row.keeps),
      endsAt: row.ends_ms,
      reference: referenceOf(`gm:${userId}:`, clientId),
    });
  }

  async takeProfit(userId: number, biz: GridBiz, id: number, amount: string, clientId: string): Outcome<true> {
    const row = await this.#own(userId, biz, id);
    const market = row === undefined ? undefined : this.#needs.marketOf(row.market);
    if (row === undefined || market === undefined) return refused("UNKNOWN_BOT");
    const units = parseUnits(amount, market.settle.scale);
    if (!units.done || units.value === 0n) return refused("INVALID_AMOUNT");
    const reference = referenceOf(`gp:${userId}:`, clientId);
    return this.#ask({ kind: "takeBotProfit", account: row.account, units: toCoreUnits(units.value), reference });
  }

  async finish(userId: number, biz: GridBiz, id: number, sells: boolean): Outcome<true> {
    const row = await this.#own(userId, biz, id);
    return row === undefined ? refused("UNKNOWN_BOT") : this.#ask({ kind: "stopBot", account: row.account, sells });
  }

  async cancelOrder(userId: number, biz: GridBiz, id: number, orderId: string): Outcome<true> {
    const row = await this.#own(userId, biz, id);
    if (row === undefined) return refused("UNKNOWN_BOT");
    if (!Number.isSafeInteger(Number(orderId))) return refused("UNKNOWN_ORDER");
    return this.#ask({ kind: "cancelOrder", account: row.account, orderId: Number(orderId) });
  }

  async agree(userId: number): Promise<number> {
    await this.#store.agree(userId, this.#needs.now());
    return (await this.#store.agreedAt(userId)) ?? 0;
  }

  agreedAt(userId: number): Promise<number | undefined> {
    return this.#store.agreedAt(userId);
  }
}

/** An infinity grid has none: its cells are counted from its starting price. Undefined without such a price. */
export function readUpper(
  market: MarketPair,
  { kind, upper }: Pick<CreateBody, "kind" | "upper">,
  priceTicks: number,
): number | undefined {
  if (kind === "infinity") return upper === undefined ? priceTicks : undefined;
  return upper === undefined ? undefined : readPriceTicks(market, upper);
}

/** Undefined when a price is not on the market's grid. */
function readSettings(
  market: MarketPair,
  kind: CreateBody["kind"],
  requested: Omit<UpdateBody, "id" | "clientId">,
): Settings | undefined {
  const texts = [requested.trigger, requested.takeProfit, requested.stopLoss, requested.trailUp, requested.trailDown];
  const ticks = texts.map((text) => (text === undefined ? 0 : readPriceTicks(market, text)));
  if (ticks.includes(undefined)) return undefined;
  const [trigger, profit, loss, up, down] = ticks as [number, number, number, number, number];
  const { above, below } = stopsOf(kind, profit, loss);
  return {
    triggerTicks: trigger,
    stopAboveTicks: above,
    stopBelowTicks: below,
    trailUpTicks: up,
    trailDownTicks: down,
    exitBps: requested.exitBps ?? 0,
    keeps: requested.keeps ?? false,
    endsAt: requested.endsAtMs ?? 0,
  };
}
