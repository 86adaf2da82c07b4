// Random lives of orders on the real core: two people, support and the timer press whatever they like, processes stop
// between the ledger and the table, and after every step the coins in escrow are those of the open orders, nothing is lost,
// and what was released was released once.
import { readBalances } from "@clockwork/core/inspect/balances";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { FEES_ACCOUNT } from "@clockwork/core/protocol/names";
import { eventsOf } from "@clockwork/core/testing/driver";
import { createStage, type Stage } from "@clockwork/core/testing/stage";
import type { ChatService } from "@clockwork/domains/otcorders/chat-service";
import type { OrderNeeds, TakenAd } from "@clockwork/domains/otcorders/needs";
import { OrderService } from "@clockwork/domains/otcorders/service";
import type { OrderRow, OrderStore } from "@clockwork/domains/otcorders/store";
import {
  findRule,
  isOpen,
  OTC_ACTIONS,
  OTC_ACTORS,
  type OtcAction,
  type OtcActor,
  type OtcState,
} from "@clockwork/kit/otc/order-machine";
import { escrowOf, feeOf, stockWithFee } from "@clockwork/kit/otc/price";
import fc from "fast-check";
import { expect, test } from "vitest";
import { escrowOn } from "./otc-ledger.ts";

const [SELLER, BUYER] = [101, 102];
const STOCK = 1_000_000_000n;
const WINDOW_MS = 15 * 60_000;

/** A process that may end at any moment between two writes: so many of them are still done. */
class Process {
  #writesLeft: number | undefined;

  endAfter(writes: number): void {
    this.#writesLeft = writes;
  }

  live(): void {
    this.#writesLeft = undefined;
  }

