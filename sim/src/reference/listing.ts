// Owns what operators do in the reference: accounts, assets, markets, limits, status, fees, prices, flags.
import { FIRST_USER_ACCOUNT, HOUSE_BOOKS } from "@clockwork/core/protocol/names";
import { withdraw } from "./changes.ts";
import { refreshAnchor } from "./checks.ts";
import { observe } from "./observe.ts";
import {
  type CommandOf,
  type Exchange,
  type Limits,
  type Market,
  PRICE_MAX,
  type Refusal,
  refuse,
  SAFE_MAX,
} from "./state.ts";
import { noteIndex, revalue } from "./value.ts";

const RATE_MAX = 10_000_000;
const FEE_GROUPS = 16;
const SCALE_MAX = 18;

export function createAccount(exchange: Exchange, command: CommandOf<"createAccount">): Refusal | undefined {
  const { user, book, sub } = command;
  const group = command.group === 0 ? user : command.group;
  if (user <= 0 || book === "house" || sub < 0 || sub > 0xffffff || group <= 0) return refuse("MALFORMED_COMMAND");
  const same = [...exchange.accounts.values()].find((a) => a.user === user && a.book === book && a.sub === sub);
  const account = same ?? exchange.addAccount(nextAccount(exchange), user, book, sub, group);
  exchange.emit("accountCreated", { account: account.id, book, user, sub, group: account.group });
  return undefined;
}

function nextAccount(exchange: Exchange): number {
  return FIRST_USER_ACCOUNT + [...exchange.accounts.keys()].filter((id) => id >= FIRST_USER_ACCOUNT).length;
}

/** Opened once; house books that serve the purpose are there from the start. */
export function openHouseAccount(exchange: Exchange, command: CommandOf<"openHouseAccount">): Refusal | undefined {
  const { purpose, sub } = command;
  if (sub < 0 || sub > 0xffffff) return refuse("MALFORMED_COMMAND");
  const name = `${purpose}:${sub}`;
  const book = (HOUSE_BOOKS as readonly string[]).indexOf(purpose);
  let account = exchange.houseAccounts.get(name) ?? (sub === 0 && book > 0 ? book : 0);
  if (account === 0) {
    account = exchange.addAccount(nextAccount(exchange), 0, "house", sub, 0).id;
    exchange.houseAccounts.set(name, account);
  }
  exchange.emit("houseAccountOpened", { account, purpose, sub });
  return undefined;
}

export function listAsset(exchange: Exchange, command: CommandOf<"listAsset">): Refusal | undefined {
  const { symbol, scale } = command;
  if (scale > SCALE_MAX || symbol === "") return refuse("INVALID_LISTING");
  if (exchange.assets.some((asset) => asset.symbol === symbol)) return refuse("ASSET_EXISTS");
  exchange.emit("assetListed", { asset: exchange.assets.push({ symbol, scale }), scale, symbol });
  return undefined;
}

type GivenLimits = CommandOf<"setMarketLimits"> | CommandOf<"listMarket">;

function areLimitsValid(given: GivenLimits): boolean {
  const { minLots, maxLots, maxMarketLots, minNotionalUnits, anchorTicks, slippageBps } = given;
  const bps = [given.buyMaxBps, given.buyMinBps, given.sellMinBps, given.sellMaxBps];
  const counts = [given.restingMax, given.conditionalMax, given.listMax];
  const all = [minLots, maxLots, maxMarketLots, minNotionalUnits, anchorTicks, slippageBps, ...bps, ...counts];
  return all.every((value) => value >= 0) && anchorTicks <= PRICE_MAX && slippageBps < 10_000;
}

