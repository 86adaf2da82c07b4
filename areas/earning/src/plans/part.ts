// Connects recurring buys with the user's books, the spot market, earn and the clock. Contains no rules.
import { randomBytes } from "node:crypto";
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { Part } from "@clockwork/host/part";
import { readPriceTicks } from "@clockwork/kit/instrument";
import { formatUnits, toCoreUnits, units } from "@clockwork/kit/money";
import { MINUTE_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import type { BillRow, OrderRow } from "@clockwork/trading/projectors/rows/rows";
import type { Earn } from "../earn/part.ts";
import type { Bought, PlanNeeds } from "./needs.ts";
import { planRoutes } from "./routes.ts";
import { PlanRunner } from "./run-service.ts";
import { PlanService } from "./service.ts";
import { planStore } from "./store.ts";

const NOTICE = "plans";
const POOL_USED = "Today's pool for redemptions from Flexible is used up.";
const CAP_BPS = 100;
/** How far above the fair price the book may start: buys come at known times, and others may wait for them. */
const FAR_BPS = 300;
const USDT = "USDT";

export function plansPart(context: PartContext, earn: Earn): Part {
  const { database, accounts, jobs, clock } = context;
  accounts.notices.register({ kind: NOTICE, group: "products", defaults: ["live", "letter"] });
  const parts = { store: planStore(database.kysely), needs: needsOf(context, earn) };
  const runner = new PlanRunner(parts);
  jobs.add({
    name: "plans.run",
    schedule: { everyMs: MINUTE_MS },
    missed: "latest",
    run: () => runner.run(clock.now()),
  });
  return { routes: planRoutes(new PlanService(parts)) };
}

function needsOf(context: PartContext, earn: Earn): PlanNeeds {
  const { market, engine, clock, accounts } = context;
  const { pairs } = market;
  const { books, index } = earn;
  const usdt = () => pairs.findAsset(USDT)?.asset ?? 0;
  const flexible = async (userId: number) =>
    (await earn.view.listHoldings(userId, clock.now())).holdings.find(
      ({ kind, asset }) => kind === "flexible" && asset === USDT,
    );
  return {
    now: clock.now,
    levelOf: books.levelOf,
    findCoin: (symbol) => pairs.findAsset(symbol),
    isTraded: (symbol) => pairs.findPair(`${symbol}_${USDT}`)?.status === "TRADING",
    worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
    async freeUnits(userId, source) {
      if (source === "flexible") return decimalUnits((await flexible(userId))?.principal);
      const account = await books.user(userId, source);
      return account === undefined ? 0n : (await books.read(account, usdt())).freeUnits;
    },
    async bring(userId, source, amountUnits, reference) {
      if (source === "flexible") {
        const holding = await flexible(userId);
        if (holding === undefined) return "HOLDING_UNKNOWN";
        const body = {
          holdingId: holding.holdingId,
          amount: formatUnits(units(amountUnits), 6),
          clientId: reference.slice(-32).replaceAll(":", "."),
        };
        // Money that arrives tomorrow buys nothing today: it remains where it earns.
        const answer = await earn.service.redeem(userId, body, clock.now(), "atOnce");
        if (answer.done) return answer.value.state === "done" ? "done" : "later";
        if (answer.code === "REDEEM_POOL_USED") return POOL_USED;
        return answer.code === "EARN_BUSY" ? "later" : answer.code;
      }
      const [account, to] = await Promise.all([books.user(userId, "funding"), books.user(userId, "spot")]);
      if (account === undefined || to === undefined) return "later";
      const money = { asset: usdt(), units: toCoreUnits(units(amountUnits)), reference };
      const ack = await engine.submit({ kind: "transfer", account, to, ...money });
      if (ack.done) return "done";
      return ack.code.startsWith("ENGINE_") ? "later" : ack.code;
    },
    buy: (userId, symbol, quoteUnits, reference) => buy(context, earn, { userId, symbol, quoteUnits, reference }),
    readCloses: (symbol, interval, fromMs, toMs) => index.readCloses(symbol, interval, fromMs, toMs),
    randomId: () => randomBytes(8).toString("hex"),
    notify: async (userId, notice, timeMs) => {
      await accounts.notices.notify(userId, { kind: NOTICE, path: "/earn/recurring", ...notice }, timeMs);
    },
  };
}

function decimalUnits(text: string | undefined): bigint {
  const [whole = "0", decimals = ""] = (text ?? "0").split(".");
  return BigInt(whole + decimals.padEnd(6, "0"));
}

interface Buy {
  readonly userId: number;
  readonly symbol: string;
  readonly quoteUnits: bigint;
  readonly reference: string;
}

/** At the market; less than the minimum order is bought from the exchange at the best price shown, or the fair one. */
async function buy(context: PartContext, { books }: Earn, request: Buy): Promise<Bought | "later"> {
  const { engine, market } = context;
  const pair = market.pairs.findPair(`${request.symbol}_${USDT}`);
  const account = await books.user(request.userId, "spot");
  if (account === undefined) return "later";
  if (pair === undefined || pair.status !== "TRADING") return { boughtUnits: 0n, spentUnits: 0n, code: "NOT_TRADED" };
  const quantity = toCoreUnits(units(request.quoteUnits));
  if (quantity < pair.minNotionalUnits) return buyFromHouse(context, account, pair, request);
  const [best, fair] = [bestAsk(context, pair), market.pairs.fairTicks(pair.market)];
  const isFar = best !== undefined && fair !== 0 && best * 10_000 > fair * (10_000 + FAR_BPS);
  // Unless it was bought before a stop, when the book was another.
  if (isFar) return readOrdered(context, account, pair, request.reference);
  const ack = await engine.submit({
    kind: "placeOrder",
    account,
    market: pair.market,
    side: "buy",
    type: "market",
    inQuote: true,
    quantity,
    slippageBps: CAP_BPS,
    clientOrderId: request.reference,
  });
  if (!ack.done) return ack.code.startsWith("ENGINE_") ? "later" : { boughtUnits: 0n, spentUnits: 0n, code: ack.code };
  const repeated = ack.events.find((event) => event.kind === "repeated");
  if (repeated !== undefined) {
    return readBought(context, account, pair, { sequence: repeated.firstSequence }, ack.sequence);
  }
  let boughtUnits = 0n;
  let spentUnits = 0n;
  for (const event of ack.events) {
    if (event.kind !== "posting" || event.account !== account) continue;
    if (event.asset === pair.base.asset) boughtUnits += BigInt(event.deltaUnits);
    if (event.asset === pair.quote.asset) spentUnits -= BigInt(event.deltaUnits);
  }
  return { boughtUnits, spentUnits, code: boughtUnits === 0n ? "BOOK_TOO_THIN" : "" };
}

type Pair = NonNullable<ReturnType<PartContext["market"]["pairs"]["findPair"]>>;

/** The lowest offered price, in ticks. */
function bestAsk({ market }: PartContext, pair: Pair): number | undefined {
  const [price] = market.data.projector.states.get(pair.market)?.book.asks.top(1)[0] ?? [];
  return price === undefined ? undefined : readPriceTicks(pair, price);
}

/** The amount bought by an order of that id; undefined without one. */
async function readOrdered(context: PartContext, account: number, pair: Pair, clientId: string): Promise<Bought> {
  const { ledger, database, engine } = context;
  const { sequence } = engine.health();
  await ledger.settled(sequence);
  const order = await database.kysely
    .$extendTables<{ engine_orders: OrderRow }>()
    .selectFrom("engine_orders")
    .select("created_sequence")
    .where("account", "=", account)
    .where("client_order_id", "=", clientId)
    .executeTakeFirst();
  if (order === undefined) return { boughtUnits: 0n, spentUnits: 0n, code: "BOOK_TOO_THIN" };
  return readBought(context, account, pair, { sequence: order.created_sequence }, sequence);
}

/** Buys before a stop, by their bills: of an order's command, or of a settlement's name. */
async function readBought(
  { ledger, database }: PartContext,
  account: number,
  { base, quote }: Pair,
  by: { readonly sequence: number } | { readonly reference: string },
  sequence: number,
): Promise<Bought> {
  await ledger.settled(sequence);
  const bills = database.kysely
    .$extendTables<{ engine_bills: BillRow }>()
    .selectFrom("engine_bills")
    .select(["asset", "delta_units"])
    .where("account", "=", account);
  const rows = await ("sequence" in by
    ? bills.where("sequence", "=", by.sequence)
    : bills.where("reference", "=", by.reference)
  ).execute();
  const sum = (asset: number): bigint =>
    rows.reduce((total, row) => (row.asset === asset ? total + row.delta_units : total), 0n);
  const boughtUnits = sum(base.asset);
  return { boughtUnits, spentUnits: -sum(quote.asset), code: boughtUnits === 0n ? "BOOK_TOO_THIN" : "" };
}

async function buyFromHouse(
  context: PartContext,
  account: number,
  pair: Pair,
  { quoteUnits, reference }: Buy,
): Promise<Bought | "later"> {
  const { engine, market } = context;
  const [best, fair] = [bestAsk(context, pair), market.pairs.fairTicks(pair.market)];
  // It may have been bought before a stop, when there was a price.
  if (best === undefined || fair === 0)
    return readBought(context, account, pair, { reference }, engine.health().sequence);
  // The exchange sells no cheaper than the fair price, even with a cheaper offer in the book for a moment.
  const lot = BigInt(Math.max(best, fair)) * BigInt(pair.factor);
  const boughtUnits = (quoteUnits * BigInt(pair.stepUnits)) / lot;
  if (boughtUnits === 0n) return { boughtUnits: 0n, spentUnits: 0n, code: "TOO_SMALL" };
  const money = { business: "convert" } as const;
  const legs = [
    { from: account, to: RESERVES_ACCOUNT, asset: pair.quote.asset, units: toCoreUnits(units(quoteUnits)), ...money },
    { from: RESERVES_ACCOUNT, to: account, asset: pair.base.asset, units: toCoreUnits(units(boughtUnits)), ...money },
  ];
  const ack = await engine.submit({ kind: "settle", reference, legs });
  if (ack.done) return { boughtUnits, spentUnits: quoteUnits, code: "" };
  // Bought before a stop, at the price there was then.
  if (ack.code === "REFERENCE_REUSED") {
    return readBought(context, account, pair, { reference }, engine.health().sequence);
  }
  return ack.code.startsWith("ENGINE_") ? "later" : { boughtUnits: 0n, spentUnits: 0n, code: ack.code };
}