  /** Passed before every write; an ended process writes nothing any more. */
  write(): void {
    if (this.#writesLeft === undefined) return;
    if (this.#writesLeft === 0) throw new Error("the process ended");
    this.#writesLeft -= 1;
  }
}

/** The table in memory, with the same compare-and-sets as the SQL. */
function memoryStore(process: Process) {
  const rows = new Map<string, OrderRow>();
  const steps: { readonly id: number; readonly order_id: string; readonly action: string; untold: boolean }[] = [];
  const change = (row: OrderRow, values: Partial<OrderRow>): OrderRow => {
    const next = { ...row, ...values };
    rows.set(row.order_id, next);
    return next;
  };
  const store: Partial<OrderStore> = {
    find: async (orderId) => rows.get(orderId),
    findIntent: async (_, clientId) => [...rows.values()].find((row) => row.client_id === clientId),
    place: async (row, _, reserve) => {
      process.write();
      if (!(await reserve(undefined as never))) return "taken";
      rows.set(row.order_id, row);
      return "placed";
    },
    begin: async (orderId, from, { action, by, timeMs }) => {
      const row = rows.get(orderId);
      if (row === undefined || row.state !== from || row.intent !== "") return false;
      process.write();
      change(row, { intent: action, intent_by: by, intent_ms: timeMs });
      return true;
    },
    end: async (at, values, { action }, more) => {
      process.write();
      const row = rows.get(at.order_id);
      if (row === undefined || row.state !== at.state || row.intent !== at.intent) return undefined;
      await more(undefined as never);
      const step = { id: steps.length + 1, order_id: at.order_id, action, untold: true };
      steps.push(step);
      return { order: change(row, { ...values, intent: "", intent_by: "" }), stepId: step.id };
    },
    listUntold: async () => steps.filter(({ untold }) => untold),
    markTold: async (stepId) => {
      process.write();
      for (const step of steps) if (step.id === stepId) step.untold = false;
    },
    callOff: async (at) => {
      process.write();
      const row = rows.get(at.order_id);
      if (row !== undefined && row.intent === at.intent) change(row, { intent: "", intent_by: "" });
    },
    listDue: async (timeMs) =>
      [...rows.values()].filter(
        (row) => row.intent !== "" || row.state === "PLACING" || (row.state === "WAIT_PAY" && row.pay_by_ms <= timeMs),
      ),
    findComplaintOf: async () => undefined,
  };
  return { rows, steps, store: store as OrderStore };
}

function openWorld() {
  const stage = createStage();
  const seller = stage.trader(0, Number(stockWithFee(STOCK)), { user: SELLER, book: "funding" });
  const buyer = stage.trader(0, 0, { user: BUYER, book: "funding" });
  const process = new Process();
  const now = () => stage.time;
  const table = memoryStore(process);
  const told = new Map<string, number>();
  const stock = { units: STOCK };
  const coin = { asset: stage.quote, symbol: "USDT", scale: 6 };
  const escrow = escrowOn({
    submit: async (command) => {
      process.write();
      return eventsOf(stage.send(command), "rejected")[0]?.code ?? "DONE";
    },
    open: async (userId) => (userId === SELLER ? seller : buyer),
    worthUnits: () => undefined,
  });
  const tell: OrderNeeds["tell"] = async (userId, { topic, stepId }) => {
    process.write();
    // As notices do: the same thing is told once.
    told.set(`${userId}:${topic}:${stepId}`, 1);
  };
  const needs = orderNeeds({ escrow, coin, now, stock, tell });
  const chat = { note: async () => undefined } as unknown as ChatService;
  const service = new OrderService({ store: table.store, chat, needs });
  return { stage, seller, buyer, process, table, told, stock, service, coin };
}

type World = ReturnType<typeof openWorld>;

function orderNeeds(parts: {
  escrow: OrderNeeds["escrow"];
  coin: { asset: number; symbol: string; scale: number };
  now: () => number;
  stock: { units: bigint };
  tell: OrderNeeds["tell"];
}): OrderNeeds {
  const { escrow, coin, now, stock, tell } = parts;
  let ids = 0;
  const needs: Partial<OrderNeeds> = {
    ...{ now, escrow, coin: () => coin, worthUnits: () => 0n },
    take: async (_, { quantity }) =>
      ({
        ...{ adId: 1, version: 1, makerId: SELLER, slot: 1, side: "sell", asset: "USDT", fiat: "AED", matchId: "" },
        ...{ windowMinutes: 15, priceE4: 36_725n, quantityUnits: BigInt(quantity ?? "1"), amountCents: 1n },
        ...{ paymentIds: ["p"], paymentKinds: ["bank"] },
      }) satisfies TakenAd,
    reserve: async (_, { quantityUnits }) => {
      if (stock.units < quantityUnits) return false;
      stock.units -= quantityUnits;
      return true;
    },
    giveBack: async (_, __, quantityUnits) => {
      stock.units += quantityUnits;
    },
    adChanged: async () => undefined,
    findPayment: async () => ({ paymentId: "p", userId: SELLER, kind: "bank", fiat: "AED", details: "{}" }),
    person: async () => ({ name: "", level: 2, createdMs: 0, isSimulated: false, bondUnits: undefined, reply: "" }),
    seal: (plain) => plain,
    open: (sealed) => sealed,
    randomDigits: () => {
      ids += 1;
      return String(ids).padStart(8, "0");
    },
    recordChanged: () => undefined,
    publish: () => undefined,
    tell,
  };
  return needs as OrderNeeds;
}

function balance(stage: Stage, account: number): { readonly free: number; readonly frozen: number } {
  const columns = readBalances(stage.machine);
  for (let i = 0; i < columns.accounts.length; i += 1)
    if (columns.accounts[i] === account && columns.assets[i] === stage.quote)
      return { free: columns.availableUnits[i] as number, frozen: columns.frozenUnits[i] as number };
  return { free: 0, frozen: 0 };
}

/** What must hold whenever nothing is under way. */
function check({ stage, seller, buyer, table, stock }: World): void {
  expect(checkInvariants(stage.machine)).toEqual([]);
  const rows = [...table.rows.values()];
  if (rows.some((row) => row.intent !== "" || row.state === "PLACING")) return;
  // The timer's own step may be due and not done yet.
  if (rows.some((row) => row.state === "WAIT_PAY" && row.pay_by_ms <= stage.time)) return;
  const open = rows.filter((row) => isOpen(row.state)).map((row) => escrowOf(row.quantity_units, true));
  const done = rows.filter((row) => row.state === "COMPLETED");
  const sum = (all: readonly bigint[]): number => Number(all.reduce((whole, one) => whole + one, 0n));
  expect(balance(stage, seller).frozen).toBe(sum(open));
  expect(balance(stage, buyer).free).toBe(sum(done.map((row) => row.quantity_units)));
  expect(balance(stage, FEES_ACCOUNT).free).toBe(sum(done.map((row) => feeOf(row.quantity_units))));
  const takenUnits = taken(rows).reduce((whole, one) => whole + one, 0n);
  expect(stock.units).toBe(STOCK - takenUnits);
}

/** What is not in the stock any more: of open and of completed orders. */
const taken = (rows: readonly OrderRow[]): readonly bigint[] =>
  rows.filter((row) => isOpen(row.state) || row.state === "COMPLETED").map((row) => row.quantity_units);

type Press =
  | { readonly what: "place"; readonly quantity: number }
  | { readonly what: "act"; readonly by: OtcActor; readonly action: OtcAction; readonly at: number }
  | { readonly what: "wait"; readonly ms: number }
  | { readonly what: "resume" }
  | { readonly what: "stop"; readonly writes: number };

const presses: fc.Arbitrary<Press> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant("place" as const), quantity: fc.integer({ min: 1, max: 600_000_000 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant("act" as const),
      by: fc.constantFrom(...OTC_ACTORS),
      action: fc.constantFrom(...OTC_ACTIONS),
      at: fc.nat(8),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 60_000, WINDOW_MS - 1, WINDOW_MS),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ what: "resume" as const }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("stop" as const), writes: fc.nat(7) }) },
);

