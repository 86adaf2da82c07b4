// Owns the reference's money commands: mint, burn, transfer and settlements; each once per reference.
import { type Business, EXTERNAL_ACCOUNT } from "@clockwork/core/protocol/names";
import { contentOf, isPlainText } from "./changes.ts";
import { capture, extendHold, holdOf, isOver, liveHold, openHold, release, shrinkHold, splitHold } from "./holds.ts";
import { checkLeaving, restrict, unrestrict } from "./restrict.ts";
import {
  type Account,
  type Balance,
  type CommandOf,
  type Exchange,
  type Hold,
  isMovable,
  type Refusal,
  refuse,
  SAFE_MAX,
} from "./state.ts";

type Money = CommandOf<"mint" | "burn" | "transfer" | "hold" | "capture" | "release" | "extendHold" | "splitHold">;

export function runMoney(exchange: Exchange, command: Money): Refusal | undefined {
  if (!isPlainText(command.reference)) return refuse("INVALID_REFERENCE");
  const account = exchange.accounts.get(command.account);
  if (account === undefined) return refuse("UNKNOWN_ACCOUNT");
  return runOnce(exchange, command, account.id, () => apply(exchange, account, command));
}

/** Commands that name their accounts or users themselves. */
export function runReferenced(
  exchange: Exchange,
  command: CommandOf<"settle" | "restrict" | "unrestrict">,
): Refusal | undefined {
  if (!isPlainText(command.reference)) return refuse("INVALID_REFERENCE");
  return runOnce(exchange, command, 0, () => {
    if (command.kind === "settle") return settle(exchange, command);
    return command.kind === "restrict" ? restrict(exchange, command) : unrestrict(exchange, command);
  });
}

/** Runs a money command once; a repeat is answered with the first result. */
function runOnce(
  exchange: Exchange,
  command: Money | CommandOf<"settle" | "restrict" | "unrestrict">,
  account: number,
  run: () => Refusal | undefined,
): Refusal | undefined {
  const { reference } = command;
  const content = contentOf(command);
  const known = exchange.references.get(reference);
  if (known !== undefined && exchange.now - known.time < exchange.referenceRetentionMs) {
    if (known.content !== content) return refuse("REFERENCE_REUSED");
    exchange.emit("repeated", { command: exchange.command, account, firstSequence: known.sequence, orderId: 0 });
    return undefined;
  }
  const refusal = run();
  if (refusal !== undefined) return refusal;
  exchange.references.set(reference, { sequence: exchange.sequence, time: exchange.now, content, id: 0 });
  exchange.emit("reference", { command: exchange.command, account, reference });
  return undefined;
}

function apply(exchange: Exchange, account: Account, command: Money): Refusal | undefined {
  switch (command.kind) {
    case "capture":
      return capture(exchange, account, command);
    case "release":
      return release(exchange, account, command);
    case "extendHold":
      return extendHold(exchange, account, command);
    case "splitHold":
      return splitHold(exchange, account, command);
    default:
      return fromAvailable(exchange, account, command);
  }
}

function isAmount(amount: number): boolean {
  return amount >= 1 && Number.isSafeInteger(amount);
}

