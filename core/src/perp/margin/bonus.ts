// Owns bonus money (almighty gold): grants with an end, a share they may bear and a leverage they allow. It counts as
// margin, bears its share of fees, funding and losses first, and never leaves by transfer. Units sit in the bonus book.

import { assert } from "@clockwork/kit/assert";
import { mulDivFloor } from "@clockwork/kit/money";
import { A_BOOK, A_GROUP, A_USER } from "../../ledger/ledger.ts";
import { addDouble, type Double, setWord, type Word } from "../../memory/record.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { BONUS_PRODUCTS, BONUS_STATES, BOOKS, BUSINESSES, goldSubOf, HOUSE_PURPOSES } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import {
  atMarginAccount,
  MA_ACCOUNT,
  MA_ASSET,
  MA_BONUS_CELL,
  MA_GRANTS,
  MA_REDUCING,
  MAF_BONUS,
} from "../state/records.ts";
import { openMarginAccount } from "../state/symbol-margins.ts";
import { freeMargin } from "./equity.ts";

const GRANT_BONUS = commandPlaces("grantBonus");

const BONUS_CHANGED = eventPlaces("bonusChanged");
const ACCOUNT_CREATED = eventPlaces("accountCreated");

const GR_MARGIN_ACCOUNT: Word<"grant"> = 1;
const GR_NEXT: Word<"grant"> = 2;
const GR_STATE: Word<"grant"> = 3;
const GR_RATIO: Word<"grant"> = 4;
const GR_LEVERAGE: Word<"grant"> = 5;
/** The sub of the treasury it came from and goes back to. */
const GR_SOURCE: Word<"grant"> = 6;
const GRF_LEFT: Double<"grant"> = 8;
const GRF_EXPIRES: Double<"grant"> = 9;
/** When an expired grant that margin depends on is removed at last. */
const GRF_REMOVES: Double<"grant"> = 10;

const ACTIVE = BONUS_STATES.indexOf("ACTIVE");
const USED = BONUS_STATES.indexOf("USED");
const EXPIRED = BONUS_STATES.indexOf("EXPIRED");
const VOIDED = BONUS_STATES.indexOf("VOIDED");
const BONUS = BUSINESSES.indexOf("bonus");
const BOOK_BONUS = BOOKS.indexOf("bonus");
/** Bonuses are paid from one of these, by its sub, go back there, and are refused when it is short. */
const TREASURY = HOUSE_PURPOSES.indexOf("campaignTreasury");
/** The product a book trades, by the book's number. */
const PRODUCT_OF_BOOK = BOOKS.map((book): number => {
  if (book === "linear" || book === "inverse" || book === "bot") return BONUS_PRODUCTS[book];
  return book === "copyF" || book === "copyFLead" ? BONUS_PRODUCTS.copy : 0;
});
const GRACE_MS = 86_400_000;
const RATIO_ONE = 10_000;

/** Draws a debt's share from the grants, the one that ends first first; returns what they bore. */
export function drawBonus(
  core: Core,
  marginAccount: number,
  market: number,
  target: number,
  units: number,
  business: number,
  reference: number,
): number {
  const { perps } = core;
  let drawn = 0;
  for (
    let grant = perps.marginAccount(marginAccount, MA_GRANTS);
    grant !== 0;
    grant = core.perps.grants.word(grant, GR_NEXT)
  ) {
    if (core.perps.grants.word(grant, GR_STATE) !== ACTIVE) continue;
    const share = mulDivFloor(units, core.perps.grants.word(grant, GR_RATIO), RATIO_ONE) - drawn;
    const taken = Math.min(share, core.perps.grants.double(grant, GRF_LEFT));
    if (taken <= 0) continue;
    const cell = perps.marginAccount(marginAccount, MA_BONUS_CELL);
    core.ledger.move(cell, target, taken);
    core.emitPosting(business, cell, target, 0 - taken, reference, market);
    core.emitPosting(business, target, cell, taken, reference, market);
    shrinkGrant(core, marginAccount, grant, taken, USED, 0, business, market);
    drawn += taken;
  }
  return drawn;
}

/** Takes units off a grant's books; the money has moved already, `returned` of it back to where it came from. */
function shrinkGrant(
  core: Core,
  marginAccount: number,
  grant: number,
  units: number,
  state: number,
  returned: number,
  business: number,
  market: number,
): void {
  const left = core.perps.grants.double(grant, GRF_LEFT) - units;
  assert(units > 0 && left >= 0, "PERP-13", "a grant bears more than is left of it");
  core.perps.grants.setDouble(grant, GRF_LEFT, left);
  addDouble(core.perps.marginAccountDoubles, atMarginAccount(marginAccount), MAF_BONUS, -units);
  if (left === 0) {
    core.perps.grants.setWord(grant, GR_STATE, state);
    refreshReducing(core, marginAccount);
  }
  emitGrant(core, marginAccount, grant, 0 - units, returned, business, market);
}

