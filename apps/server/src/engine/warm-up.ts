// Owns the exercise of the machine's code before the first customer: a scratch market is traded and thrown away.
// Must never touch the real machine.
import { encodeCommand, stampCommand } from "@clockwork/core/codec";
import type { Command } from "@clockwork/core/command";
import { createRandom } from "@clockwork/kit/random";
import type { MachineFactory } from "./recovery.ts";

const ACCOUNTS = 16;
const FIRST_ACCOUNT = 16;
const MIDDLE_TICKS = 500_000;
const START_MS = 1_700_000_000_000;

/** Applies about `count` commands of every common kind to a machine of its own. */
export function warmUp(factory: MachineFactory, count: number): void {
  const machine = factory.createMachine();
  const bytes = new Uint8Array(1024);
  const view = new DataView(bytes.buffer);
  const random = createRandom(20_260_101);
  let sequence = 0;
  const apply = (command: Command): void => {
    encodeCommand(command, bytes);
    sequence++;
    stampCommand(view, 0, sequence, START_MS + Math.floor(sequence / 64));
    machine.apply(bytes, 0);
    machine.events.clear();
  };
  for (const command of listScratchMarket()) apply(command);
  const rested: { account: number; id: string }[] = [];
  for (let index = 0; index < count; index++) {
    const account = FIRST_ACCOUNT + random.below(ACCOUNTS);
    if (rested.length > 64 && random.chance(2, 5)) {
      const order = rested.splice(random.below(rested.length), 1)[0];
      if (order !== undefined) apply({ kind: "cancelOrder", account: order.account, clientOrderId: order.id });
      continue;
    }
    const side = random.chance(1, 2) ? "buy" : "sell";
    const takes = random.chance(1, 6);
    const away = random.between(takes ? -20 : 1, 200);
    const price = side === "buy" ? MIDDLE_TICKS - away : MIDDLE_TICKS + away;
    const id = `w${index}`;
    const timeInForce = takes && random.chance(1, 2) ? "IOC" : "GTC";
    const quantity = random.between(1, 100);
    apply({ kind: "placeOrder", account, market: 1, price, quantity, side, timeInForce, clientOrderId: id });
    if (!takes) rested.push({ account, id });
  }
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
      commands.push({ kind: "mint", account, asset, business: "faucet", units, reference: `warm:${account}:${asset}` });
    }
  }
  return commands;
}
