// Owns the exercise of the machine's code before the first customer: a scratch market is traded on the machine while it
// is still empty. Must never touch a machine that holds anything; the caller empties it afterwards.
import { encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import type { Command } from "@clockwork/core/protocol/command";
import type { Machine } from "@clockwork/core/protocol/contract";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { createRandom, type Random } from "@clockwork/kit/random";

const ACCOUNTS = 16;
const FIRST_ACCOUNT = 16;
const MIDDLE_TICKS = 500_000;
const START_MS = 1_700_000_000_000;
const RESTING = 256;
const ACCEPTED = EVENTS.orderAccepted.kind;

interface Resting {
  readonly account: number;
  readonly orderId: number;
}

/** Applies about `count` commands as traders send them: limit orders that rest or take, cancels, price changes. */
export function warmUp(machine: Machine, count: number): void {
  const bytes = new Uint8Array(1024);
  const view = new DataView(bytes.buffer);
  const random = createRandom(20_260_101);
  let sequence = 0;
  const apply = (command: Command): void => {
    encodeCommand(command, bytes);
    sequence++;
    stampCommand(view, 0, sequence, START_MS + Math.floor(sequence / 64));
    machine.events.clear();
    machine.apply(bytes, 0);
  };
  for (const command of listScratchMarket()) apply(command);
  const resting: Resting[] = [];
  for (let index = 0; index < count; index++) {
    if (resting.length > RESTING || (resting.length > 64 && random.chance(2, 5))) {
      const [order] = resting.splice(random.below(resting.length), 1);
      if (order === undefined) continue;
      if (random.chance(1, 8)) apply({ kind: "amendOrder", ...order, price: MIDDLE_TICKS - 300 - random.below(50) });
      else apply({ kind: "cancelOrder", ...order });
      continue;
    }
    const order = drawOrder(random);
    apply(order);
    const orderId = acceptedId(machine);
    if (orderId > 0) resting.push({ account: order.account, orderId });
  }
  machine.events.clear();
}

function drawOrder(random: Random): Extract<Command, { kind: "placeOrder" }> & { account: number } {
  const side = random.chance(1, 2) ? "buy" : "sell";
  const takes = random.chance(1, 6);
  const away = random.between(takes ? -20 : 1, 200);
  return {
    kind: "placeOrder",
    account: FIRST_ACCOUNT + random.below(ACCOUNTS),
    market: 1,
    price: side === "buy" ? MIDDLE_TICKS - away : MIDDLE_TICKS + away,
    quantity: random.between(1, 100),
    side,
    timeInForce: takes && random.chance(1, 2) ? "IOC" : "GTC",
  };
}

/** Id of the order created by the last command, from its first or second event; 0 when it was rejected. */
function acceptedId(machine: Machine): number {
  const { bytes, from, length } = machine.events;
  const view = new DataView(bytes.buffer, bytes.byteOffset + from, length);
  for (let at = 0; at < Math.min(length, EVENT_BYTES * 2); at += EVENT_BYTES)
    if (view.getUint8(at) === ACCEPTED) return EVENTS.orderAccepted.layout.orderId.read(view, at);
  return 0;
}

function listScratchMarket(): Command[] {
  const units = 10 ** 14;
  const commands: Command[] = [
    { kind: "listAsset", scale: 8, symbol: "BTC" },
    { kind: "listAsset", scale: 6, symbol: "USDT" },
  ];
  commands.push({
    kind: "listMarket",
    tickDecimals: 1,
    base: 1,
    quote: 2,
    tickMantissa: 1,
    stepUnits: 1_000,
    symbol: "BTC/USDT",
  });
  for (let index = 0; index < ACCOUNTS; index++) {
    const account = FIRST_ACCOUNT + index;
    commands.push({ kind: "createAccount", user: index + 1, book: "spot" });
    for (const asset of [1, 2]) {
      commands.push({
        kind: "mint",
        account,
        asset,
        business: "deposit",
        units,
        reference: `warm:${account}:${asset}`,
      });
    }
  }
  return commands;
}