async function press(world: World, one: Press): Promise<void> {
  const { service, table, stage, process } = world;
  const rows = [...table.rows.values()];
  switch (one.what) {
    case "place":
      await service.place(BUYER, {
        adId: "1",
        quantity: String(one.quantity),
        paymentId: "p",
        clientId: `c${rows.length}`,
      });
      return;
    case "act": {
      const row = rows[one.at % Math.max(1, rows.length)];
      if (row !== undefined) await service.step(row, one.by, one.action);
      return;
    }
    case "wait":
      stage.time += one.ms;
      stage.send({ kind: "tick" });
      return;
    case "resume":
      await service.resume();
      return;
    case "stop":
      process.endAfter(one.writes);
  }
}

/** Everything a process that was started again finds is brought to its end, and everybody told. */
async function startAgain(world: World): Promise<void> {
  world.process.live();
  await world.service.resume();
  check(world);
  expect([...world.table.rows.values()].every((row) => row.intent === "" && row.state !== "PLACING")).toBe(true);
  expect(world.table.steps.filter(({ untold }) => untold)).toEqual([]);
}

test("[OTC-1] whatever two people, support and the timer press, and wherever a process stops, escrow is the open orders", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(presses, { minLength: 5, maxLength: 40 }), async (all) => {
      const world = openWorld();
      for (const one of all) {
        // A stop in the middle of a step is what the next start finds.
        const hasEnded = await press(world, one).then(
          () => false,
          () => true,
        );
        if (hasEnded) await startAgain(world);
        else check(world);
      }
      await startAgain(world);
    }),
    { numRuns: 60 },
  );
});

/** One way through the table for each action, from the order to the action itself. */
const WAYS: readonly (readonly (readonly [OtcActor, OtcAction])[])[] = [
  [["buyer", "pay"]],
  [["buyer", "cancel"]],
  [["timer", "expire"]],
  [
    ["buyer", "pay"],
    ["seller", "release"],
  ],
  [
    ["buyer", "pay"],
    ["buyer", "cancel"],
  ],
  [
    ["buyer", "pay"],
    ["seller", "askCancel"],
  ],
  [
    ["buyer", "pay"],
    ["buyer", "appeal"],
    ["buyer", "withdrawAppeal"],
    ["seller", "appeal"],
    ["support", "awardBuyer"],
  ],
  [
    ["buyer", "pay"],
    ["seller", "appeal"],
    ["support", "awardSeller"],
  ],
];

test("[OTC-1] stopped at every single write of every step, an order ends once and whoever is concerned is told of each step", async () => {
  for (const way of WAYS) {
    let isThrough = false;
    for (let writes = 0; !isThrough; writes += 1) {
      const world = openWorld();
      const { service, table, stage, process } = world;
      process.endAfter(writes);
      isThrough = true;
      const again = async <Value>(work: () => Promise<Value>): Promise<Value> => {
        try {
          return await work();
        } catch {
          isThrough = false;
          await startAgain(world);
          return work();
        }
      };
      const body = { adId: "1", quantity: "1000000", paymentId: "p", clientId: "c" };
      await again(() => service.place(BUYER, body));
      for (const [by, action] of way) {
        if (action === "expire") stage.time += WINDOW_MS;
        if (action === "expire") stage.send({ kind: "tick" });
        // What the next start has finished already is refused the second time.
        await again(async () => service.step(rowOf(table.rows), by, action));
        await startAgain(world);
      }
      const last = way.at(-1);
      expect(table.steps.map(({ action }) => action)).toEqual(["placed", ...way.map(([, action]) => action)]);
      expect([rowOf(table.rows).state, last]).toEqual([findEnd(way), last]);
      expect(world.told.size).toBe(toldOf(table.steps.map(({ action }) => action)));
    }
  }
});

const rowOf = (rows: ReadonlyMap<string, OrderRow>): OrderRow => {
  const [row] = rows.values();
  if (row === undefined) throw new Error("there is no order");
  return row;
};

const findEnd = (way: (typeof WAYS)[number]): string =>
  way.reduce<OtcState>((state, [by, action]) => findRule(state, by, action)?.to ?? state, "WAIT_PAY");

/** One of the two is told of most steps, both of what neither or both have done. */
const BOTH: readonly string[] = ["expire", "release", "appeal", "withdrawAppeal", "awardBuyer", "awardSeller"];
const toldOf = (actions: readonly string[]): number =>
  actions.reduce((whole, action) => whole + (BOTH.includes(action) ? 2 : 1), 0);
