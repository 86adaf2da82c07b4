// Owns the reference's restrictions: how much of a user's worth in USDT must stay, and who is asked.
import { type Account, type CommandOf, type Exchange, type Refusal, refuse, SAFE_MAX } from "./state.ts";
import { priceOf } from "./value.ts";

export function restrict(exchange: Exchange, command: CommandOf<"restrict">): Refusal | undefined {
  const { user, units, until, reference } = command;
  if (user <= 0) return refuse("MALFORMED_COMMAND");
  if (units < 1) return refuse("INVALID_AMOUNT");
  if (until !== 0 && until <= exchange.now) return refuse("INVALID_EXPIRY");
  if (totalOf(exchange, user) + BigInt(units) > SAFE_MAX) return refuse("INVALID_AMOUNT");
  if (exchange.restrictions.has(reference)) return refuse("REFERENCE_REUSED");
  const restriction = { name: reference, user, left: BigInt(units), until };
  exchange.restrictions.set(reference, restriction);
  if (until !== 0) exchange.deadlines.push({ at: until, restriction });
  exchange.emit("restricted", { user, units, totalUnits: Number(totalOf(exchange, user)), until });
  return undefined;
}

export function unrestrict(exchange: Exchange, command: CommandOf<"unrestrict">): Refusal | undefined {
  const restriction = exchange.restrictions.get(command.restriction);
  if (restriction === undefined) return refuse("UNKNOWN_RESTRICTION");
  const amount = command.units === 0 ? restriction.left : BigInt(command.units);
  if (amount < 1n) return refuse("INVALID_AMOUNT");
  if (amount > restriction.left) return refuse("INVALID_AMOUNT", restriction.left);
  lift(exchange, command.restriction, amount, "lifted");
  return undefined;
}

export function lift(exchange: Exchange, name: string, amount: bigint, reason: "lifted" | "expired"): void {
  const restriction = exchange.restrictions.get(name);
  if (restriction === undefined) return;
  restriction.left -= amount;
  if (restriction.left === 0n) {
    exchange.restrictions.delete(name);
    exchange.deadlines = exchange.deadlines.filter((deadline) => deadline.restriction !== restriction);
  }
  const { user } = restriction;
  const totalUnits = Number(totalOf(exchange, user));
  exchange.emit("restrictionEnded", { reason, user, units: Number(amount), totalUnits });
  exchange.emit("reference", { command: exchange.command, account: 0, reference: name });
}

function totalOf(exchange: Exchange, user: number): bigint {
  let sum = 0n;
  for (const restriction of exchange.restrictions.values()) {
    const counts = restriction.until === 0 || restriction.until > exchange.now;
    if (restriction.user === user && counts) sum += restriction.left;
  }
  return sum;
}

function worthOf(exchange: Exchange, user: number): bigint {
  let sum = 0n;
  for (const account of exchange.accounts.values()) {
    if (account.user !== user || account.book === "bonus" || account.book === "demo") continue;
    for (const balance of account.balances.values()) {
      let amount = balance.available + balance.frozen;
      for (const hold of exchange.holds.values()) if (hold.balance === balance && hold.outgoing) amount -= hold.left;
      const { up, down } = priceOf(exchange, balance.asset);
      sum += (amount * up) / down;
    }
  }
  return sum;
}

/** Whether so much may leave its owner; `gone` is what earlier legs of a settlement let go. */
export function checkLeaving(
  exchange: Exchange,
  from: Account,
  to: Account | undefined,
  asset: number,
  amount: bigint,
  gone = new Map<number, bigint>(),
): Refusal | undefined {
  const { user } = from;
  if (user === 0 || to?.user === user) return undefined;
  const restricted = totalOf(exchange, user);
  if (restricted === 0n) return undefined;
  const { up, down } = priceOf(exchange, asset);
  if (up === 0n) return refuse("NO_REFERENCE_PRICE");
  const free = worthOf(exchange, user) - restricted - (gone.get(user) ?? 0n);
  const worth = (amount * up + down - 1n) / down;
  if (worth > free) return refuse("RESTRICTED", free < 0n ? 0n : free);
  gone.set(user, (gone.get(user) ?? 0n) + worth);
  return undefined;
}