/** Only reducing orders pass while any grant waits for its removal, whatever became of the others. */
function refreshReducing(core: Core, marginAccount: number): void {
  const { perps } = core;
  let waits = 0;
  for (
    let grant = perps.marginAccount(marginAccount, MA_GRANTS);
    grant !== 0;
    grant = core.perps.grants.word(grant, GR_NEXT)
  )
    if (core.perps.grants.word(grant, GR_STATE) === ACTIVE && core.perps.grants.double(grant, GRF_REMOVES) !== 0)
      waits = 1;
  setWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_REDUCING, waits);
}

function emitGrant(
  core: Core,
  marginAccount: number,
  grant: number,
  delta: number,
  returned: number,
  business = BONUS,
  market = 0,
): void {
  const account = core.perps.marginAccount(marginAccount, MA_ACCOUNT);
  const record = core.events.openClean(
    BONUS_CHANGED.kind,
    core.perps.grants.word(grant, GR_STATE),
    business,
    account,
    core.sequence,
  );
  core.events.setWord(record, BONUS_CHANGED.grant, grant);
  core.events.setWord(record, BONUS_CHANGED.asset, core.perps.marginAccount(marginAccount, MA_ASSET));
  core.events.setDouble(record, BONUS_CHANGED.deltaUnits, delta);
  core.events.setDouble(record, BONUS_CHANGED.leftUnits, core.perps.grants.double(grant, GRF_LEFT));
  core.events.setDouble(record, BONUS_CHANGED.expiresAt, core.perps.grants.double(grant, GRF_EXPIRES));
  core.events.setWord(record, BONUS_CHANGED.source, core.perps.grants.word(grant, GR_SOURCE));
  core.events.setWord(record, BONUS_CHANGED.market, market);
  core.events.setDouble(record, BONUS_CHANGED.returnedUnits, returned);
}

