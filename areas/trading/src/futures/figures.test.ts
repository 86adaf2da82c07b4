// Published figures of positions and accounts equal the core's to the last digit: a seeded session of both kinds of
// contracts in every mode, followed by the registered views, compared with the core's state after each command.

import { readContract } from "@clockwork/core/inspect/contracts";
import { coreOf, restoreMachine } from "@clockwork/core/machine/machine";
import {
  freeMargin,
  holdingOf,
  profitOf,
  scopeCash,
  scopePositions,
  transferable,
} from "@clockwork/core/perp/margin/equity";
import { PO_LEVERAGE, POF_MARGIN } from "@clockwork/core/perp/state/records";
import { isIsolated } from "@clockwork/core/perp/state/symbol-margins";
import type { Command } from "@clockwork/core/protocol/command";
import { EVENT_BYTES, EVENTS, type MachineEvent } from "@clockwork/core/protocol/event";
import { createDriver, eventsOf } from "@clockwork/core/testing/driver";
import { createPerpStage, type PerpStage } from "@clockwork/core/testing/perp-stage";
import type { LiveView } from "@clockwork/host/projector";
import { bankruptcyPrice, exactMarginRatio } from "@clockwork/kit/margin";
import { createRandom, type Random } from "@clockwork/kit/random";
import { PROJECTORS } from "@clockwork/server/projectors/projectors";
import { expect, test } from "vitest";
import type { MarketPair } from "../markets/pair.ts";
import type { ContractRegistry, FuturesView } from "../positions/account-view.ts";
import { accountFigures, heldOf, leverageOf, positionFigures } from "../positions/figure-rules.ts";
import { futuresView } from "../projectors/futures/futures-view.ts";
import { emptyFacts } from "../projectors/ledger/facts.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { orderView } from "../projectors/orders/order-view.ts";

const VIEWS = PROJECTORS.views;
const TAKER_RATE = 60_000;

/** The registered views of every account, fed as the account cache feeds them. */
class Followed {
  readonly #facts = emptyFacts();
  readonly #states = new Map<number, unknown[]>();

