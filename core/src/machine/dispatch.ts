// Owns the table from a command's kind to its function, and the reading of the shape all orders share.
// Never holds a rule of its own beyond who may ask.

import { isIndebted } from "../account/debts.ts";
import { capture, extendHold, hold, release, SPLIT_TO_WORD, splitHold } from "../account/holds.ts";
import { openHouseAccount } from "../account/house.ts";
import { burn, mint, transfer } from "../account/money.ts";
import { runMoney, runReferenced } from "../account/references.ts";
import { restrict, unrestrict } from "../account/restrict.ts";
import { SETTLE_TO_WORD, settle } from "../account/settle.ts";
import { R_LOTS } from "../book/book.ts";
import {
  FLAG_ICEBERG,
  FLAG_IN_QUOTE,
  FLAG_MARKET,
  FLAG_REDUCE_ONLY,
  POST_ONLY_SHIFT,
  STP_NONE,
  STP_SHIFT,
  TIF_GTD,
  TIF_SHIFT,
} from "../book/orders.ts";
import { runBotCommand } from "../bot/dispatch.ts";
import { runCopyCommand } from "../copy/dispatch.ts";
import { owe } from "../debt/owing.ts";
import { tick } from "../follow-up/tick.ts";
import {
  createAccount,
  listAsset,
  listMarket,
  setAccountFees,
  setAccountFlags,
  setFeeGroup,
  setMarketLimits,
  setMarketStatus,
  setReferencePrice,
} from "../listing/listing.ts";
import { setUserFees } from "../listing/user-fees.ts";
import { setDouble } from "../memory/record.ts";
import { cancelAll, setDeadMan } from "../order/end/cancel-all.ts";
import { admitClientId } from "../order/end/client-ids.ts";
import { amendOrder, cancelOrder } from "../order/entry/cancel.ts";
import { R_EXPIRES, R_VISIBLE } from "../order/entry/checks.ts";
import { submitOrder } from "../order/entry/place.ts";
import { amendPlan } from "../order/plan/amend.ts";
import { placeConditional } from "../order/plan/conditional.ts";
import { cancelList, placeBracket, placeOco } from "../order/plan/lists.ts";
import { placeScaled, placeTwap } from "../order/plan/twap.ts";
import { moveStop } from "../perp/account/move-stop.ts";
import { bindPlan, namedByPlan, readPlanFlags } from "../perp/account/stops.ts";
import { runPerp } from "../perp/dispatch.ts";
import { isDemo } from "../perp/margin/demo-orders.ts";
import { symbolMarginOf } from "../perp/margin/exposure.ts";
import { findPosition } from "../perp/margin/settle.ts";
import { MODE_SPLIT, SM_FLAGS } from "../perp/state/records.ts";
import { COMMANDS, commandPlaces } from "../protocol/command.ts";
import { FIRST_BOT_KIND, LAST_BOT_KIND } from "../protocol/command-bot.ts";
import { FIRST_COPY_KIND, LAST_COPY_KIND } from "../protocol/command-copy.ts";
import { FIRST_PERP_KIND, LAST_PERP_KIND } from "../protocol/command-perp.ts";
import { REJECT } from "../protocol/rejection.ts";
import { isBotBook, mayTrade } from "../state/access.ts";
import type { Core } from "../state/core.ts";
import { enter } from "../state/paths.ts";
import { setRules } from "../state/rules.ts";
import { setSeed } from "../state/seed.ts";

const PLACE_OCO = commandPlaces("placeOco");
const PLACE_ORDER = commandPlaces("placeOrder");

/** Bits of the two words of an order's shape that are zero in every byte that names something. */
const SHAPE_UNKNOWN = 0x00fcfefe;
const REST_UNKNOWN = 0xfefc;
const POST_ONLY_MAX = 2;

const PLACE = COMMANDS.placeOrder.kind;
const CANCEL = COMMANDS.cancelOrder.kind;
const AMEND = COMMANDS.amendOrder.kind;

export function isBatchable(kind: number): boolean {
  return (
    kind === PLACE ||
    kind === CANCEL ||
    kind === AMEND ||
    kind === COMMANDS.placeConditional.kind ||
    kind === COMMANDS.setDeadMan.kind
  );
}

