// Owns what operators do to a session: prices, status, fees, limits, flags, and now and then a listing.
import { MARKET_STATUSES } from "@clockwork/core/protocol/names";
import type { SingleCommand } from "./reference.ts";
import { midOf, pickMarket, pickTrader, priceNear, type World } from "./world.ts";

export function operate(world: World): SingleCommand {
  const { random } = world;
  const market = pickMarket(world);
  const reopened = random.chance(2, 3) ? reopen(world) : undefined;
  if (reopened !== undefined) return reopened;
  switch (random.below(12)) {
    case 0:
      return changeStatus(world);
    case 1:
      return changeLimits(world);
    case 2:
      return {
        kind: "setFeeGroup",
        feeGroup: random.below(2),
        makerRate: random.below(200_000),
        takerRate: random.below(300_000),
      };
    case 3:
    case 4: {
      const [makerRate, takerRate] = random.pick([
        [0, 0],
        [-1, -1],
        [7, 100_001],
        [100_000, 250_000],
      ] as const);
      return { kind: "setAccountFees", account: pickTrader(world), feeGroup: random.below(2), makerRate, takerRate };
    }
    case 7: {
      const word = (): string =>
        random
          .below(2 ** 31)
          .toString(16)
          .padStart(8, "0");
      const seed = Array.from({ length: 8 }, word).join("");
      return { kind: "setSeed", seed: random.chance(1, 10) ? "0".repeat(64) : seed };
    }
    case 6:
      return {
        kind: "setUserFees",
        user: random.between(1, 6),
        spotMakerRate: random.pick([-1, 0, 33_333]),
        spotTakerRate: random.pick([-1, 0, 77_777]),
        perpTakerRate: 5,
      };
    case 5: {
      const isBlocked = random.chance(1, 4);
      const allowSelfTrade = random.chance(1, 3);
      const blockOutgoing = random.chance(1, 5);
      return {
        kind: "setAccountFlags",
        account: pickTrader(world),
        blockTrading: isBlocked,
        blockOutgoing,
        allowSelfTrade,
      };
    }
    default:
      return {
        kind: "setReferencePrice",
        market: market.id,
        markTicks: random.chance(1, 4) ? 0 : priceNear(world, market, 60),
        indexTicks: random.chance(1, 4) ? 0 : priceNear(world, market, 60),
      };
  }
}

/** What was closed or blocked does not stay so for long. */
function reopen({ random, exchange }: World): SingleCommand | undefined {
  const closed = exchange.markets.filter(({ status }) => status !== "TRADING" && status !== "DELISTED");
  if (closed.length > 0) return { kind: "setMarketStatus", market: random.pick(closed).id, status: "TRADING" };
  const blocked = [...exchange.accounts.values()].filter(({ blockTrading }) => blockTrading);
  if (blocked.length === 0) return undefined;
  return { kind: "setAccountFlags", account: random.pick(blocked).id, allowSelfTrade: random.chance(1, 2) };
}

/** Any status, but the last open market stays listed, or the session would have nothing left to do. */
function changeStatus(world: World): SingleCommand {
  const { random, exchange } = world;
  const trading = exchange.markets.filter(({ status }) => status === "TRADING");
  const requested = random.pick(MARKET_STATUSES);
  const status = requested === "DELISTED" && (trading.length < 2 || random.chance(3, 4)) ? "HALT" : requested;
  return { kind: "setMarketStatus", market: pickMarket(world).id, status };
}

function changeLimits(world: World): SingleCommand {
  const { random } = world;
  const market = pickMarket(world);
  return {
    kind: "setMarketLimits",
    market: market.id,
    feeGroup: random.below(2),
    minLots: random.between(0, 3),
    minNotionalUnits: random.chance(1, 2) ? 0 : midOf(world, market) * 2,
    maxLots: random.pick([0, 60, 500]),
    restingMax: random.pick([2, 10, 40]),
    conditionalMax: random.pick([3, 30]),
    listMax: random.pick([2, 20]),
    slippageBps: random.pick([50, 500]),
    anchorTicks: random.chance(1, 3) ? midOf(world, market) : 0,
  };
}
