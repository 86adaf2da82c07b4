// Owns the reference's money commands: mint, burn, transfer, hold, capture, release; each once per reference.
import { type Business, EXTERNAL_ACCOUNT } from "@clockwork/core/protocol/names";
import { contentOf, isPlainText } from "./changes.ts";
import {
  type Account,
  type Balance,
  type CommandOf,
  type Exchange,
  type Hold,
  type Refusal,
  refuse,
  SAFE_MAX,
} from "./state.ts";

type Money = CommandOf<"mint" | "burn" | "transfer" | "hold" | "capture" | "release">;

/** Runs a money command once; a repeat is answered with the first result. */
export function runMoney(exchange: Exchange, command: Money): Refusal | undefined {
  const { reference } = command;
  if (!isPlainText(reference)) return refuse("INVALID_REFERENCE");
  const account = exchange.accounts.get(command.account);
  if (account === undefined) return refuse("UNKNOWN_ACCOUNT");
  const content = contentOf(command);
  const known = exchange.references.get(reference);
  if (known !== undefined && exchange.now - known.time < exchange.referenceRetentionMs) {
    if (known.content !== content) return refuse("REFERENCE_REUSED");
    const firstSequence = known.sequence;
    exchange.emit("repeated", { command: exchange.command, account: account.id, firstSequence, orderId: 0 });
    return undefined;
  }
  const refusal = apply(exchange, account, command);
  if (refusal !== undefined) return refusal;
  exchange.references.set(reference, { sequence: exchange.sequence, time: exchange.now, content, id: 0 });
  exchange.emit("reference", { command: exchange.command, account: account.id, reference });
  return undefined;
}

function apply(exchange: Exchange, account: Account, command: Money): Refusal | undefined {
  switch (command.kind) {
    case "capture":
      return capture(exchange, account, command);
    case "release":
      return release(exchange, account, command);
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
  const amount = BigInt(command.units);
  const external = exchange.house(EXTERNAL_ACCOUNT, asset);
  const balance = exchange.balance(account, asset);
  const to = command.kind === "transfer" ? exchange.accounts.get(command.to) : undefined;
  if (command.kind === "transfer") {
    if (to === undefined) return refuse("UNKNOWN_ACCOUNT");
    if (account === to || !isMovable(account) || !isMovable(to)) return refuse("NOT_TRANSFERABLE");
  } else if (account.id === EXTERNAL_ACCOUNT) return refuse("NOT_TRANSFERABLE");
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
  if (command.kind === "hold") {
    exchange.freeze(balance, amount);
    exchange.holds.set(command.reference, { balance, time: exchange.now, left: amount });
    exchange.frozen(business, balance, amount, 0);
  } else post(exchange, business, balance, to === undefined ? external : exchange.balance(to, asset), amount, false);
  return undefined;
}

/** A hold is known as long as something is left of it or its reference is. */
function liveHold(exchange: Exchange, reference: string): Hold | undefined {
  const hold = exchange.holds.get(reference);
  if (hold === undefined) return undefined;
  return hold.left > 0n || exchange.now - hold.time < exchange.referenceRetentionMs ? hold : undefined;
}

function holdOf(exchange: Exchange, account: Account, reference: string): Hold | undefined {
  const hold = liveHold(exchange, reference);
  return hold?.balance.account === account ? hold : undefined;
}

function capture(exchange: Exchange, account: Account, command: CommandOf<"capture">): Refusal | undefined {
  const hold = holdOf(exchange, account, command.hold);
  if (hold === undefined) return refuse("UNKNOWN_HOLD");
  if (!isAmount(command.units)) return refuse("INVALID_AMOUNT");
  const to = exchange.accounts.get(command.to);
  if (to === undefined) return refuse("UNKNOWN_ACCOUNT");
  if (to === account) return refuse("NOT_TRANSFERABLE");
  const amount = BigInt(command.units);
  if (amount > hold.left) return refuse("HOLD_EXCEEDED", hold.left);
  hold.left -= amount;
  post(exchange, command.business, hold.balance, exchange.balance(to, hold.balance.asset), amount, true);
  return undefined;
}

function release(exchange: Exchange, account: Account, command: CommandOf<"release">): Refusal | undefined {
  const hold = holdOf(exchange, account, command.hold);
  if (hold === undefined) return refuse("UNKNOWN_HOLD");
  const amount = command.units === 0 ? hold.left : BigInt(command.units);
  if (amount < 1n) return refuse("INVALID_AMOUNT");
  if (amount > hold.left) return refuse("HOLD_EXCEEDED", hold.left);
  hold.left -= amount;
  exchange.freeze(hold.balance, -amount);
  exchange.frozen("transfer", hold.balance, -amount, 0);
  return undefined;
}

/** One entry of two legs. */
function post(exchange: Exchange, business: Business, from: Balance, to: Balance, amount: bigint, held: boolean): void {
  exchange.move(from, to, amount, held);
  exchange.posting(business, from, to, -amount, 0, 0);
  exchange.posting(business, to, from, amount, 0, 0);
}

/** Bonus and demo money stays where it is, and the external book only mints and burns. */
function isMovable(account: Account): boolean {
  return account.id !== EXTERNAL_ACCOUNT && account.book !== "bonus" && account.book !== "demo";
}