/** The market an order command names, for its refusal. */
export function marketOf(core: Core, kind: number): number {
  const named =
    kind === PLACE ||
    kind === COMMANDS.cancelAll.kind ||
    (kind >= COMMANDS.placeConditional.kind && kind <= COMMANDS.setDeadMan.kind);
  return named ? core.readWord(PLACE_ORDER.market) : 0;
}

/** Flags of the order shape, as an order record keeps them; −1 when a byte names nothing. */
function readFlags(core: Core): number {
  const shape = core.readWord<"placeOrder">(PLACE_ORDER.side >> 2);
  const rest = core.readWord<"placeOrder">(PLACE_ORDER.postOnly >> 2);
  const isUnknown = (shape & SHAPE_UNKNOWN) !== 0 || (rest & REST_UNKNOWN) !== 0;
  if (isUnknown || shape >>> 24 > STP_NONE || (rest & 3) > POST_ONLY_MAX) return -1;
  return (
    (shape & 1) |
    ((shape >>> 7) & FLAG_MARKET) |
    (((shape >>> 16) & 3) << TIF_SHIFT) |
    ((rest & 3) << POST_ONLY_SHIFT) |
    ((shape >>> 24) << STP_SHIFT) |
    ((rest & 0x100) !== 0 ? FLAG_IN_QUOTE : 0)
  );
}

/** The hot path: an order without expiry, iceberg or client id. */
export function placePlain(core: Core, account: number): number {
  const market = core.readWord(PLACE_ORDER.market);
  const flags = readFlags(core);
  if (flags < 0) return core.ledger.isUserAccount(account) ? REJECT.MALFORMED_COMMAND : REJECT.UNKNOWN_ACCOUNT;
  let accountMarket = core.accountMarkets.find(account, market);
  if (accountMarket === 0) {
    const code = checkTrader(core, account, market);
    if (code !== 0) return code;
    accountMarket = core.accountMarketOf(account, market);
  }
  const { registers } = core.books;
  setDouble(registers, 0, R_LOTS, core.readDouble(PLACE_ORDER.quantity));
  setDouble(registers, 0, R_EXPIRES, 0);
  const slippageBps = core.readHalf(PLACE_ORDER.slippageBps);
  const price = core.readWord(PLACE_ORDER.price);
  const { paths } = core;
  return paths !== undefined
    ? enter(paths.submit, accountMarket, market, flags, price, slippageBps)
    : submitOrder(core, accountMarket, market, flags, price, slippageBps);
}

/** Whether an account's orders may be taken as plain at all. */
export function mayPlace(core: Core, account: number): boolean {
  return core.ledger.isUserAccount(account) && !isBotBook(core, account);
}