/** A maximum of 0 means none. */
function limitsOf(given: GivenLimits): Limits {
  const { buyMaxBps, buyMinBps, sellMinBps, sellMaxBps, slippageBps, restingMax, conditionalMax, listMax } = given;
  const maxLots = given.maxLots === 0 ? Number.MAX_SAFE_INTEGER : given.maxLots;
  return {
    buyMaxBps,
    buyMinBps,
    sellMinBps,
    sellMaxBps,
    slippageBps,
    restingMax,
    conditionalMax,
    listMax,
    maxLots,
    minLots: Math.max(1, given.minLots),
    maxMarketLots: given.maxMarketLots === 0 ? maxLots : given.maxMarketLots,
    minNotional: BigInt(given.minNotionalUnits),
  };
}

export function listMarket(exchange: Exchange, command: CommandOf<"listMarket">): Refusal | undefined {
  const { base, quote, tickMantissa, tickDecimals, stepUnits, symbol, status, feeGroup, marketKind } = command;
  const baseScale = exchange.assets[base - 1]?.scale;
  const quoteScale = exchange.assets[quote - 1]?.scale;
  if (baseScale === undefined || quoteScale === undefined) return refuse("UNKNOWN_ASSET");
  const shapely = base !== quote && tickMantissa > 0 && stepUnits >= 1 && marketKind === "spot" && symbol !== "";
  if (!shapely || feeGroup >= FEE_GROUPS || tickDecimals > SCALE_MAX) return refuse("INVALID_LISTING");
  // Quote units in one tick of one lot must be whole, or notionals would round.
  const numerator = BigInt(tickMantissa) * BigInt(stepUnits) * 10n ** BigInt(quoteScale);
  const denominator = 10n ** BigInt(tickDecimals + baseScale);
  const tickLot = numerator / denominator;
  if (numerator % denominator !== 0n || tickLot > SAFE_MAX) return refuse("TICK_STEP_NOT_WHOLE");
  if (!areLimitsValid(command)) return refuse("INVALID_LISTING");
  if (exchange.markets.some((market) => market.symbol === symbol && market.status !== "DELISTED"))
    return refuse("MARKET_EXISTS");
  const market: Market = {
    ...limitsOf(command),
    id: exchange.markets.length + 1,
    symbol,
    base,
    quote,
    step: BigInt(stepUnits),
    tickLot,
    status,
    feeGroup,
    bids: [],
    asks: [],
    plans: [],
    last: 0,
    mark: 0,
    index: 0,
    bookSequence: 0,
    trades: 0,
    prints: [],
    anchor: command.anchorTicks,
    indexAt: 0,
    observed: [],
  };
  exchange.markets.push(market);
  const tickLotUnits = Number(tickLot);
  exchange.emit("marketListed", { marketKind, status, market: market.id, base, quote, stepUnits, tickLotUnits });
  return undefined;
}

export function setMarketLimits(exchange: Exchange, command: CommandOf<"setMarketLimits">): Refusal | undefined {
  const market = exchange.market(command.market);
  if (market === undefined) return refuse("UNKNOWN_MARKET");
  if (!areLimitsValid(command) || command.feeGroup >= FEE_GROUPS) return refuse("INVALID_LISTING");
  Object.assign(market, limitsOf(command), { feeGroup: command.feeGroup });
  if (command.anchorTicks !== 0) market.anchor = command.anchorTicks;
  refreshAnchor(market, exchange.now);
  return undefined;
}

export function setMarketStatus(exchange: Exchange, command: CommandOf<"setMarketStatus">): Refusal | undefined {
  const market = exchange.market(command.market);
  if (market === undefined) return refuse("UNKNOWN_MARKET");
  if (market.status === "DELISTED") return refuse("INVALID_STATUS_CHANGE");
  market.status = command.status;
  exchange.emit("marketStatus", { status: command.status, market: market.id });
  if (command.status === "DELISTED") {
    withdraw(exchange, (owner) => owner.market === market, true, "MARKET_STATUS");
    revalue(exchange, market.base);
  }
  return undefined;
}

