// Which slots a list and its legs, a slicer or a switch get makes no difference: the same orders, told the same, where each of
// them in turn has the first slot of all.
import { expect, it } from "vitest";
import { checkInvariants } from "../../inspect/invariants.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { createStage, passRounds } from "../../testing/stage.ts";

/** The slots of a round without live orders. */
const ROUND = 1_024;
/** As many as the script below takes. */
const TAKEN = 48;

type Known = (name: string) => number;
/** What its orders are called, who sends it, and what. */
type Step = readonly [string, "a" | "b", { readonly kind: Command["kind"]; readonly [member: string]: unknown }];

/** Names the ids of what was just made, in the order in which they were given out. */
class Namer {
  readonly #ids: number[] = [];
  readonly #named = new Map<string, number>();

  readonly known: Known = (name) => this.#named.get(name) ?? 0;

  note(name: string, events: readonly MachineEvent[]): void {
    const made = events.flatMap((event) => {
      if (event.kind === "orderAccepted" || event.kind === "conditionalAccepted") return [event.orderId];
      if (event.kind === "listCreated") return [event.list];
      return event.kind === "twapStarted" ? [event.twap] : [];
    });
    for (const [at, id] of made.entries()) {
      if (!this.#ids.includes(id)) this.#ids.push(id);
      this.#named.set(`${name}${at}`, id);
    }
  }

  /** The events, a line each, ids by when they were given out. */
  plain(events: readonly MachineEvent[]): string[] {
    return events.map((event) =>
      JSON.stringify(event, (_member, value: unknown) => {
        const at = typeof value === "number" ? this.#ids.indexOf(value) : -1;
        return at < 0 ? value : `#${at}`;
      }),
    );
  }
}

const exits = { profitPrice: 1_100, stopTrigger: 900 } as const;

/** What is sent, by the ids of what came before. Alice (a) meets bob (b), who trades with himself too. */
function* script(known: Known): Generator<Step> {
  const tradeAt = (price: number): Step[] => [
    ["t", "b", { kind: "placeOrder", price, quantity: 4 }],
    ["t", "b", { kind: "placeOrder", side: "sell", price, quantity: 4, selfTrade: "NONE" }],
  ];
  const take = (side: string, price: number, quantity: number): Step => {
    return ["t", "b", { kind: "placeOrder", side, price, quantity, timeInForce: "IOC" }];
  };
  yield* tradeAt(1_000);
  yield ["oco", "a", { kind: "placeOco", price: 900, trigger: 1_050 }];
  yield ["", "a", { kind: "amendPlan", orderId: known("oco1"), trigger: 1_060, quantity: 9 }];
  yield ["", "a", { kind: "cancelOrder", orderId: known("oco2") }];
  yield ["down", "a", { kind: "placeOco", side: "sell", price: 1_100, trigger: 960, stopPrice: 955 }];
  yield ["", "a", { kind: "amendPlan", orderId: known("down2"), price: 1_090 }];
  yield* tradeAt(960);
  yield ["", "a", { kind: "cancelAll" }];
  yield* tradeAt(1_000);
  // Three lots alone are too few for an exit.
  yield ["pair", "a", { kind: "placeBracket", price: 990, quantity: 12, ...exits }];
  yield take("sell", 990, 4);
  yield take("sell", 990, 3);
  yield take("buy", 1_100, 3);
  yield take("sell", 990, 3);
  yield ["", "a", { kind: "cancelList", list: known("pair0") }];
  yield ["stop", "a", { kind: "placeBracket", price: 990, stopTrigger: 900 }];
  yield take("sell", 990, 4);
  yield take("sell", 990, 3);
  yield ["", "a", { kind: "cancelOrder", orderId: known("stop1") }];
  yield* tradeAt(900);
  yield ["high", "a", { kind: "placeBracket", price: 890, profitPrice: 1_100 }];
  yield take("sell", 890, 4);
  yield take("sell", 890, 6);
  yield take("buy", 1_100, 20);
  yield ["now", "a", { kind: "placeBracket", price: 1_100, quantity: 5, stopTrigger: 500 }];
  yield ["slow", "a", { kind: "placeTwap", price: 1_000, quantity: 90, durationMs: 300_000, intervalMs: 10_000 }];
  yield ["", "a", { kind: "setDeadMan", timeoutMs: 5_000 }];
  yield ["", "a", { kind: "setDeadMan", timeoutMs: 9_000 }];
  yield ["", "a", { kind: "cancelOrder", orderId: known("slow0") }];
  yield ["x", "a", { kind: "placeConditional", side: "sell", price: 400, conditional: "stopLimit", trigger: 400 }];
  for (let second = 0; second < 8; second++) yield ["", "a", { kind: "tick" }];
}

/** What was told where so many slots of a round are left at the beginning. */
function story(left: number): string {
  const stage = createStage({ anchorTicks: 1_000, minNotionalUnits: 2_800 });
  stage.send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
  const accounts = { a: stage.trader(1e5, 1e6), b: stage.trader(1e8, 1e8) };
  stage.send({ kind: "setAccountFlags", account: accounts.b, allowSelfTrade: true });
  passRounds(stage.machine, 1, ROUND + 1 - left);
  const namer = new Namer();
  const { known } = namer;
  const published: string[] = [];
  for (const [name, who, more] of script(known)) {
    stage.time += 1_000;
    const common = { account: accounts[who], market: stage.market, side: "buy", quantity: 10, direction: "falls" };
    const everywhere = more.kind === "cancelAll" || more.kind === "setDeadMan" ? { market: -1 } : {};
    const events = stage.send({ ...common, ...more, ...everywhere } as unknown as Command);
    namer.note(name, events);
    published.push(...namer.plain(events));
  }
  expect(checkInvariants(stage.machine)).toEqual([]);
  return published.join("\n");
}

it("[LIST-23] lists, slicers and switches do the same with whichever slot", () => {
  const usual = story(TAKEN + 20);
  for (let left = 0; left <= TAKEN; left++) expect([left, story(left)]).toEqual([left, usual]);
});
