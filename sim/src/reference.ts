// Owns the reference exchange's front door: one stamped command in, the events it must cause out. Written from the
// rules, slow and plain on purpose, so that the machine can be compared with it event for event.
import { COMMANDS, type Command, type DecodedCommand } from "@clockwork/core/protocol/command";
import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import { amendPlan } from "./reference/amends.ts";
import {
  admitClientId,
  amendOrder,
  cancelAll,
  cancelOrder,
  mayTrade,
  recordClientId,
  setDeadMan,
} from "./reference/changes.ts";
import {
  createAccount,
  listAsset,
  listMarket,
  openHouseAccount,
  setAccountFees,
  setAccountFlags,
  setFeeGroup,
  setMarketLimits,
  setMarketStatus,
  setReferencePrice,
  setSeed,
  setUserFees,
} from "./reference/listing.ts";
import { cancelList, placeBracket, placeOco, requestedOf } from "./reference/lists.ts";
import { runMoney, runReferenced } from "./reference/money.ts";
import { drain, tick } from "./reference/motion.ts";
import { submit } from "./reference/orders.ts";
import { placeConditional } from "./reference/plans.ts";
import { placeScaled, placeTwap } from "./reference/slices.ts";
import { type Account, type CommandOf, Exchange, type Market, type Refusal, refuse } from "./reference/state.ts";
import { refreshValues } from "./reference/value.ts";

/** What a simulated trader sends: a command, several in one, or bytes that are no command. */
export type SimCommand =
  | Exclude<Command, { readonly kind: "batch" }>
  | { readonly kind: "batch"; readonly account: number; readonly items: readonly SingleCommand[] }
  | { readonly kind: "raw"; readonly bytes: Uint8Array; readonly expected: ExpectedRefusal };
export type SingleCommand = Exclude<Command, { readonly kind: "batch" }>;
/** How bytes that are no command must be refused. */
export type ExpectedRefusal = Pick<EventOf<"rejected">, "command" | "code" | "account" | "market">;

const BATCHABLE = ["placeOrder", "cancelOrder", "amendOrder", "placeConditional", "setDeadMan"];
const BATCH_MAX = 50;

type Defaults = Readonly<Record<string, unknown>>;
const DEFAULTS = new Map<string, Defaults>(
  Object.entries(COMMANDS).map(([kind, { layout }]) => {
    const members = Object.entries(layout as Readonly<Record<string, { readonly fallback?: unknown }>>);
    return [kind, Object.fromEntries(members.map(([name, field]) => [name, field.fallback]))];
  }),
);

function complete(command: SingleCommand, account?: number): DecodedCommand {
  const whole = { ...DEFAULTS.get(command.kind), ...command };
  return (account === undefined ? whole : { ...whole, account }) as unknown as DecodedCommand;
}

export interface Reference {
  readonly exchange: Exchange;
  apply(command: SimCommand, time: number): MachineEvent[];
}

export function createReference(referenceRetentionMs: number): Reference {
  const exchange = new Exchange(referenceRetentionMs);
  return {
    exchange,
    apply(command, time) {
      exchange.events = [];
      exchange.sequence++;
      if (time !== exchange.now) {
        exchange.now = time;
        exchange.emit("clock", { time });
        refreshValues(exchange);
      }
      const before = exchange.events.length;
      exchange.item = 0;
      const account = run(exchange, command);
      if (exchange.events.length === before) exchange.emit("applied", { command: exchange.command, account });
      return exchange.events;
    },
  };
}

/** Returns the account the command names, 0 when its kind names none. */
function run(exchange: Exchange, command: SimCommand): number {
  if (command.kind === "raw") {
    exchange.emit("rejected", { ...command.expected, asset: 0, orderId: 0, limit: 0, item: 0 });
    return 0;
  }
  exchange.command = command.kind;
  if (command.kind !== "batch") {
    const whole = complete(command);
    runOne(exchange, whole);
    return accountOf(whole);
  }
  const { account, items } = command;
  if (items.length < 1 || items.length > BATCH_MAX) exchange.reject(refuse("BATCH_TOO_LARGE"), account, 0);
  else if (exchange.userAccount(account) === undefined) exchange.reject(refuse("UNKNOWN_ACCOUNT"), account, 0);
  else {
    for (const [i, item] of items.entries()) {
      exchange.item = i;
      exchange.command = item.kind;
      if (BATCHABLE.includes(item.kind)) runOne(exchange, complete(item, account));
      else exchange.reject(refuse("BATCH_ITEM_FORBIDDEN"), account, 0);
    }
  }
  return account;
}