function checkTrader(core: Core, account: number, market: number): number {
  if (!core.ledger.isUserAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
  if (!core.markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  // An account market is only ever made for a book that may trade there.
  if (core.accountMarkets.find(account, market) !== 0 || mayTrade(core, account, market)) return 0;
  return REJECT.BOOK_NOT_TRADABLE;
}

/** Where each order command keeps its client order id. */
const CLIENT_ID_BYTES = new Map<number, number>([
  [COMMANDS.placeOrder.kind, COMMANDS.placeOrder.layout.clientOrderId.at],
  [COMMANDS.placeConditional.kind, COMMANDS.placeConditional.layout.clientOrderId.at],
  [COMMANDS.placeOco.kind, COMMANDS.placeOco.layout.clientOrderId.at],
  [COMMANDS.placeBracket.kind, COMMANDS.placeBracket.layout.clientOrderId.at],
  [COMMANDS.placeTwap.kind, COMMANDS.placeTwap.layout.clientOrderId.at],
]);

/** The split position an order names by its id, 0 when the account market has none such. */
function namedPosition(core: Core, accountMarket: number): number {
  const symbolMargin = symbolMarginOf(core, accountMarket);
  if (symbolMargin === 0) return 0;
  return findPosition(core, symbolMargin, core.readId(PLACE_ORDER.position));
}

/** In split layout every order is a position of its own, with stops of its own: lists have no place there. */
function isSplit(core: Core, accountMarket: number): boolean {
  const symbolMargin = symbolMarginOf(core, accountMarket);
  return symbolMargin !== 0 && (core.perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_SPLIT) !== 0;
}

/** A plan on a perpetual market may reduce, and may free margin when it fires. */
function placePerpPlan(
  core: Core,
  accountMarket: number,
  market: number,
  givenFlags: number,
  price: number,
  text: number,
): number {
  const flags = readPlanFlags(core, givenFlags);
  const isPart = (flags & FLAG_REDUCE_ONLY) !== 0 && isSplit(core, accountMarket);
  const position = isPart ? namedByPlan(core, accountMarket) : 0;
  if (isPart && position === 0) return REJECT.UNKNOWN_POSITION;
  const code = placeConditional(core, accountMarket, market, flags, price, text);
  if (code === 0) bindPlan(core, core.placedSlot, position);
  return code;
}

/** Demo markets take orders and plans; lists, slices, hidden lots and expiries are for real books. */
function isPlainForDemo(core: Core, kind: number, flags: number): boolean {
  if (kind === COMMANDS.placeConditional.kind) return true;
  return kind === PLACE && core.readDouble(PLACE_ORDER.visible) === 0 && ((flags >> TIF_SHIFT) & 3) !== TIF_GTD;
}

/** Every order command but the plain one: client id first, then the kind's own function. */
function placeAny(core: Core, kind: number, account: number): number {
  const market = core.readWord(PLACE_ORDER.market);
  let flags = readFlags(core);
  if (flags < 0) return REJECT.MALFORMED_COMMAND;
  const trader = checkTrader(core, account, market);
  if (trader !== 0) return trader;
  // What waits, or is sliced, would freeze what is to repay.
  if (kind !== PLACE && !core.perps.isPerp(market) && isIndebted(core, account)) return REJECT.IN_DEBT;
  const textByte = CLIENT_ID_BYTES.get(kind);
  let text = -1;
  if (textByte !== undefined && core.inputWord(textByte) !== 0) {
    const admitted = admitClientId(core, account, textByte);
    if (admitted >= 0) return admitted;
    text = core.inputAt + (textByte >> 2);
  }
  const accountMarket = core.accountMarketOf(account, market);
  const price = core.readWord(PLACE_ORDER.price);
  const slippageBps = core.readHalf(PLACE_ORDER.slippageBps);
  const registers = core.books.registers;
  registers[R_LOTS] = core.readDouble(PLACE_ORDER.quantity);
  registers[R_EXPIRES] = 0;
  registers[R_VISIBLE] = 0;
  if (isDemo(core, market) && !isPlainForDemo(core, kind, flags)) return REJECT.INVALID_COMBINATION;
  switch (kind) {
    case COMMANDS.placeConditional.kind:
      if (core.perps.isPerp(market)) return placePerpPlan(core, accountMarket, market, flags, price, text);
      return placeConditional(core, accountMarket, market, flags, price, text);
    case COMMANDS.placeOco.kind:
      if (isSplit(core, accountMarket)) return REJECT.INVALID_COMBINATION;
      if (core.readByte(PLACE_OCO.reduceOnly) !== 0 && core.perps.isPerp(market)) flags |= FLAG_REDUCE_ONLY;
      return placeOco(core, accountMarket, market, flags, price, text);
    case COMMANDS.placeBracket.kind:
      if (isSplit(core, accountMarket)) return REJECT.INVALID_COMBINATION;
      return placeBracket(core, accountMarket, market, flags, price, slippageBps, text);
    case COMMANDS.placeTwap.kind:
      return placeTwap(core, accountMarket, market, flags, price, text);
    case COMMANDS.placeScaled.kind:
      return placeScaled(core, accountMarket, market, flags, price);
    default: {
      registers[R_EXPIRES] = core.readDouble(PLACE_ORDER.expiresAt);
      registers[R_VISIBLE] = core.readDouble(PLACE_ORDER.visible);
      if ((registers[R_VISIBLE] as number) !== 0) flags |= FLAG_ICEBERG;
      const reduces = core.readByte(PLACE_ORDER.reduceOnly) !== 0;
      if (reduces) flags |= FLAG_REDUCE_ONLY;
      // Only a close names a position; what opens begins one of its own.
      const position = reduces && core.readSlot(PLACE_ORDER.position) !== 0 ? namedPosition(core, accountMarket) : 0;
      return submitOrder(core, accountMarket, market, flags, price, slippageBps, 0, 0, 0, text, position);
    }
  }
}

export function runCold(core: Core, kind: number, account: number): number {
  switch (kind) {
    case COMMANDS.tick.kind:
      return tick(core);
    case COMMANDS.createAccount.kind:
      return createAccount(core);
    case COMMANDS.listAsset.kind:
      return listAsset(core);
    case COMMANDS.mint.kind:
      return runMoney(core, account, mint);
    case COMMANDS.burn.kind:
      return runMoney(core, account, burn);
    case COMMANDS.transfer.kind:
      return runMoney(core, account, transfer);
    case COMMANDS.hold.kind:
      return runMoney(core, account, hold);
    case COMMANDS.capture.kind:
      return runMoney(core, account, capture);
    case COMMANDS.release.kind:
      return runMoney(core, account, release);
    case COMMANDS.extendHold.kind:
      return runMoney(core, account, extendHold);
    case COMMANDS.splitHold.kind:
      return runMoney(core, account, splitHold, SPLIT_TO_WORD);
    case COMMANDS.restrict.kind:
      return runReferenced(core, restrict);
    case COMMANDS.unrestrict.kind:
      return runReferenced(core, unrestrict);
    case COMMANDS.owe.kind:
      return runReferenced(core, owe);
    case COMMANDS.settle.kind:
      return runReferenced(core, settle, SETTLE_TO_WORD);
    case COMMANDS.listMarket.kind:
      return listMarket(core);
    case COMMANDS.setMarketStatus.kind:
      return setMarketStatus(core);
    case COMMANDS.setFeeGroup.kind:
      return setFeeGroup(core);
    case COMMANDS.setAccountFees.kind:
      return setAccountFees(core, account);
    case COMMANDS.setReferencePrice.kind:
      return setReferencePrice(core);
    case COMMANDS.setMarketLimits.kind:
      return setMarketLimits(core);
    case COMMANDS.setAccountFlags.kind:
      return setAccountFlags(core, account);
    case COMMANDS.setSeed.kind:
      return setSeed(core);
    case COMMANDS.setRules.kind:
      return setRules(core);
    case COMMANDS.openHouseAccount.kind:
      return openHouseAccount(core);
    case COMMANDS.setUserFees.kind:
      return setUserFees(core);
    default:
      return runTrader(core, kind, account);
  }
}

function runTrader(core: Core, kind: number, account: number): number {
  if (kind >= FIRST_PERP_KIND && kind <= LAST_PERP_KIND) return runPerp(core, kind, account);
  if (kind >= FIRST_COPY_KIND && kind <= LAST_COPY_KIND) return runCopyCommand(core, kind, account);
  if (kind >= FIRST_BOT_KIND && kind <= LAST_BOT_KIND) return runBotCommand(core, kind, account);
  const isPlanChange = kind === COMMANDS.amendPlan.kind || kind === COMMANDS.moveStop.kind;
  if (!isPlanChange && (kind < PLACE || kind > COMMANDS.cancelList.kind)) return REJECT.UNKNOWN_COMMAND;
  if (!core.ledger.isUserAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
  if (kind !== CANCEL && isBotBook(core, account)) return REJECT.BOT_BOOK_CLOSED;
  switch (kind) {
    case CANCEL:
      return cancelOrder(core, account);
    case AMEND:
      return amendOrder(core, account);
    case COMMANDS.amendPlan.kind:
      return amendPlan(core, account);
    case COMMANDS.moveStop.kind:
      return moveStop(core, account);
    case COMMANDS.cancelAll.kind:
      return cancelAll(core, account);
    case COMMANDS.setDeadMan.kind: {
      const market = core.readWord(PLACE_ORDER.market);
      if (market > 0 && core.markets.isMarket(market) && !mayTrade(core, account, market))
        return REJECT.BOOK_NOT_TRADABLE;
      return setDeadMan(core, account);
    }
    case COMMANDS.cancelList.kind:
      return cancelList(core, account);
    default:
      return placeAny(core, kind, account);
  }
}
