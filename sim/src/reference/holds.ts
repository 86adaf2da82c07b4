// Owns the reference's holds: what is left under each name, and when it is over.
import { type Business, EXTERNAL_ACCOUNT } from "@clockwork/core/protocol/names";
import { isPlainText } from "./changes.ts";
import { lift } from "./restrict.ts";
import {
  type Account,
  type Balance,
  type CommandOf,
  type Exchange,
  type Hold,
  isMovable,
  type Refusal,
  refuse,
} from "./state.ts";

export function openHold(
  exchange: Exchange,
  name: string,
  balance: Balance,
  business: Business,
  left: bigint,
  expiresAt: number,
  outgoing: boolean,
): void {
  const hold: Hold = { name, balance, business, time: exchange.now, left, expiresAt, expired: false, outgoing };
  exchange.holds.set(name, hold);
  if (expiresAt !== 0) exchange.deadlines.push({ at: expiresAt, hold });
}

/** A hold is known as long as something is left of it or its reference is. */
export function liveHold(exchange: Exchange, name: string): Hold | undefined {
  const hold = exchange.holds.get(name);
  if (hold === undefined) return undefined;
  return hold.left > 0n || exchange.now - hold.time < exchange.referenceRetentionMs ? hold : undefined;
}

export function holdOf(exchange: Exchange, account: Account, name: string): Hold | undefined {
  const hold = liveHold(exchange, name);
  return hold?.balance.account === account ? hold : undefined;
}

/** Over at its time, whether or not a tick has come. */
export function isOver(exchange: Exchange, hold: Hold): boolean {
  if (hold.left === 0n) return hold.expired;
  return hold.expiresAt !== 0 && hold.expiresAt <= exchange.now;
}

export function shrinkHold(exchange: Exchange, hold: Hold, amount: bigint): void {
  hold.left -= amount;
  if (hold.left === 0n) exchange.deadlines = exchange.deadlines.filter((deadline) => deadline.hold !== hold);
}

function isAmount(amount: number): boolean {
  return amount >= 1 && Number.isSafeInteger(amount);
}

export function capture(exchange: Exchange, account: Account, command: CommandOf<"capture">): Refusal | undefined {
  const hold = holdOf(exchange, account, command.hold);
  if (hold === undefined) return refuse("UNKNOWN_HOLD");
  if (!isAmount(command.units)) return refuse("INVALID_AMOUNT");
  const to = exchange.accounts.get(command.to);
  if (to === undefined) return refuse("UNKNOWN_ACCOUNT");
  if (to === account || (to.id !== EXTERNAL_ACCOUNT && !isMovable(to))) return refuse("NOT_TRANSFERABLE");
  if (isOver(exchange, hold)) return refuse("HOLD_EXPIRED");
  const amount = BigInt(command.units);
  if (amount > hold.left) return refuse("HOLD_EXCEEDED", hold.left);
  shrinkHold(exchange, hold, amount);
  const target = exchange.balance(to, hold.balance.asset);
  exchange.move(hold.balance, target, amount, true);
  exchange.posting(command.business, hold.balance, target, -amount, 0, 0);
  exchange.posting(command.business, target, hold.balance, amount, 0, 0);
  return undefined;
}

export function release(exchange: Exchange, account: Account, command: CommandOf<"release">): Refusal | undefined {
  const hold = holdOf(exchange, account, command.hold);
  if (hold === undefined) return refuse("UNKNOWN_HOLD");
  const amount = command.units === 0 ? hold.left : BigInt(command.units);
  if (amount < 1n) return refuse("INVALID_AMOUNT");
  if (amount > hold.left) return refuse("HOLD_EXCEEDED", hold.left);
  shrinkHold(exchange, hold, amount);
  exchange.freeze(hold.balance, -amount);
  exchange.frozen("transfer", hold.balance, -amount, 0);
  return undefined;
}

export function extendHold(
  exchange: Exchange,
  account: Account,
  command: CommandOf<"extendHold">,
): Refusal | undefined {
  const { expiresAt } = command;
  const hold = holdOf(exchange, account, command.hold);
  if (hold === undefined) return refuse("UNKNOWN_HOLD");
  if (isOver(exchange, hold)) return refuse("HOLD_EXPIRED");
  if (hold.left === 0n) return refuse("HOLD_EXCEEDED", 0n);
  const isLater = expiresAt === 0 || (hold.expiresAt !== 0 && expiresAt >= hold.expiresAt && expiresAt > exchange.now);
  if (!isLater) return refuse("INVALID_EXPIRY", BigInt(hold.expiresAt));
  hold.expiresAt = expiresAt;
  exchange.deadlines = exchange.deadlines.filter((deadline) => deadline.hold !== hold);
  if (expiresAt !== 0) exchange.deadlines.push({ at: expiresAt, hold });
  return undefined;
}

export function splitHold(exchange: Exchange, account: Account, command: CommandOf<"splitHold">): Refusal | undefined {
  const hold = holdOf(exchange, account, command.hold);
  if (hold === undefined) return refuse("UNKNOWN_HOLD");
  if (!isAmount(command.units)) return refuse("INVALID_AMOUNT");
  if (!isPlainText(command.into)) return refuse("INVALID_REFERENCE");
  if (liveHold(exchange, command.into) !== undefined) return refuse("REFERENCE_REUSED");
  if (isOver(exchange, hold)) return refuse("HOLD_EXPIRED");
  const amount = BigInt(command.units);
  if (amount > hold.left) return refuse("HOLD_EXCEEDED", hold.left);
  shrinkHold(exchange, hold, amount);
  openHold(exchange, command.into, hold.balance, hold.business, amount, hold.expiresAt, hold.outgoing);
  return undefined;
}

/** Every hold and restriction whose time is over, earliest first, ties in the order they were set. */
export function expireDeadlines(exchange: Exchange): void {
  for (;;) {
    const [next] = exchange.deadlines.toSorted((a, b) => a.at - b.at);
    if (next === undefined || next.at > exchange.now) return;
    const { hold, restriction } = next;
    if (restriction !== undefined) lift(exchange, restriction.name, restriction.left, "expired");
    if (hold === undefined) continue;
    const amount = hold.left;
    shrinkHold(exchange, hold, amount);
    hold.expired = true;
    exchange.freeze(hold.balance, -amount);
    exchange.frozen(hold.business, hold.balance, -amount, 0);
    const { account, asset } = hold.balance;
    const units = Number(amount);
    exchange.emit("holdExpired", { account: account.id, business: hold.business, asset, units, hold: hold.name });
  }
}