function accountOf(command: DecodedCommand): number {
  return "account" in command ? command.account : 0;
}

/** One command or one item of a batch, and all it sets in motion. */
function runOne(exchange: Exchange, command: DecodedCommand): void {
  const refusal = dispatch(exchange, command);
  if (refusal !== undefined) {
    const names = "side" in command || command.kind === "cancelAll" || command.kind === "setDeadMan";
    exchange.reject(refusal, accountOf(command), names ? command.market : 0);
  }
  drain(exchange);
}

function dispatch(exchange: Exchange, command: DecodedCommand): Refusal | undefined {
  switch (command.kind) {
    case "tick":
      tick(exchange);
      return undefined;
    case "createAccount":
      return createAccount(exchange, command);
    case "listAsset":
      return listAsset(exchange, command);
    case "mint":
    case "burn":
    case "transfer":
    case "hold":
    case "capture":
    case "release":
    case "extendHold":
    case "splitHold":
      return runMoney(exchange, command);
    case "settle":
    case "restrict":
    case "unrestrict":
      return runReferenced(exchange, command);
    case "listMarket":
      return listMarket(exchange, command);
    case "setMarketStatus":
      return setMarketStatus(exchange, command);
    case "setFeeGroup":
      return setFeeGroup(exchange, command);
    case "setAccountFees":
      return setAccountFees(exchange, command);
    case "setReferencePrice":
      return setReferencePrice(exchange, command);
    case "setMarketLimits":
      return setMarketLimits(exchange, command);
    case "setAccountFlags":
      return setAccountFlags(exchange, command);
    case "setSeed":
      return setSeed(exchange, command);
    case "openHouseAccount":
      return openHouseAccount(exchange, command);
    case "setUserFees":
      return setUserFees(exchange, command);
    default: {
      const account = exchange.userAccount(accountOf(command));
      return account === undefined ? refuse("UNKNOWN_ACCOUNT") : runTrader(exchange, account, command);
    }
  }
}

function runTrader(exchange: Exchange, account: Account, command: DecodedCommand): Refusal | undefined {
  switch (command.kind) {
    case "cancelOrder":
      return cancelOrder(exchange, command);
    case "amendOrder":
      return amendOrder(exchange, command);
    case "amendPlan":
      return amendPlan(exchange, command);
    case "cancelAll":
      return cancelAll(exchange, account, command);
    case "setDeadMan":
      return setDeadMan(exchange, account, command);
    case "cancelList":
      return cancelList(exchange, account, command);
    case "placeOrder":
    case "placeConditional":
    case "placeOco":
    case "placeBracket":
    case "placeTwap":
    case "placeScaled":
      return runPlace(exchange, account, command);
    default:
      return refuse("UNKNOWN_COMMAND");
  }
}

type Place = CommandOf<"placeOrder" | "placeConditional" | "placeOco" | "placeBracket" | "placeTwap" | "placeScaled">;

function runPlace(exchange: Exchange, account: Account, command: Place): Refusal | undefined {
  const market = exchange.market(command.market);
  if (market === undefined) return refuse("UNKNOWN_MARKET");
  if (!mayTrade(account)) return refuse("BOOK_NOT_TRADABLE");
  if ("clientOrderId" in command) {
    const admitted = admitClientId(exchange, command);
    if (admitted !== undefined) return admitted === "answered" ? undefined : admitted;
  }
  switch (command.kind) {
    case "placeOrder":
      return placeOrder(exchange, account, market, command);
    case "placeConditional":
      return placeConditional(exchange, account, market, command);
    case "placeOco":
      return placeOco(exchange, account, market, command);
    case "placeBracket":
      return placeBracket(exchange, account, market, command);
    case "placeTwap":
      return placeTwap(exchange, account, market, command);
    default:
      return placeScaled(exchange, account, market, command);
  }
}

function placeOrder(
  exchange: Exchange,
  account: Account,
  market: Market,
  command: CommandOf<"placeOrder">,
): Refusal | undefined {
  const accepted = (id: number): void => recordClientId(exchange, command, id);
  const placed = submit(exchange, requestedOf(account, market, command), { accepted });
  return "code" in placed ? placed : undefined;
}
