// Levered retail on simulated contracts: small accounts that run after the trend with more leverage than is good for
// them, hold for minutes or hours, sometimes with stops, and are liquidated when they are wrong. Ordinary accounts and
// commands. Pure: knows balances and positions from the events it is shown.
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import type { Random } from "@clockwork/kit/random";
import { heavyTailed, stepRandom, uniform } from "../chance.ts";
import { give, takeBack } from "../funding.ts";
import { lotsFor } from "../quoting.ts";
import { type AccountGroup, contractNature, leverageMax, type SimulatedContract, worthWithin } from "./contracts.ts";

/** What a restart must know of one trader. */
export interface TraderState {
  /** Seconds of the simulation's own clock. */
  dueSeconds: number;
  /** 0 while flat. */
  market: number;
  lots: number;
  /** Units of the settlement coin; what positions have won or lost left out. */
  cashUnits: number;
  /** As last set in the market that is traded. */
  leverage: number;
}

interface Temper {
  readonly leverage: number;
  /** USDT it comes with. */
  readonly worth: number;
  readonly isIsolated: boolean;
  /** Share of trades with stops. */
  readonly care: number;
  readonly holdSeconds: number;
}

interface Trader {
  readonly account: number;
  readonly group: AccountGroup;
  readonly contracts: readonly SimulatedContract[];
  readonly temper: Temper;
  readonly state: TraderState;
}

/** A market as the crowd sees it. */
export interface MarketView {
  /** In ticks. */
  readonly middle: number;
  /** How far the price has come from its slow average. */
  readonly trend: number;
}

export interface TraderStep {
  readonly step: number;
  readonly nowMs: number;
  readonly clockSeconds: number;
  view(market: number): MarketView;
  /** USDT of one coin. */
  priceOf(symbol: string): number;
}

const TEMPER_STREAM = 0x5100;
const STREAM = 0x5200;
const LEVERAGES = [5, 10, 20, 20, 25, 50, 50, 75, 100, 125] as const;
/** Who has less than this share of what he came with starts again, who has this many times as much takes it home. */
const BROKE = 0.25;
const RICH = 4;
const LOOK_SECONDS = 45;
const REACH = 0.003;

export class Participants {
  readonly #seed: number;
  readonly #traders: readonly Trader[];
  readonly #byAccount: ReadonlyMap<number, Trader>;

