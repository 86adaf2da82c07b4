// Owns a small exchange with a rebalancing bot to try things on: two coins against USDT, a maker a tick on both sides of the
// price. For tests; never part of a running exchange.
import { assert, present } from "@clockwork/kit/assert";
import { checkInvariants } from "../inspect/invariants.ts";
import type { Command } from "../protocol/command.ts";
import type { Machine } from "../protocol/contract.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { COIN } from "./bot-stage.ts";
import { eventsOf } from "./driver.ts";
import { createPerpStage, type PerpStage } from "./perp-stage.ts";

export type CreateRebalancer = Extract<Command, { readonly kind: "createRebalancer" }>;

export interface RebalanceStage extends PerpStage {
  readonly eth: number;
  /** BTC/USDT and ETH/USDT: a tick is 0.1 and 0.01, a lot 0.00001 and 0.001. */
  readonly markets: readonly [number, number];
  /** A user's spot account with 100 000 USDT. */
  readonly user: number;
  /** Who stands on both sides of every price. */
  readonly maker: number;
  /** The maker stands a tick above and below, and one lot trades at the price. */
  price(market: number, ticks: number): void;
  /** Lets time pass and works off all that is due. */
  pass(ms: number): MachineEvent[];
  /** Half each with 10 000 USDT by 5 %, unless it says. */
  create(own?: Partial<CreateRebalancer>): MachineEvent[];
}

const DEEP_LOTS = 1_000_000;

function open(stage: PerpStage, user: number, units: readonly (readonly [number, number])[]): number {
  const made = stage.send({ kind: "createAccount", user, book: "spot" });
  const { account } = present(eventsOf(made, "accountCreated")[0], "STAGE-1", "spot");
  for (const [asset, held] of units)
    stage.send({ kind: "mint", account, asset, business: "deposit", units: held, reference: `f:${account}:${asset}` });
  return account;
}

function list(stage: PerpStage, base: number, symbol: string, tickDecimals: number, stepUnits: number): number {
  const listed = stage.send({
    kind: "listMarket",
    base,
    quote: stage.usdt,
    tickMantissa: 1,
    tickDecimals,
    stepUnits,
    symbol,
    minNotionalUnits: 5 * COIN,
    // Wide enough for a random walk.
    buyMaxBps: 40_000,
    sellMinBps: 1_000,
  });
  return present(eventsOf(listed, "marketListed")[0], "STAGE-1", symbol).market;
}

function sendSurely(stage: PerpStage, command: Command): MachineEvent[] {
  const events = stage.send(command);
  for (let i = 0; i < 1_000 && stage.machine.nextTimerAt <= stage.machine.now; i++)
    events.push(...stage.send({ kind: "tick" }));
  const [violation] = checkInvariants(stage.machine);
  assert(violation === undefined, violation?.rule ?? "", violation?.detail ?? "");
  return events;
}

export function createRebalanceStage(machine?: Machine): RebalanceStage {
  const stage = createPerpStage(machine);
  const listed = stage.send({ kind: "listAsset", symbol: "ETH", scale: 8 });
  const eth = present(eventsOf(listed, "assetListed")[0], "STAGE-1", "ETH").asset;
  const markets = [list(stage, stage.btc, "BTC/USDT", 1, 1_000), list(stage, eth, "ETH/USDT", 2, 100_000)] as const;
  const rich = [
    [stage.usdt, 1e15],
    [stage.btc, 1e14],
    [eth, 1e14],
  ] as const;
  const [maker, other] = [open(stage, 6_002, rich), open(stage, 6_003, rich)];
  const user = open(stage, 6_001, [[stage.usdt, 100_000 * COIN]]);
  const priced = new Map<number, number>();
  /** Every coin's index, since one counts for a minute; that of a contract comes first. */
  const indexes = (market: number, ticks: number): Command[] =>
    [...priced.set(market, ticks)].map(([of, indexTicks]) => ({
      kind: "setReferencePrice",
      market: of === markets[0] ? stage.linear : of,
      indexTicks,
    }));
  return Object.assign(stage, {
    eth,
    markets,
    user,
    maker,
    sure: (command: Command): MachineEvent[] => sendSurely(stage, command),
    price(market: number, ticks: number): void {
      const order = { kind: "placeOrder", account: maker, market, price: ticks } as const;
      for (const command of [
        { kind: "cancelAll", account: maker, market },
        ...indexes(market, ticks),
        { ...order, side: "sell", quantity: 100 },
        { ...order, account: other, side: "buy", quantity: 100, timeInForce: "IOC" },
        { ...order, side: "buy", price: ticks - 1, quantity: DEEP_LOTS },
        { ...order, side: "sell", price: ticks + 1, quantity: DEEP_LOTS },
      ] as const) {
        const [refusal] = eventsOf(sendSurely(stage, command), "rejected");
        assert(refusal === undefined, "STAGE-1", `${command.kind} at ${ticks}: ${refusal?.code}`);
      }
    },
    pass(ms: number): MachineEvent[] {
      stage.time += ms;
      return sendSurely(stage, { kind: "tick" });
    },
    create(own: Partial<CreateRebalancer> = {}): MachineEvent[] {
      return sendSurely(stage, {
        kind: "createRebalancer",
        account: user,
        thresholdBps: 500,
        quoteUnits: 10_000 * COIN,
        coins: markets.map((market) => ({ market, weightBps: 5_000 })),
        reference: `rebalancer:${stage.journal.length}`,
        ...own,
      });
    },
  });
}
