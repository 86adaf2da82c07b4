// Owns sessions of perpetuals: seeded traders, an index that wanders, crashes or lies, and after every command the
// machine's invariants, bills that add up to every balance, and nobody liquidated while healthy. Snapshots on the way
// and a replay at the end must lead to the same state.

import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { sealSnapshot } from "@clockwork/core/machine/snapshot";
import { decodeEvents, encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import type { Command } from "@clockwork/core/protocol/command";
import { COMMAND_LENGTH_MAX } from "@clockwork/core/protocol/command";
import type { Machine } from "@clockwork/core/protocol/contract";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { tiersCommand } from "@clockwork/core/protocol/listing-command";
import { FIRST_USER_ACCOUNT } from "@clockwork/core/protocol/names";
import { crc32c } from "@clockwork/kit/hash";
import { tiersA, tiersB, tiersInverse } from "@clockwork/kit/margin-tiers";
import { createRandom, type Random } from "@clockwork/kit/random";

export const START_MS = 1_700_000_000_000;
/** Small tables grow often; fast paths come early, as they would after a calm day. */
const SMALL = { orderCapacity: 16, accountCapacity: 4, eventCapacity: 16, fastPathsAfter: 8 };

export class PerpFailure extends Error {
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

/** Assets and markets every session has; ids follow from the order they are listed in. */
export const BTC = 1;
export const USDT = 2;
export const LINEAR = 1;
export const SMALLER = 2;
export const INVERSE = 3;
export const DEMO = 4;
export const PLAY = 5;
export const MIDDLE = 500_000;
export const INSURANCE = 2;

/** A machine with its journal, asked after every command whether it is still sound. */
export class PerpWorld {
  machine: Machine = createMachine(SMALL);
  time = START_MS;
  readonly random: Random;
  readonly journal: Uint8Array[] = [];
  /** A checksum of each command's events: the general path must tell the same. */
  readonly published: number[] = [];
  readonly seen = new Map<string, number>();
  /** What bills say every account has, by account and asset. */
  readonly balances = new Map<string, number>();
  readonly players = new Set<number>();
  /** How often the invariants are asked: 1 means after every command. */
  everyCommand = 1;
  snapshots = 0;
  readonly #bytes = new Uint8Array(COMMAND_LENGTH_MAX);
  readonly #view = new DataView(this.#bytes.buffer);

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  send(command: Command): MachineEvent[] {
    const { machine } = this;
    const before = machine.now;
    const length = encodeCommand(command, this.#bytes);
    stampCommand(this.#view, 0, machine.sequence + 1, this.time);
    this.journal.push(this.#bytes.slice(0, length));
    machine.events.clear();
    machine.apply(this.#bytes, 0);
    this.published.push(crc32c(machine.events.bytes, 0, machine.events.length));
    const events = decodeEvents(machine.events.bytes, 0, machine.events.length, before);
    this.#read(events);
    if (this.journal.length % this.everyCommand === 0) this.check();
    return events;
  }

  check(): void {
    const [violation] = checkInvariants(this.machine);
    if (violation !== undefined) throw new PerpFailure(violation.rule, violation.detail);
  }

  #read(events: readonly MachineEvent[]): void {
    for (const event of events) {
      this.seen.set(event.kind, (this.seen.get(event.kind) ?? 0) + 1);
      if (event.kind === "posting") this.#bill(event);
      else if (event.kind === "frozen") this.#compare(`${event.account}:${event.asset}`, event);
      else if (event.kind === "liquidationStarted" && event.cashUnits + event.profitUnits > event.needUnits)
        throw new PerpFailure("SIM-8", `account ${event.account} is liquidated while healthy`);
      else if (event.kind === "rejected") this.seen.set(event.code, (this.seen.get(event.code) ?? 0) + 1);
      else if (event.kind === "liquidationStep") this.seen.set(event.step, (this.seen.get(event.step) ?? 0) + 1);
    }
  }

  #bill(event: Extract<MachineEvent, { readonly kind: "posting" }>): void {
    const key = `${event.account}:${event.asset}`;
    if (event.account >= FIRST_USER_ACCOUNT && this.players.has(event.account) !== (event.asset === PLAY))
      throw new PerpFailure("SIM-9", `account ${event.account} is billed in asset ${event.asset}`);
    this.balances.set(key, (this.balances.get(key) ?? 0) + event.deltaUnits);
    this.#compare(key, event);
  }

  #compare(key: string, { availableUnits, frozenUnits }: { availableUnits: number; frozenUnits: number }): void {
    const sum = this.balances.get(key) ?? 0;
    if (sum !== availableUnits + frozenUnits)
      throw new PerpFailure("SIM-7", `bills of ${key} sum to ${sum}, the balance is ${availableUnits + frozenUnits}`);
  }

  /** Goes on from a snapshot, which must be the same machine. */
  restore(): void {
    const hash = this.machine.stateHash();
    const parts = this.machine.snapshot();
    if (this.snapshots % 2 === 0) sealSnapshot(parts);
    const restored = restoreMachine(parts, this.snapshots % 3 === 0 ? { fastPathsAfter: 8 } : SMALL);
    if (restored.stateHash() !== hash) throw new PerpFailure("SIM-4", "a restored machine has another hash");
    if (restored.nextTimerAt !== this.machine.nextTimerAt)
      throw new PerpFailure("SIM-4", "a restored machine wakes elsewhen");
    this.machine = restored;
    this.snapshots++;
  }

  /** The journal alone must lead to the same events and the same state, and so must the general path alone. */
  replay(): void {
    const again = createMachine({ fastPathsAfter: Number.POSITIVE_INFINITY });
    for (const [i, bytes] of this.journal.entries()) {
      again.events.clear();
      again.apply(bytes, 0);
      if (crc32c(again.events.bytes, 0, again.events.length) !== this.published[i])
        throw new PerpFailure("SIM-5", `the general path tells something else at command ${i + 1}`);
    }
    if (again.stateHash() !== this.machine.stateHash()) throw new PerpFailure("SIM-5", "a replay has another hash");
  }

  /** Lists the three contracts and sets their first prices. */
  open(): void {
    for (const [symbol, scale] of [
      ["BTC", 8],
      ["USDT", 6],
      ["USD", 2],
      ["XYZ", 4],
      ["DUSDT", 6],
    ] as const)
      this.send({ kind: "listAsset", symbol, scale });
    this.send({ kind: "setFeeGroup", feeGroup: 1, makerRate: 20_000, takerRate: 60_000 });
    const common = { kind: "listMarket", tickMantissa: 1, tickDecimals: 1, slippageBps: 200, feeGroup: 1 } as const;
    this.send({ ...common, marketKind: "linear", base: BTC, quote: USDT, stepUnits: 100_000, symbol: "BTCUSDT" });
    this.send({
      ...common,
      marketKind: "linear",
      base: 4,
      quote: USDT,
      stepUnits: 10,
      contractClass: "B",
      fundingHours: 1,
      symbol: "XYZUSDT",
    });
    this.send({
      ...common,
      marketKind: "inverse",
      base: BTC,
      quote: 3,
      stepUnits: 1,
      faceUnits: 10_000,
      symbol: "BTCUSD",
    });
    this.send(tiersCommand(LINEAR, tiersA(6)));
    this.send(tiersCommand(SMALLER, tiersB(6)));
    this.send(tiersCommand(INVERSE, tiersInverse("BTC", 8)));
    for (const market of [LINEAR, SMALLER, INVERSE])
      this.send({ kind: "setReferencePrice", market, markTicks: MIDDLE, indexTicks: MIDDLE });
    const opened = this.send({ kind: "openHouseAccount", purpose: "campaignTreasury" });
    const treasury = opened.find((event) => event.kind === "houseAccountOpened")?.account;
    if (treasury === undefined) throw new PerpFailure("SIM-6", "no treasury");
    // Not enough for every bonus: some are refused.
    for (const asset of [BTC, USDT])
      this.send({
        kind: "mint",
        account: treasury,
        asset,
        business: "deposit",
        units: 8_000_000_000,
        reference: `treasury:${asset}`,
      });
    const mirror = { marketKind: "linear", base: BTC, quote: PLAY, stepUnits: 100_000, mirror: LINEAR } as const;
    this.send({ ...common, ...mirror, symbol: "BTCUSDT-DEMO" });
  }

  /** A demo account with play money. */
  player(): number {
    const made = this.send({ kind: "createAccount", user: this.journal.length, book: "demo" });
    const created = made.find((event) => event.kind === "accountCreated");
    if (created === undefined || created.kind !== "accountCreated") throw new PerpFailure("SIM-6", "no account");
    this.players.add(created.account);
    this.send({ kind: "resetDemo", account: created.account, asset: PLAY });
    return created.account;
  }

  /** A funded account: linear ones get USDT, inverse ones BTC. */
  trader(units: number, inverse = false): number {
    const user = this.journal.length;
    const made = this.send({
      kind: "createAccount",
      user,
      book: inverse ? "inverse" : "linear",
      sub: inverse ? BTC : 0,
    });
    const created = made.find((event) => event.kind === "accountCreated");
    if (created === undefined || created.kind !== "accountCreated") throw new PerpFailure("SIM-6", "no account");
    const { account } = created;
    const asset = inverse ? BTC : USDT;
    this.send({ kind: "mint", account, asset, business: "deposit", units, reference: `fund:${account}` });
    return account;
  }

  endow(asset: number, units: number): void {
    this.send({ kind: "mint", account: INSURANCE, asset, business: "adjustment", units, reference: `endow:${asset}` });
  }

  mark(market: number, ticks: number): MachineEvent[] {
    return this.send({ kind: "setReferencePrice", market, markTicks: ticks, indexTicks: ticks });
  }

  order(account: number, market: number, side: "buy" | "sell", quantity: number, price: number, more: object = {}) {
    return this.send({ kind: "placeOrder", account, market, side, quantity, price, ...more } as Command);
  }

  tick(ms: number): MachineEvent[] {
    this.time += ms;
    return this.send({ kind: "tick" });
  }

  count(kind: string): number {
    return this.seen.get(kind) ?? 0;
  }
}
