// Connects the Binance dialect with API keys, the market and the exchange's own calls. Holds no rule of trading.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Channel } from "@clockwork/host/channel";
import { type Part, runs } from "@clockwork/host/part";
import { measureMs } from "@clockwork/host/time/measure";
import type { DialectCall } from "@clockwork/identity/apikeys/contract";
import type { ApiKeys } from "@clockwork/identity/apikeys/part";
import { dialectRoutes } from "@clockwork/identity/apikeys/routes";
import { writeInstrument } from "@clockwork/kit/instrument";
import { DAY_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import { sidesHistory } from "@clockwork/trading/futures/sides-history";
import { orderEventStore } from "@clockwork/trading/projectors/orders/order-events";
import type { SpotBalance } from "@clockwork/trading/spot/contract";
import { buildOrder } from "@clockwork/trading/spot/order-rules";
import { describeProblem } from "@clockwork/trading/spot/refusal-rules";
import { mountDocuments } from "../../open/documents.ts";
import { mountGateway } from "../../open/gateway.ts";
import { mountUdf } from "../../open/udf.ts";
import { DataArchive } from "../archive/archive.ts";
import { INVERSE, LINEAR } from "../contract/contracts.ts";
import { contractDownloads } from "../contract/downloads.ts";
import { statisticEndpoints } from "../contract/statistics.ts";
import type { Endpoint } from "../endpoint.ts";
import { internalCaller } from "../endpoint.ts";
import { dialectLimits } from "../limits.ts";
import { productEndpoints } from "../products/products.ts";
import { badSymbol, refusalFrom } from "../refusal.ts";
import { sapiEndpoints } from "../sapi.ts";
import { seenSignatures } from "../seen.ts";
import { mountEndpoints, type ServeParts } from "../serve.ts";
import { spotAccountEndpoints } from "../spot/account.ts";
import { spotListEndpoints } from "../spot/lists.ts";
import { spotMarketEndpoints } from "../spot/market.ts";
import { spotEventEndpoints } from "../spot/order-events.ts";
import { listOpen, NATIVE } from "../spot/order-list.ts";
import { spotReadEndpoints } from "../spot/order-reads.ts";
import type { SizeSale, SpotOrderRequest } from "../spot/order-request.ts";
import { spotOrderEndpoints } from "../spot/orders.ts";
import { quantityFor } from "../spot/quote-size.ts";
import { spotRuleEndpoints } from "../spot/rules.ts";
import { spotMethods } from "../spot/ws-methods.ts";
import { streamBoard } from "../stream/board.ts";
import { connectionLimit } from "../stream/connection-limit.ts";
import { CONTRACT_PATHS, OPEN_PATHS, pathsOf, streamDoor } from "../stream/door.ts";
import { anyOf, openMarket, type StreamMarket } from "../stream/open-board.ts";
import { spotSources } from "../stream/spot-sources.ts";
import { followSpotUser } from "../stream/spot-user.ts";
import { listenKeyEndpoints, userStreams } from "../stream/user-streams.ts";
import { type WsApiParts, wsApiDoor } from "../stream/ws-api.ts";
import { spotSymbols } from "../symbols.ts";
import { contractSide } from "./side.ts";

export function dialectPart(
  context: PartContext,
  keys: ApiKeys,
  levels: { orderFactorOf(userId: number): number },
  channels: () => readonly Channel[] = () => [],
): Part {
  const { config, log, clock, market, live } = context;
  const symbols = spotSymbols(market.pairs);
  const limits = dialectLimits(config.weightPerMinute > 0, (userId) => levels.orderFactorOf(userId));
  const connections = connectionLimit();
  keys.countBy((userId, address, timeMs) => ({
    ...limits.readAll(userId, address, timeMs),
    ...connections.read(userId, address),
  }));
  const users = userStreams({ reading: keys.reading, clock, log, follow: followUser(context) });
  keys.watch((changed) => {
    for (const streams of [users, ...sides.map((side) => side.users)]) {
      streams.check(changed).catch((error: unknown) => log.warn("dialect.revoke.failed", { error }));
    }
  });
  const spot: readonly Endpoint[] = [
    ...spotMarketEndpoints({ symbols, market }),
    ...spotOrderEndpoints({ symbols, test: orderTest(context), sizeSale: saleSize(context) }),
    ...spotEventEndpoints({ symbols, events: orderEventStore(context.database.kysely) }),
    ...spotReadEndpoints({ symbols, limits }),
    ...spotListEndpoints({ symbols }),
    ...spotRuleEndpoints({ symbols }),
    ...spotAccountEndpoints({ symbols }),
    ...listenKeyEndpoints(users, "/api/v3/userDataStream", true),
  ];
  const serving: ServeParts & Pick<WsApiParts, "connections"> = {
    reading: keys.reading,
    calls: context.calls,
    limits,
    seen: seenSignatures(),
    connections,
    clock: clock.now,
    log,
  };
  const downloads = contractDownloads({ calls: context.calls, clock: clock.now, origin: config.publicOrigin ?? "" });
  const sideOf = (kind: typeof LINEAR) => contractSide(context, keys, serving, kind, downloads);
  const [linear, inverse] = [sideOf(LINEAR), sideOf(INVERSE)];
  const sides = [linear, inverse];
  const statistics = statisticEndpoints({
    market,
    linear: linear.contracts,
    inverse: inverse.contracts,
    sides: sidesHistory(context.database.kysely),
  });
  const board = streamBoard(spotSources({ symbols, market, live, clock }));
  const spotStreams: StreamMarket = { board, joinUser: users.joinByListenKey };
  const contractStreams = anyOf(sides.map(({ streams }) => streams));
  const doors = [
    { fits: pathsOf("stream"), market: spotStreams },
    { fits: CONTRACT_PATHS, market: contractStreams },
    { fits: OPEN_PATHS, market: openMarket(spotStreams, contractStreams) },
  ];
  const archive = new DataArchive({
    market,
    symbols,
    linear: linear.contracts,
    inverse: inverse.contracts,
    folder: join(config.folder, "archives"),
    clock: clock.now,
    log,
  });
  context.jobs.add({
    name: "dialect.depth",
    schedule: { dailyAt: "00:15" },
    missed: "each",
    run: ({ dueMs }) => archive.makeDepth(dueMs - (dueMs % DAY_MS) - DAY_MS),
  });
  const endpoints = [
    ...spot,
    ...sides.flatMap((side) => side.endpoints),
    ...statistics,
    ...sapiEndpoints(),
    ...productEndpoints(symbols),
  ];
  const calls = endpoints.map(describeCall);
  return {
    routes: dialectRoutes(() => calls),
    mount(app) {
      mountEndpoints(app, endpoints, serving);
      archive.mount(app);
      downloads.mount(app);
      mountDocuments(app, { channels, endpoints });
      mountGateway(app, serving);
      mountUdf(app, { market, clock: clock.now });
    },
    doors: [
      ...doors.map(({ fits, market: streams }) =>
        streamDoor({ ...streams, fits, connections, log, rate: measureMs, clock }),
      ),
      wsApiDoor({ ...serving, path: "/ws-api/v3", methods: spotMethods(spot), users, rate: measureMs, timer: clock }),
      ...sides.flatMap((side) => side.doors),
    ],
    ...runs(() => {
      const ends = sides.map((side) => side.warn());
      return () => {
        for (const end of ends) end();
      };
    }),
  };
}

function describeCall({ method, path, security, permission, weight }: Endpoint): DialectCall {
  const needs = security === "signed" ? (permission ?? "read") : null;
  return { method, path, security, permission: needs, weight: typeof weight === "number" ? weight : null };
}

/** What could not be placed at all is refused; nothing is placed. */
function orderTest({ market }: PartContext): (order: SpotOrderRequest) => void {
  return (order) => {
    const pair = market.pairs.findPair(order.pairCode);
    if (pair === undefined) throw badSymbol();
    const built = buildOrder(pair, 0, order, market.pairs.lastTicks(pair.market));
    if (!built.ok) throw refusalFrom(describeProblem(built.problem));
  };
}

function saleSize({ market }: PartContext): SizeSale {
  return (pair, amount) => {
    const bids = market.data.projector.states.get(pair.market)?.book.bids.top(Number.MAX_SAFE_INTEGER) ?? [];
    const quantity = quantityFor(bids, amount, writeInstrument(pair).stepSize);
    if (quantity !== "0") return quantity;
    throw refusalFrom({ code: bids.length === 0 ? "NO_LIQUIDITY" : "NOTIONAL_TOO_SMALL", status: 400, message: "" });
  };
}

/** A user's events, starting from what is open and held now. */
function followUser({ calls, live, clock }: PartContext) {
  const read = async (userId: number) => {
    const ask = internalCaller(calls, userId, randomUUID());
    const [orders, balances] = await Promise.all([listOpen({ ask }, undefined), ask("GET", `${NATIVE}/balance`)]);
    return { orders, balances: balances as SpotBalance[] };
  };
  return (userId: number, notify: (event: object) => void) =>
    followSpotUser({ live, clock: clock.now, read }, userId, notify);
}
