// Owns paying the leader's share, weekly and when a follow ends. The mark moves up to what was shared; never down.
import { assert } from "@clockwork/kit/assert";
import { spendable } from "../perp/margin/spending.ts";
import { eventPlaces } from "../protocol/event.ts";
import { BUSINESSES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import { emitHeld, refreshHold, shareOf } from "./share/hold.ts";
import {
  FO_ACCOUNT,
  FO_CELL,
  FO_LEADER,
  FO_RATE,
  FOF_FUNDED,
  FOF_HELD,
  FOF_INVESTED,
  FOF_MARK,
  FOF_REALIZED,
  LE_ACCOUNT,
  LE_CELL,
  LE_RATE,
} from "./state/records.ts";

const SHARE_SETTLED = eventPlaces("shareSettled");

const PROFIT_SHARE = BUSINESSES.indexOf("profitShare");

/**
 * Pays p × max(0, R + unrealised − H) to the leader: what is held first, then what is free. What is held beyond it is free
 * again, and the share in force from here on is the leader's.
 */
export function settleShare(core: Core, follow: number, cause: number, unrealizedUnits: number): void {
  const { follows, leaders } = core.copies;
  refreshHold(core, follow);
  const cell = follows.word(follow, FO_CELL);
  const account = follows.word(follow, FO_ACCOUNT);
  const asset = core.ledger.cellAsset(cell);
  const leader = follows.word(follow, FO_LEADER);
  const rate = follows.word(follow, FO_RATE);
  const realized = follows.double(follow, FOF_REALIZED);
  const held = follows.double(follow, FOF_HELD);
  const owed = shareOf(core, follow, realized + unrealizedUnits);
  if (held > 0) {
    core.ledger.unfreeze(cell, held);
    core.emitFrozen(PROFIT_SHARE, cell, 0 - held, 0);
    follows.setDouble(follow, FOF_HELD, 0);
  }
  const paid = Math.min(owed, Math.max(held, spendable(core, account, asset)));
  assert(paid >= 0 && paid <= owed, "COPY-12", "a leader is paid more than his share");
  const target = leaders.word(leader, LE_CELL);
  if (paid > 0) {
    core.ledger.move(cell, target, paid);
    core.emitPosting(PROFIT_SHARE, cell, target, 0 - paid, 0, 0);
    core.emitPosting(PROFIT_SHARE, target, cell, paid, 0, 0);
    follows.add(follow, FOF_FUNDED, 0 - paid);
  }
  const mark = Math.max(follows.double(follow, FOF_MARK), realized + unrealizedUnits);
  const isSame = paid === 0 && mark === follows.double(follow, FOF_MARK) && rate === leaders.word(leader, LE_RATE);
  follows.setDouble(follow, FOF_MARK, mark);
  follows.setWord(follow, FO_RATE, leaders.word(leader, LE_RATE));
  for (const one of [account, leaders.word(leader, LE_ACCOUNT)]) {
    const marginAccount = core.perps.marginAccountIndex.find(one, asset);
    if (marginAccount !== 0) core.perps.markDirty(marginAccount);
  }
  if (isSame) return;
  const record = core.events.openClean(SHARE_SETTLED.kind, cause, asset, account, core.sequence);
  core.events.setWord(record, SHARE_SETTLED.leader, leaders.word(leader, LE_ACCOUNT));
  core.events.setWord(record, SHARE_SETTLED.shareRate, rate);
  core.events.setDouble(record, SHARE_SETTLED.paidUnits, paid);
  core.events.setDouble(record, SHARE_SETTLED.realizedUnits, realized);
  core.events.setDouble(record, SHARE_SETTLED.markUnits, mark);
  core.events.setDouble(record, SHARE_SETTLED.unrealizedUnits, unrealizedUnits);
  core.events.setDouble(record, SHARE_SETTLED.investedUnits, follows.double(follow, FOF_INVESTED));
  if (rate !== leaders.word(leader, LE_RATE)) emitHeld(core, follow);
}
