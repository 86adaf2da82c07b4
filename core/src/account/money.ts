// Owns plain money commands: mint, burn, transfer. Each is idempotent by its reference; see references.ts.
import { AS_EXTERNAL_CELL } from "../ledger/ledger.ts";
import { noteSpent, spendable } from "../perp/margin/spending.ts";
import { commandPlaces } from "../protocol/command.ts";
import { BUSINESSES } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { checkIndebted } from "./debts.ts";
import { isMovable, isOutgoingBlocked, postMove } from "./moving.ts";
import { isUnits } from "./references.ts";
import { checkOutgoing } from "./restrict.ts";

const MINT = commandPlaces("mint");
const TRANSFER = commandPlaces("transfer");
const BURN = commandPlaces("burn");

/** What a mint may be: money that came in from outside, or a correction of what was thought to have. */
const FROM_OUTSIDE = [BUSINESSES.indexOf("deposit"), BUSINESSES.indexOf("adjustment")];

export function mint(core: Core, account: number): number {
  const asset = core.readWord(MINT.asset);
  const units = core.readDouble(MINT.units);
  if (!core.ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (!isMovable(core, account)) return REJECT.NOT_TRANSFERABLE;
  if (!FROM_OUTSIDE.includes(core.readByte(TRANSFER.business))) return REJECT.NOT_FROM_OUTSIDE;
  const room = Number.MAX_SAFE_INTEGER - core.ledger.minted(asset);
  if (units > room) {
    core.checkLimit[0] = room;
    return REJECT.MINT_LIMIT;
  }
  postMove(
    core,
    core.ledger.assetWord(asset, AS_EXTERNAL_CELL),
    core.ledger.cellOf(account, asset),
    units,
    core.readByte(TRANSFER.business),
  );
  return 0;
}

export function burn(core: Core, account: number): number {
  const asset = core.readWord(BURN.asset);
  const units = core.readDouble(BURN.units);
  if (!core.ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (!isMovable(core, account)) return REJECT.NOT_TRANSFERABLE;
  if (isOutgoingBlocked(core, account)) return REJECT.ACCOUNT_BLOCKED;
  const cell = core.ledger.cellOf(account, asset);
  if (spendable(core, account, asset) < units)
    return core.refuse(REJECT.INSUFFICIENT_BALANCE, spendable(core, account, asset));
  const code =
    checkIndebted(core, account, 0, core.readByte(TRANSFER.business)) || checkOutgoing(core, account, 0, asset, units);
  if (code !== 0) return code;
  const own = core.ledger.available(cell);
  postMove(core, cell, core.ledger.assetWord(asset, AS_EXTERNAL_CELL), units, core.readByte(TRANSFER.business));
  noteSpent(core, account, asset, units, own);
  return 0;
}

export function transfer(core: Core, account: number): number {
  const asset = core.readWord(TRANSFER.asset);
  const units = core.readDouble(TRANSFER.units);
  const to = core.readWord(TRANSFER.to);
  if (!core.ledger.isAsset(asset)) return REJECT.UNKNOWN_ASSET;
  if (!isUnits(units)) return REJECT.INVALID_AMOUNT;
  if (!core.ledger.isAccount(to)) return REJECT.UNKNOWN_ACCOUNT;
  if (account === to || !isMovable(core, account) || !isMovable(core, to)) return REJECT.NOT_TRANSFERABLE;
  if (isOutgoingBlocked(core, account)) return REJECT.ACCOUNT_BLOCKED;
  const cell = core.ledger.cellOf(account, asset);
  if (spendable(core, account, asset) < units)
    return core.refuse(REJECT.INSUFFICIENT_BALANCE, spendable(core, account, asset));
  const code =
    checkIndebted(core, account, to, core.readByte(TRANSFER.business)) ||
    checkOutgoing(core, account, to, asset, units);
  if (code !== 0) return code;
  const own = core.ledger.available(cell);
  postMove(core, cell, core.ledger.cellOf(to, asset), units, core.readByte(TRANSFER.business));
  noteSpent(core, account, asset, units, own);
  return 0;
}
