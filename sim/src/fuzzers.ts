// Owns bad input: commands whose members are out of range, and bytes that are no command at all.
import { encodeCommand } from "@clockwork/core/protocol/codec";
import { COMMANDS } from "@clockwork/core/protocol/command";
import { BUSINESSES } from "@clockwork/core/protocol/names";
import type { SimCommand, SingleCommand } from "./reference.ts";
import { FIRST_TRADER, LAST_ACCOUNT, midOf, pickMarket, pickTrader, priceNear, type World } from "./world.ts";

const KIND_MAX = Math.max(...Object.values(COMMANDS).map(({ kind }) => kind));
const PRICES = [0, -1, 1, 0x3fffffff, 0x40000000, 0x7fffffff, -0x80000000];
const QUANTITIES = [0, -1, -7, 1, 2 ** 31, 2 ** 52, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER];

export function fuzz(world: World): SimCommand {
  switch (world.random.below(9)) {
    case 0:
    case 1:
      return spoil(world);
    case 2:
      return oddPlace(world);
    case 3:
      return oddPlan(world);
    case 4:
      return oddList(world);
    case 5:
      return oddSlice(world);
    case 6:
      return oddBatch(world);
    default:
      return oddRest(world);
  }
}

/** A batch of nothing, of somebody else, or of what does not belong in one. */
function oddBatch(world: World): SimCommand {
  const { random } = world;
  const account = random.pick([0, 15, LAST_ACCOUNT, LAST_ACCOUNT + 1, FIRST_TRADER]);
  const kinds = [oddPlace, oddPlan, oddList, oddSlice, oddRest];
  const items = Array.from({ length: random.below(4) }, () => random.pick(kinds)(world));
  return { kind: "batch", account, items };
}

function oddShape(world: World) {
  const { random } = world;
  const market = pickMarket(world);
  const shape = {
    account: random.chance(1, 4) ? random.pick([0, 1, 15, -3, LAST_ACCOUNT, LAST_ACCOUNT + 1]) : pickTrader(world),
    market: random.chance(1, 6) ? random.pick([0, -1, 9, 0x7fffffff]) : market.id,
    side: random.pick(["buy", "sell"] as const),
    price: random.chance(1, 2) ? random.pick(PRICES) : priceNear(world, market, 9_000),
    quantity: random.chance(1, 2) ? random.pick(QUANTITIES) : random.between(1, 50),
  };
  return {
    ...shape,
    type: random.pick(["limit", "limit", "market"] as const),
    timeInForce: random.pick(["GTC", "IOC", "FOK", "GTD"] as const),
    postOnly: random.pick(["no", "no", "reject", "reprice"] as const),
    selfTrade: random.pick(["EXPIRE_TAKER", "EXPIRE_BOTH", "NONE"] as const),
    inQuote: random.chance(1, 5),
    slippageBps: random.pick([0, 1, 1_000, 1_001, 0xffff]),
  };
}

function oddText({ random }: World): string {
  return random.pick(["", "", "c-1", "not plain", "ümlaut".slice(1), "x".repeat(36), "a/b:c.d_e-f"]);
}

function oddPlace(world: World): SingleCommand {
  const { random } = world;
  const ahead = random.pick([59_999, 60_000, 90 * 86_400_000, 90 * 86_400_000 + 1, -1]);
  return {
    kind: "placeOrder",
    ...oddShape(world),
    expiresAt: world.time + ahead,
    visible: random.pick([0, 0, -1, 1, 2, 60]),
    clientOrderId: oddText(world),
    reduceOnly: random.chance(1, 3),
  };
}

function oddPlan(world: World): SingleCommand {
  const { random } = world;
  return {
    kind: "placeConditional",
    ...oddShape(world),
    conditional: random.pick(["stopLimit", "stopMarket", "trailingStop"] as const),
    source: random.pick(["last", "mark", "index"] as const),
    direction: random.pick(["rises", "falls"] as const),
    trigger: random.chance(1, 2) ? random.pick(PRICES) : priceNear(world, pickMarket(world), 500),
    callbackBps: random.pick([0, 9, 10, 1_000, 1_001, -1]),
    clientOrderId: oddText(world),
  };
}

function oddList(world: World): SingleCommand {
  const { random } = world;
  const near = (): number => (random.chance(1, 4) ? random.pick(PRICES) : priceNear(world, pickMarket(world), 300));
  const clientOrderId = oddText(world);
  if (random.chance(1, 2))
    return { kind: "placeOco", ...oddShape(world), trigger: near(), stopPrice: near(), clientOrderId };
  const exits = { profitPrice: near(), stopTrigger: near(), stopPrice: near() };
  return { kind: "placeBracket", ...oddShape(world), ...exits, clientOrderId };
}

function oddSlice(world: World): SingleCommand {
  const { random } = world;
  if (random.chance(1, 2)) {
    const durationMs = random.pick([0, 299_999, 300_000, 86_400_000, 86_400_001, -1]);
    const intervalMs = random.pick([0, 9_999, 10_000, 300_000, 300_001, -1]);
    return { kind: "placeTwap", ...oddShape(world), durationMs, intervalMs, clientOrderId: oddText(world) };
  }
  const count = random.pick([0, 1, 2, 7, 50, 51, 255]);
  const priceTo = random.chance(1, 3) ? random.pick(PRICES) : priceNear(world, pickMarket(world), 300);
  const shape = random.pick(["flat", "rising", "falling"] as const);
  return { kind: "placeScaled", ...oddShape(world), priceTo, count, shape };
}