/** Grants a bonus to a futures account; idempotent by its reference like every money command. */
export function grantBonus(core: Core, account: number): number {
  const asset = core.readWord(GRANT_BONUS.asset);
  const units = core.readDouble(GRANT_BONUS.units);
  const ratio = core.readWord(GRANT_BONUS.ratioBps);
  const leverage = core.readWord(GRANT_BONUS.leverageMax);
  const expires = core.readDouble(GRANT_BONUS.expiresAt);
  if (!core.ledger.isUserAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
  if (!core.ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  if (!(units >= 1) || !Number.isSafeInteger(units) || ratio < 1 || ratio > RATIO_ONE) return REJECT.INVALID_AMOUNT;
  if (leverage < 0) return REJECT.INVALID_LEVERAGE;
  if (!(expires > core.now)) return REJECT.INVALID_EXPIRY;
  if (!isProductOf(core, account, core.readByte(GRANT_BONUS.products))) return REJECT.BOOK_NOT_TRADABLE;
  const source = core.readWord(GRANT_BONUS.source);
  const treasury = core.ledger.findHouse(TREASURY, source);
  const left = treasury === 0 ? 0 : core.ledger.available(core.ledger.cellOf(treasury, asset));
  if (units > left) return core.refuse(REJECT.INSUFFICIENT_BALANCE, left);
  const { perps } = core;
  const marginAccount = openMarginAccount(perps, core.ledger, account, asset);
  const cell = bonusCell(core, marginAccount, account, asset);
  const from = core.ledger.cellOf(treasury, asset);
  core.ledger.move(from, cell, units);
  core.emitPosting(BONUS, from, cell, 0 - units, 0, 0);
  core.emitPosting(BONUS, cell, from, units, 0, 0);
  const grant = perps.grants.table.take();
  perps.grants.setWord(grant, GR_MARGIN_ACCOUNT, marginAccount);
  perps.grants.setWord(grant, GR_STATE, ACTIVE);
  perps.grants.setWord(grant, GR_RATIO, ratio);
  perps.grants.setWord(grant, GR_LEVERAGE, leverage);
  perps.grants.setWord(grant, GR_SOURCE, source);
  core.perps.grants.setDouble(grant, GRF_LEFT, units);
  core.perps.grants.setDouble(grant, GRF_EXPIRES, expires);
  insertGrant(core, marginAccount, grant, expires);
  addDouble(perps.marginAccountDoubles, atMarginAccount(marginAccount), MAF_BONUS, units);
  perps.markDirty(marginAccount);
  emitGrant(core, marginAccount, grant, units, 0);
  return 0;
}

/** Whether the account's book trades one of the products a bonus is bound to; bonus and demo books trade none. */
function isProductOf(core: Core, account: number, products: number): boolean {
  const own = PRODUCT_OF_BOOK[core.ledger.accountWord(account, A_BOOK)] ?? 0;
  return own !== 0 && (products === 0 || (products & own) !== 0);
}

/** Grants of a margin account stand in the order they end. */
function insertGrant(core: Core, marginAccount: number, grant: number, expires: number): void {
  const { perps } = core;
  let before = 0;
  let at = perps.marginAccount(marginAccount, MA_GRANTS);
  while (at !== 0 && core.perps.grants.double(at, GRF_EXPIRES) <= expires) {
    before = at;
    at = core.perps.grants.word(at, GR_NEXT);
  }
  perps.grants.setWord(grant, GR_NEXT, at);
  if (before === 0) setWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_GRANTS, grant);
  else perps.grants.setWord(before, GR_NEXT, grant);
}

function bonusCell(core: Core, marginAccount: number, account: number, asset: number): number {
  const known = core.perps.marginAccount(marginAccount, MA_BONUS_CELL);
  if (known !== 0) return known;
  const { ledger } = core;
  const user = ledger.accountWord(account, A_USER);
  const sub = goldSubOf(account);
  let book = ledger.findAccount(user, BOOK_BONUS, sub);
  if (book === 0) {
    book = ledger.createAccount(user, BOOK_BONUS, sub, ledger.accountWord(account, A_GROUP));
    const record = core.events.openClean(ACCOUNT_CREATED.kind, BOOK_BONUS, 0, book, core.sequence);
    core.events.setWord(record, ACCOUNT_CREATED.user, user);
    core.events.setWord(record, ACCOUNT_CREATED.sub, sub);
    core.events.setWord(record, ACCOUNT_CREATED.group, ledger.accountWord(account, A_GROUP));
  }
  const cell = ledger.cellOf(book, asset);
  setWord(core.perps.marginAccountWords, atMarginAccount(marginAccount), MA_BONUS_CELL, cell);
  return cell;
}

/** Removes what is left of a grant: it goes back to where it came from. */
function removeGrant(core: Core, marginAccount: number, grant: number, units: number, state: number): void {
  const cell = core.perps.marginAccount(marginAccount, MA_BONUS_CELL);
  const treasury = core.ledger.findHouse(TREASURY, core.perps.grants.word(grant, GR_SOURCE));
  const to = core.ledger.cellOf(treasury, core.perps.marginAccount(marginAccount, MA_ASSET));
  core.ledger.move(cell, to, units);
  core.emitPosting(BONUS, cell, to, 0 - units, 0, 0);
  core.emitPosting(BONUS, to, cell, units, 0, 0);
  shrinkGrant(core, marginAccount, grant, units, state, units, BONUS, 0);
  core.perps.markDirty(marginAccount);
}

/** When a grant next wants attention; Infinity when none does. */
export function nextBonusAt(core: Core): number {
  let next = Number.POSITIVE_INFINITY;
  for (let grant = 1; grant < core.perps.grants.table.count; grant++) {
    if (core.perps.grants.word(grant, GR_STATE) !== ACTIVE) continue;
    const removes = core.perps.grants.double(grant, GRF_REMOVES);
    next = Math.min(next, removes !== 0 ? removes : core.perps.grants.double(grant, GRF_EXPIRES));
  }
  return next;
}

/** Ends grants whose time is over; one that margin depends on stays a day in which only reducing orders pass. */
export function expireBonuses(core: Core): void {
  const { perps } = core;
  for (let grant = 1; grant < perps.grants.table.count; grant++) {
    if (core.perps.grants.word(grant, GR_STATE) !== ACTIVE || core.perps.grants.double(grant, GRF_EXPIRES) > core.now)
      continue;
    const marginAccount = core.perps.grants.word(grant, GR_MARGIN_ACCOUNT);
    const left = core.perps.grants.double(grant, GRF_LEFT);
    const removes = core.perps.grants.double(grant, GRF_REMOVES);
    const spare = freeMargin(core, marginAccount);
    if (spare < left && removes === 0) {
      core.perps.grants.setDouble(grant, GRF_REMOVES, core.now + GRACE_MS);
      refreshReducing(core, marginAccount);
      emitGrant(core, marginAccount, grant, 0, 0);
      continue;
    }
    if (spare < left && removes > core.now) continue;
    removeGrant(core, marginAccount, grant, left, EXPIRED);
  }
}

/** A transfer of `units` out of `own` voids the same share of every bonus. */
export function voidShare(core: Core, marginAccount: number, units: number, own: number): void {
  for (
    let grant = core.perps.marginAccount(marginAccount, MA_GRANTS);
    grant !== 0;
    grant = core.perps.grants.word(grant, GR_NEXT)
  ) {
    if (core.perps.grants.word(grant, GR_STATE) !== ACTIVE) continue;
    const left = core.perps.grants.double(grant, GRF_LEFT);
    const gone = units >= own ? left : mulDivFloor(left, units, own);
    if (gone > 0) removeGrant(core, marginAccount, grant, gone, VOIDED);
  }
}

/** The lowest leverage any grant allows; Infinity without one. */
export function bonusLeverageMax(core: Core, marginAccount: number): number {
  let most = Number.POSITIVE_INFINITY;
  for (
    let grant = core.perps.marginAccount(marginAccount, MA_GRANTS);
    grant !== 0;
    grant = core.perps.grants.word(grant, GR_NEXT)
  ) {
    const leverage = core.perps.grants.word(grant, GR_LEVERAGE);
    if (core.perps.grants.word(grant, GR_STATE) === ACTIVE && leverage !== 0) most = Math.min(most, leverage);
  }
  return most;
}