function fromAvailable(
  exchange: Exchange,
  account: Account,
  command: CommandOf<"mint" | "burn" | "transfer" | "hold">,
): Refusal | undefined {
  const { asset, business } = command;
  if (asset < 1 || asset > exchange.assets.length) return refuse("UNKNOWN_ASSET");
  if (!isAmount(command.units)) return refuse("INVALID_AMOUNT");
  if (command.kind === "hold" && command.expiresAt !== 0 && command.expiresAt <= exchange.now)
    return refuse("INVALID_EXPIRY");
  const amount = BigInt(command.units);
  const external = exchange.house(EXTERNAL_ACCOUNT, asset);
  const balance = exchange.balance(account, asset);
  const to = command.kind === "transfer" ? exchange.accounts.get(command.to) : undefined;
  if (command.kind === "transfer") {
    if (to === undefined) return refuse("UNKNOWN_ACCOUNT");
    if (account === to || !isMovable(account) || !isMovable(to)) return refuse("NOT_TRANSFERABLE");
  } else if (!isMovable(account)) return refuse("NOT_TRANSFERABLE");
  if (command.kind === "mint") {
    if (business !== "deposit" && business !== "adjustment") return refuse("NOT_FROM_OUTSIDE");
    const room = SAFE_MAX + external.available;
    if (amount > room) return refuse("MINT_LIMIT", room);
    post(exchange, business, external, balance, amount, false);
    return undefined;
  }
  if (account.blockOutgoing) return refuse("ACCOUNT_BLOCKED");
  if (command.kind === "hold" && liveHold(exchange, command.reference) !== undefined) return refuse("REFERENCE_REUSED");
  if (balance.available < amount) return refuse("INSUFFICIENT_BALANCE", balance.available);
  const stays = command.outgoing ? checkLeaving(exchange, account, to, asset, amount) : undefined;
  if (stays !== undefined) return stays;
  if (command.kind === "hold") {
    exchange.freeze(balance, amount);
    openHold(exchange, command.reference, balance, business, amount, command.expiresAt, command.outgoing);
    exchange.frozen(business, balance, amount, 0);
  } else post(exchange, business, balance, to === undefined ? external : exchange.balance(to, asset), amount, false);
  return undefined;
}

/** Tries every leg on a copy of what is free and held, and moves only when all pass. */
function settle(exchange: Exchange, { legs, outgoing }: CommandOf<"settle">): Refusal | undefined {
  if (legs.length === 0) return refuse("MALFORMED_COMMAND");
  const free = new Map<Balance, bigint>();
  const left = new Map<Hold, bigint>();
  const gone = new Map<number, bigint>();
  const moves: (() => void)[] = [];
  for (const [item, leg] of legs.entries()) {
    exchange.item = item;
    const from = exchange.accounts.get(leg.from);
    const to = exchange.accounts.get(leg.to);
    if (from === undefined || to === undefined) return refuse("UNKNOWN_ACCOUNT");
    if (leg.asset < 1 || leg.asset > exchange.assets.length) return refuse("UNKNOWN_ASSET");
    if (!isAmount(leg.units)) return refuse("INVALID_AMOUNT");
    if (from === to || !isMovable(from) || (to.id !== EXTERNAL_ACCOUNT && !isMovable(to)))
      return refuse("NOT_TRANSFERABLE");
    const amount = BigInt(leg.units);
    const payer = exchange.balance(from, leg.asset);
    const payee = exchange.balance(to, leg.asset);
    if (leg.hold !== "") {
      const hold = isPlainText(leg.hold) ? holdOf(exchange, from, leg.hold) : undefined;
      if (hold === undefined || hold.balance !== payer) return refuse("UNKNOWN_HOLD");
      if (isOver(exchange, hold)) return refuse("HOLD_EXPIRED");
      const rest = left.get(hold) ?? hold.left;
      if (amount > rest) return refuse("HOLD_EXCEEDED", rest);
      const stays = outgoing && !hold.outgoing ? checkLeaving(exchange, from, to, leg.asset, amount, gone) : undefined;
      if (stays !== undefined) return stays;
      left.set(hold, rest - amount);
      moves.push(() => {
        shrinkHold(exchange, hold, amount);
        post(exchange, leg.business, payer, payee, amount, true);
      });
    } else {
      if (from.blockOutgoing) return refuse("ACCOUNT_BLOCKED");
      const rest = free.get(payer) ?? payer.available;
      if (amount > rest) return refuse("INSUFFICIENT_BALANCE", rest);
      const stays = outgoing ? checkLeaving(exchange, from, to, leg.asset, amount, gone) : undefined;
      if (stays !== undefined) return stays;
      free.set(payer, rest - amount);
      moves.push(() => post(exchange, leg.business, payer, payee, amount, false));
    }
    free.set(payee, (free.get(payee) ?? payee.available) + amount);
  }
  exchange.item = 0;
  for (const move of moves) move();
  return undefined;
}

/** One entry of two legs. */
export function post(
  exchange: Exchange,
  business: Business,
  from: Balance,
  to: Balance,
  amount: bigint,
  held: boolean,
): void {
  exchange.move(from, to, amount, held);
  exchange.posting(business, from, to, -amount, 0, 0);
  exchange.posting(business, to, from, amount, 0, 0);
}