/** Everything else with members that make no sense. */
function oddRest(world: World): SingleCommand {
  const { random } = world;
  const market = random.pick([0, -1, -2, 1, 2, 9]);
  const account = random.pick([0, 1, 15, FIRST_TRADER, LAST_ACCOUNT, LAST_ACCOUNT + 1, -1]);
  const orderId = random.pick([0, 1, 5 * 0x1000000, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER]);
  const quantity = random.pick(QUANTITIES);
  switch (random.below(13)) {
    case 0:
      return { kind: "cancelOrder", account, orderId };
    case 1:
      return { kind: "amendOrder", account, orderId, quantity, price: random.pick(PRICES) };
    case 2:
      return { kind: "cancelAll", account, market };
    case 3:
      return { kind: "setDeadMan", account, market, timeoutMs: random.pick([0, 1, 2_999, 300_000, 300_001, -1]) };
    case 4:
      return { kind: "cancelList", account, list: orderId };
    case 5:
      return {
        kind: "setReferencePrice",
        market,
        markTicks: random.pick(PRICES),
        indexTicks: midOf(world, pickMarket(world)),
      };
    case 6:
      return {
        kind: "setFeeGroup",
        feeGroup: random.pick([15, 16, 255]),
        makerRate: random.pick([0, -1, 10_000_001]),
        takerRate: 0,
      };
    case 7:
      return {
        kind: "createAccount",
        user: random.pick([0, -1, 1, 5]),
        book: random.pick(["spot", "bot", "house"] as const),
        sub: random.pick([0, 7, -1, 0x1000000]),
      };
    case 8:
      return {
        kind: "setAccountFees",
        account,
        feeGroup: random.pick([0, 16]),
        makerRate: random.pick([-2, 0, 10_000_001]),
        takerRate: -1,
      };
    case 10:
      return {
        kind: "setUserFees",
        user: random.pick([0, -1, 3]),
        spotMakerRate: random.pick([-2, -1, 10_000_000, 10_000_001]),
        perpTakerRate: random.pick([-2, -1, 10_000_001]),
      };
    case 11:
      return {
        kind: "openHouseAccount",
        purpose: random.pick(["reserves", "sale", "campaignTreasury"] as const),
        sub: random.pick([0, 0, 1, -1, 0xffffff, 0x1000000]),
      };
    case 9:
      return { kind: "listAsset", symbol: random.pick(["BTC", "", "USDT"]), scale: random.pick([0, 18, 19]) };
    default:
      return { kind: "setMarketLimits", market, minLots: random.pick([-1, 0]), slippageBps: random.pick([-1, 10_000]) };
  }
}

/** Bytes that are no command: a wrong length, an unknown kind, a byte that names nothing. */
function spoil(world: World): SimCommand {
  const { random } = world;
  const account = pickTrader(world);
  const market = pickMarket(world).id;
  const bytes = new Uint8Array(512);
  const view = new DataView(bytes.buffer);
  const clientOrderId = random.chance(1, 2) ? "c-3" : "";
  const length = encodeCommand(
    { kind: "placeOrder", account, market, side: "buy", price: 5, quantity: 1, clientOrderId },
    bytes,
  );
  const refused = { account, command: "placeOrder", code: "MALFORMED_COMMAND" } as const;
  switch (random.below(6)) {
    case 0:
      view.setUint16(0, random.pick([0, 8, 16, 23, length + 1, length + 4]), true);
      return { kind: "raw", bytes: bytes.slice(0, length + 8), expected: { ...refused, market: 0 } };
    case 1:
      bytes[2] = random.pick([0, KIND_MAX + 1, 200, 255]);
      return {
        kind: "raw",
        bytes: bytes.slice(0, length),
        expected: { account, command: "none", code: "UNKNOWN_COMMAND", market: 0 },
      };
    case 2:
      // A whole order shape, one byte of which names nothing.
      bytes[random.pick([40, 41, 42, 43, 44, 45])] = random.pick([5, 77, 255]);
      view.setUint16(0, Math.max(length, 48), true);
      return { kind: "raw", bytes: bytes.slice(0, Math.max(length, 48)), expected: { ...refused, market } };
    case 3:
      // Too long for anything but a batch.
      view.setUint16(0, 264, true);
      return { kind: "raw", bytes: bytes.slice(0, 264), expected: { ...refused, market: 0 } };
    case 4: {
      const outsider = 9_999;
      view.setInt32(4, outsider, true);
      bytes[41] = 9;
      view.setUint16(0, Math.max(length, 48), true);
      const expected = { account: outsider, command: "placeOrder", code: "UNKNOWN_ACCOUNT", market } as const;
      return { kind: "raw", bytes: bytes.slice(0, Math.max(length, 48)), expected };
    }
    default: {
      const units = 5;
      const size = encodeCommand(
        { kind: "mint", account, asset: 1, business: "deposit", units, reference: "spoilt" },
        bytes,
      );
      bytes[28] = random.pick([BUSINESSES.length, 200, 255]);
      return { kind: "raw", bytes: bytes.slice(0, size), expected: { ...refused, command: "mint", market: 0 } };
    }
  }
}