  follow(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const sequence = view.getFloat64(8, true);
    const stateOf = (taker: number) => (account: number) => this.#states.get(account)?.[taker];
    const runs = VIEWS.map((one, taker) => one.begin(this.#facts.facts, stateOf(taker) as never, sequence));
    for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
      const kind = bytes[at] as number;
      if (PROJECTORS.facts.kinds.includes(kind)) this.#facts.note(kind, view, at);
      if (kind === EVENTS.accountCreated.kind) {
        const account = view.getInt32(at + 4, true);
        if (!this.#states.has(account))
          this.#states.set(
            account,
            VIEWS.map((one) => one.empty()),
          );
      }
      for (const [taker, one] of VIEWS.entries()) if (one.kinds.includes(kind)) runs[taker]?.add(kind, view, at, 0);
    }
    for (const run of runs) run.end();
  }

  of<State>(account: number, view: LiveView<State>): State {
    return this.#states.get(account)?.[VIEWS.indexOf(view as LiveView<unknown>)] as State;
  }

  view(account: number): FuturesView {
    const { positions, settings, stops, bonuses } = this.of(account, futuresView);
    const { orders } = this.of(account, orderView);
    return {
      account,
      owner: { userId: 1, book: "linear", sub: 0 },
      changedSequence: 0,
      positions,
      settings,
      stops,
      orders,
      balances: this.of(account, ledgerView).balances,
      bonusUnits: (asset) =>
        [...bonuses.values()]
          .filter((row) => row.asset === asset && row.state === "ACTIVE")
          .reduce((sum, row) => sum + row.left_units, 0n),
      takerRate: TAKER_RATE,
    };
  }
}

function registryOf(stage: PerpStage): ContractRegistry {
  const core = coreOf(stage.machine);
  const pairOf = (market: number): MarketPair => {
    const contract = readContract(core, market);
    const kind = market === stage.inverse ? "inverse" : "linear";
    const settle = { asset: contract?.settle ?? 0, symbol: "", scale: 6 };
    return { market, kind, factor: contract?.factor ?? 0, settle, contract } as unknown as MarketPair;
  };
  return {
    find: () => undefined,
    findMarket: pairOf,
    findAsset: () => undefined,
    findAssetById: () => undefined,
    list: () => [],
    referenceTicks: () => 0,
    markTicks: (market) => readContract(core, market)?.markTicks ?? 0,
    worthUnits: () => undefined,
    indicatorOf: () => 1,
  };
}

function nextCommand(random: Random, stage: PerpStage, accounts: readonly { id: number; market: number }[]): Command {
  const { id: account, market } = random.pick(accounts);
  const price = random.between(497_000, 503_000);
  const named = { account, market, side: random.pick(["both", "long", "short"] as const) };
  const held = stage.held(account, market).map(({ id }) => id);
  const position = held.length > 0 && random.chance(1, 2) ? random.pick(held) : 0;
  switch (random.below(16)) {
    case 0:
      return { kind: "setLeverage", account, market, long: random.pick([1, 5, 20, 50, 125]) };
    case 1:
      return { kind: "setMarginMode", account, market, isolated: random.chance(1, 2) };
    case 2:
      return { kind: "setPositionMode", account, hedge: random.chance(2, 3), split: random.chance(1, 3) };
    case 3:
      return { kind: "changeMargin", ...named, position, units: random.between(-200_000_000, 400_000_000) || 1 };
    case 4:
      return { kind: "closePosition", ...named, position, lots: random.pick([0, 0, 5]) };
    case 5:
      return { kind: "reversePosition", ...named };
    case 6:
      return { kind: "cancelAll", account, market };
    case 7:
    case 8:
      return { kind: "setReferencePrice", market, markTicks: random.between(495_000, 505_000) };
    case 9:
      return { kind: "setAutoAppend", account, market, on: random.chance(1, 2) };
    case 10:
      return { kind: "setPositionStops", ...named, position, profitTrigger: 510_000, stopTrigger: 490_000 };
    case 11:
      return { kind: "setReferencePrice", market, markTicks: random.between(460_000, 540_000) };
    default: {
      const side = random.pick(["buy", "sell"] as const);
      const quantity = random.pick([1, 10, 60, 400, 3_000]);
      const reduceOnly = random.chance(1, 6);
      return { kind: "placeOrder", account, market, side, price, quantity, reduceOnly, position };
    }
  }
}

/** All published figures of an account against the core's own state. */
function compare(
  stage: PerpStage,
  followed: Followed,
  registry: ContractRegistry,
  account: number,
  asset: number,
): number {
  const core = coreOf(stage.machine);
  const view = followed.view(account);
  const held = heldOf(registry, view, asset);
  const marginAccount = core.perps.marginAccountIndex.find(account, asset);
  const ids = new Map<number, number>();
  for (let at = 1; at < core.perps.positions.count; at++) {
    const isOurs = core.perps.lots(at) !== 0 && core.perps.marginAccountOf(at) === marginAccount;
    if (isOurs && marginAccount !== 0) ids.set(core.perps.positionId(at), at);
  }
  expect(new Set(held.map(({ row }) => row.position_id))).toEqual(new Set(ids.keys()));
  for (const one of held) {
    const at = ids.get(one.row.position_id) as number;
    const cash = BigInt(scopeCash(core, at));
    const scope = scopePositions(core, at);
    const figures = positionFigures(view, one, held);
    const others = scope.filter((other) => other !== at).reduce((sum, other) => sum + profitOf(core, other), 0);
    const holding = holdingOf(core, at);
    expect(one.holding).toEqual(holding);
    expect(one.isIsolated).toBe(isIsolated(core.perps, at));
    expect(leverageOf(view, one)).toBe(core.perps.position(at, PO_LEVERAGE));
    expect(figures.profitUnits).toBe(BigInt(profitOf(core, at)));
    if (one.isIsolated) expect(figures.marginUnits).toBe(BigInt(core.perps.positionDouble(at, POF_MARGIN)));
    expect(figures.bankruptcy).toEqual(bankruptcyPrice(holding.contract, cash + BigInt(others), holding));
    const ratio = exactMarginRatio(
      cash,
      scope.map((other) => holdingOf(core, other)),
    );
    expect(figures.ratioBps === undefined).toBe(ratio === undefined);
  }
  if (marginAccount !== 0) {
    const figures = accountFigures(registry, view, asset);
    expect(figures.freeUnits).toBe(BigInt(freeMargin(core, marginAccount)));
    expect(figures.transferableUnits).toBe(BigInt(transferable(core, marginAccount)));
  }
  return held.length;
}

test.each([1, 2])(
  "[FUT-2] session %i: positions, margins and what is free are the core's to the last digit",
  (seed) => {
    const stage = createPerpStage();
    const followed = new Followed();
    const random = createRandom(seed);
    const registry = registryOf(stage);
    const accounts: { id: number; market: number; asset: number }[] = [];
    const take = (): void => {
      const { events } = stage.machine;
      followed.follow(events.bytes.slice(0, events.length));
    };
    for (let index = 0; index < 8; index++) {
      const inverse = index % 2 === 1;
      const made = stage.send({
        kind: "createAccount",
        user: 100 + index,
        book: inverse ? "inverse" : "linear",
        sub: inverse ? stage.btc : 0,
      });
      take();
      const id = made.flatMap((event) => (event.kind === "accountCreated" ? [event.account] : []))[0] ?? 0;
      const asset = inverse ? stage.btc : stage.usdt;
      const units = index < 2 ? 10 ** 13 : inverse ? 50_000_000 : 20_000_000_000;
      stage.send({ kind: "mint", account: id, asset, business: "deposit", units, reference: `fund:${id}` });
      take();
      accounts.push({ id, asset, market: inverse ? stage.inverse : stage.linear });
    }
    let compared = 0;
    for (let index = 0; index < 1_000; index++) {
      stage.time += random.below(500);
      stage.send(nextCommand(random, stage, accounts));
      take();
      for (const { id, asset } of accounts) compared += compare(stage, followed, registry, id, asset);
    }
    expect(compared).toBeGreaterThan(1_000);
  },
);

interface Mode {
  readonly kind: "linear" | "inverse";
  readonly isolated: boolean;
  readonly hedge: boolean;
  readonly split: boolean;
}

/** Split positions need both sides and margins of their own. */
const MODES: readonly Mode[] = (["linear", "inverse"] as const).flatMap((kind) => [
  { kind, isolated: false, hedge: false, split: false },
  { kind, isolated: true, hedge: false, split: false },
  { kind, isolated: false, hedge: true, split: false },
  { kind, isolated: true, hedge: true, split: false },
  { kind, isolated: true, hedge: true, split: true },
]);

const nameOf = ({ kind, isolated, hedge, split }: Mode): string =>
  [kind, isolated ? "isolated" : "cross", hedge ? "hedge" : "one-way", split ? "split" : "merged"].join(", ");

/**
 * A user in a mode with everything it can hold: one position, both sides, or several of a side; all at different
 * prices.
 */
function openMode({ kind, isolated, hedge, split }: Mode) {
  const stage = createPerpStage();
  const followed = new Followed();
  const isInverse = kind === "inverse";
  const [market, asset] = isInverse ? [stage.inverse, stage.btc] : [stage.linear, stage.usdt];
  const send = (command: Command): MachineEvent[] => {
    const events = stage.sure(command);
    const { machine } = stage;
    followed.follow(machine.events.bytes.slice(0, machine.events.length));
    expect(eventsOf(events, "rejected")).toEqual([]);
    return events;
  };
  const open = (user: number, units: number): number => {
    const book = isInverse ? "inverse" : "linear";
    const made = send({ kind: "createAccount", user, book, sub: isInverse ? stage.btc : 0 });
    const account = eventsOf(made, "accountCreated")[0]?.account ?? 0;
    send({ kind: "mint", account, asset, business: "deposit", units, reference: `fund:${account}` });
    return account;
  };
  const [alice, maker] = [open(501, isInverse ? 40_000_000 : 20_000_000_000), open(502, 10 ** 13)];
  if (hedge) send({ kind: "setPositionMode", account: alice, hedge, split });
  send({ kind: "setLeverage", account: alice, market, long: 20, short: hedge ? 10 : 0 });
  if (isolated && !split) send({ kind: "setMarginMode", account: alice, market, isolated });
  const trade = (side: "buy" | "sell", quantity: number, price: number): void => {
    send({ kind: "placeOrder", account: maker, market, side: side === "buy" ? "sell" : "buy", quantity, price });
    send({ kind: "placeOrder", account: alice, market, side, quantity, price });
  };
  trade("buy", 700, 499_870);
  if (hedge) trade("sell", 230, 500_310);
  if (split) trade("buy", 310, 500_130);
  return { stage, followed, alice, market, asset };
}

/** Whether the core would liquidate the account, or an isolated position, at a mark; evaluated on a copy. */
function isLiquidatedAt(
  stage: PerpStage,
  row: { account: number; position_id: number; market: number },
  ticks: number,
) {
  const copy = createDriver(restoreMachine(stage.machine.snapshot()), stage.time);
  const events = copy.send({ kind: "setReferencePrice", market: row.market, markTicks: ticks });
  return eventsOf(events, "liquidationStarted").some(
    ({ account, isolated, position }) => account === row.account && (!isolated || position === row.position_id),
  );
}

test.each(MODES.map((mode) => [nameOf(mode), mode] as const))(
  "[FUT-2] %s: published figures equal the core's to the last digit, and the core liquidates at the published price, not a tick before",
  (_, mode) => {
    const { stage, followed, alice, market, asset } = openMode(mode);
    const registry = registryOf(stage);
    const count = mode.split ? 3 : mode.hedge ? 2 : 1;
    for (const ticks of [500_000, 497_310, 503_790]) {
      stage.sure({ kind: "setReferencePrice", market, markTicks: ticks });
      const { events } = stage.machine;
      followed.follow(events.bytes.slice(0, events.length));
      expect(compare(stage, followed, registry, alice, asset)).toBe(count);
      const view = followed.view(alice);
      const held = heldOf(registry, view, asset);
      let priced = 0;
      for (const one of held) {
        const { liquidation } = positionFigures(view, one, held);
        if (liquidation === undefined) continue;
        priced += 1;
        // A price below is reached from above, one above from below; on it the ratio is one.
        const isBelow = liquidation.over < BigInt(ticks) * liquidation.under;
        const floor = Number(liquidation.over / liquidation.under);
        const isExact = liquidation.over % liquidation.under === 0n;
        const [due, safe] = isBelow ? [floor, floor + 1] : isExact ? [floor, floor - 1] : [floor + 1, floor];
        expect([isLiquidatedAt(stage, one.row, safe), isLiquidatedAt(stage, one.row, due)]).toEqual([false, true]);
      }
      expect(priced).toBe(count);
    }
  },
);