  constructor(
    seed: number,
    groups: readonly AccountGroup[],
    contracts: readonly SimulatedContract[],
    known: Readonly<Record<number, TraderState>>,
  ) {
    this.#seed = seed;
    this.#traders = groups.flatMap((group) => {
      const own = contracts.filter(({ settleAsset }) => settleAsset === group.settleAsset);
      return group.participants.map((account, index) => ({
        account,
        group,
        contracts: own,
        temper: drawTemper(stepRandom(seed, index, TEMPER_STREAM + group.settleAsset)),
        state: { dueSeconds: 0, market: 0, lots: 0, cashUnits: 0, leverage: 0, ...known[account] },
      }));
    });
    this.#byAccount = new Map(this.#traders.map((trader) => [trader.account, trader]));
  }

  get state(): Record<number, TraderState> {
    return Object.fromEntries(this.#traders.map(({ account, state }) => [account, { ...state }]));
  }

  /** Net lots the crowd holds in a market. */
  netLots(market: number): number {
    let sum = 0;
    for (const { state } of this.#traders) if (state.market === market) sum += state.lots;
    return sum;
  }

  /** What must be settled once, before the first step. */
  open(nowMs: number, priceOf: (symbol: string) => number): Command[] {
    return this.#traders.flatMap(({ account, group, contracts, temper }) => [
      give(account, group.settleAsset, unitsOf(group, temper.worth, priceOf), nowMs),
      ...(temper.isIsolated
        ? contracts.map(({ market }): Command => ({ kind: "setMarginMode", account, market, isolated: true }))
        : []),
    ]);
  }

  /** Everybody trades within the first minutes. */
  spread(step: number): void {
    for (const trader of this.#traders) {
      trader.state.dueSeconds = uniform(stepRandom(this.#seed, step, STREAM + trader.account)) * 180;
    }
  }

  act(view: TraderStep): Command[] {
    const commands: Command[] = [];
    for (const trader of this.#traders) {
      if (trader.state.dueSeconds > view.clockSeconds) continue;
      const random = stepRandom(this.#seed, view.step, STREAM + trader.account);
      trader.state.dueSeconds = view.clockSeconds + LOOK_SECONDS * (0.5 + uniform(random));
      commands.push(...(trader.state.lots === 0 ? this.#enter(trader, view, random) : leave(trader, view, random)));
    }
    return commands;
  }

  #enter(trader: Trader, view: TraderStep, random: Random): Command[] {
    const { account, group, temper, state, contracts } = trader;
    const target = unitsOf(group, temper.worth, view.priceOf);
    if (state.cashUnits < target * BROKE) {
      return [give(account, group.settleAsset, Math.max(1, Math.round(target - state.cashUnits)), view.nowMs)];
    }
    if (state.cashUnits > target * RICH) {
      const units = Math.floor(state.cashUnits - target);
      return [takeBack(account, group.settleAsset, units, view.nowMs)];
    }
    const contract = choose(contracts, random);
    const { middle, trend } = view.view(contract.market);
    if (middle < 1) return [];
    const leverage = Math.min(temper.leverage, leverageMax(contract));
    const isLong = uniform(random) < 0.54 + 0.28 * Math.tanh(trend * 250);
    const settlePrice = view.priceOf(group.settle);
    const cash = (state.cashUnits / group.unitsPerCoin) * settlePrice;
    const wish = cash * (0.35 + 0.5 * uniform(random)) * leverage;
    const worth = Math.min(wish, worthWithin(contract, leverage, settlePrice));
    const price = Math.max(1, Math.round(middle * (isLong ? 1 + REACH : 1 - REACH)));
    const order: Command = {
      kind: "placeOrder",
      account,
      market: contract.market,
      side: isLong ? "buy" : "sell",
      price,
      quantity: lotsFor(contract, worth, price),
      timeInForce: "IOC",
    };
    const { market } = contract;
    state.leverage = leverage;
    const careful = uniform(random) < temper.care;
    const stops = careful ? [stopsOf(account, market, middle, isLong, leverage, random)] : [];
    return [{ kind: "setLeverage", account, market, long: leverage, short: leverage }, order, ...stops];
  }

  /** Every event of the crowd's accounts, in order. */
  observe(event: MachineEvent, clockSeconds: number): void {
    if (!("account" in event)) return;
    const trader = this.#byAccount.get(event.account);
    if (trader === undefined) return;
    const { state, temper } = trader;
    if (event.kind === "posting" || event.kind === "frozen") {
      state.cashUnits = event.availableUnits + event.frozenUnits;
    } else if (event.kind === "positionChanged") {
      const wasFlat = state.lots === 0;
      state.market = event.lots === 0 ? 0 : event.market;
      state.lots = event.lots;
      const random = stepRandom(this.#seed, Math.floor(clockSeconds), STREAM + trader.account);
      if (wasFlat && event.lots !== 0) {
        state.dueSeconds = clockSeconds + temper.holdSeconds * (0.3 + 1.8 * uniform(random) ** 2);
      } else if (event.lots === 0) {
        // Whoever is out, in whatever way, rests a while.
        state.dueSeconds = clockSeconds + 30 + 300 * uniform(random);
      }
    } else if (event.kind === "rejected" && event.code === "UNKNOWN_POSITION") {
      state.market = 0;
      state.lots = 0;
    }
  }
}

function drawTemper(random: Random): Temper {
  const leverage = random.pick(LEVERAGES);
  return {
    leverage,
    worth: Math.min(80_000, 600 + 3_500 * heavyTailed(random)),
    isIsolated: uniform(random) < 0.6,
    care: 0.15 + 0.5 * uniform(random),
    // The higher the leverage, the shorter the breath.
    holdSeconds: (1_200 + 5_400 * uniform(random)) * Math.sqrt(20 / leverage),
  };
}

function unitsOf(group: AccountGroup, worth: number, priceOf: (symbol: string) => number): number {
  return Math.max(1, Math.round((worth / priceOf(group.settle)) * group.unitsPerCoin));
}

function choose(contracts: readonly SimulatedContract[], random: Random): SimulatedContract {
  const appeals = contracts.map((contract) => contractNature(contract).appeal);
  let left = uniform(random) * appeals.reduce((sum, appeal) => sum + appeal, 0);
  for (const [index, contract] of contracts.entries()) {
    left -= appeals[index] ?? 0;
    if (left < 0) return contract;
  }
  return contracts[0] as SimulatedContract;
}

function stopsOf(
  account: number,
  market: number,
  middle: number,
  isLong: boolean,
  leverage: number,
  random: Random,
): Command {
  const room = (0.3 + 0.3 * uniform(random)) / leverage;
  const sign = isLong ? 1 : -1;
  return {
    kind: "setPositionStops",
    account,
    market,
    profitTrigger: Math.max(1, Math.round(middle * (1 + sign * room * 1.6))),
    stopTrigger: Math.max(1, Math.round(middle * (1 - sign * room))),
  };
}

/** Closes, turns round, or doubles down. */
function leave({ account, state }: Trader, view: TraderStep, random: Random): Command[] {
  const { market } = state;
  const chance = uniform(random);
  if (chance < 0.78) return [{ kind: "closePosition", account, market }];
  if (chance < 0.86) return [{ kind: "reversePosition", account, market }];
  const { middle } = view.view(market);
  const isLong = state.lots > 0;
  const price = Math.max(1, Math.round(middle * (isLong ? 1 + REACH : 1 - REACH)));
  const quantity = Math.max(1, Math.round(Math.abs(state.lots) * 0.4));
  const side = isLong ? "buy" : "sell";
  return [{ kind: "placeOrder", account, market, side, price, quantity, timeInForce: "IOC" }];
}