export function setReferencePrice(exchange: Exchange, command: CommandOf<"setReferencePrice">): Refusal | undefined {
  const market = exchange.market(command.market);
  const { markTicks, indexTicks } = command;
  if (market === undefined) return refuse("UNKNOWN_MARKET");
  if ([markTicks, indexTicks].some((price) => price < 0 || price > PRICE_MAX)) return refuse("INVALID_PRICE");
  if (markTicks !== 0) market.mark = markTicks;
  if (indexTicks !== 0) market.index = indexTicks;
  exchange.emit("referencePrice", { market: market.id, markTicks: market.mark, indexTicks: market.index });
  if (markTicks !== 0) observe(exchange, market, "mark");
  if (indexTicks !== 0) observe(exchange, market, "index");
  if (indexTicks !== 0) noteIndex(exchange, market);
  return undefined;
}

export function setFeeGroup(exchange: Exchange, command: CommandOf<"setFeeGroup">): Refusal | undefined {
  const { feeGroup, makerRate, takerRate } = command;
  const group = exchange.feeGroups[feeGroup];
  if (group === undefined) return refuse("MALFORMED_COMMAND");
  if ([makerRate, takerRate].some((rate) => rate < 0 || rate > RATE_MAX)) return refuse("INVALID_FEE_RATE");
  Object.assign(group, { maker: makerRate, taker: takerRate });
  exchange.emit("feesChanged", { account: 0, feeGroup, makerRate, takerRate });
  return undefined;
}

export function setAccountFees(exchange: Exchange, command: CommandOf<"setAccountFees">): Refusal | undefined {
  const { feeGroup, makerRate, takerRate } = command;
  const account = exchange.userAccount(command.account);
  if (account === undefined) return refuse("UNKNOWN_ACCOUNT");
  if (feeGroup >= FEE_GROUPS) return refuse("MALFORMED_COMMAND");
  if ([makerRate, takerRate].some((rate) => rate < -1 || rate > RATE_MAX)) return refuse("INVALID_FEE_RATE");
  account.fees.set(feeGroup, { maker: makerRate, taker: takerRate });
  exchange.emit("feesChanged", { account: account.id, feeGroup, makerRate, takerRate });
  return undefined;
}

export function setUserFees(exchange: Exchange, command: CommandOf<"setUserFees">): Refusal | undefined {
  const { user, spotMakerRate, spotTakerRate, perpMakerRate, perpTakerRate } = command;
  if (user <= 0) return refuse("MALFORMED_COMMAND");
  const rates = [spotMakerRate, spotTakerRate, perpMakerRate, perpTakerRate];
  if (rates.some((rate) => rate < -1 || rate > RATE_MAX)) return refuse("INVALID_FEE_RATE");
  exchange.userFees.set(user, { maker: spotMakerRate, taker: spotTakerRate });
  exchange.emit("userFeesChanged", { user, spotMakerRate, spotTakerRate, perpMakerRate, perpTakerRate });
  return undefined;
}

export function setSeed(exchange: Exchange, { seed }: CommandOf<"setSeed">): Refusal | undefined {
  if (/^0*$/.test(seed)) return refuse("MALFORMED_COMMAND");
  const before = exchange.seed;
  if (before !== undefined)
    exchange.emit("seedReplaced", { seed: before.text, since: before.since, number: before.number });
  exchange.seed = { text: seed, since: exchange.sequence, number: (before?.number ?? 0) + 1 };
  return undefined;
}

export function setAccountFlags(exchange: Exchange, command: CommandOf<"setAccountFlags">): Refusal | undefined {
  const account = exchange.userAccount(command.account);
  if (account === undefined) return refuse("UNKNOWN_ACCOUNT");
  const { blockTrading, blockOutgoing, allowSelfTrade } = command;
  Object.assign(account, { blockTrading, blockOutgoing, allowSelfTrade });
  const paysInQuote = account.book === "bot" || account.book === "copyS";
  const flags = [blockTrading, blockOutgoing, allowSelfTrade, paysInQuote];
  const word = flags.reduce((sum, flag, bit) => sum + (flag ? 2 ** bit : 0), 0);
  exchange.emit("accountFlags", { account: account.id, flags: word });
  return undefined;
}
