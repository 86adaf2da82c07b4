// Owns one seeded session: traders send commands to the machine and to the reference; after every command both must
// tell the same events and the machine's invariants must hold; snapshots on the way and a replay at the end must
// lead to the same state. Everything follows from the seed, so a failing seed re-runs alone.
import { crc32 } from "node:zlib";
import { depthChecksum, readDepth } from "@clockwork/core/inspect/depth";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { sealSnapshot } from "@clockwork/core/machine/snapshot";
import { encodeBatch, encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import { COMMAND_LENGTH_MAX } from "@clockwork/core/protocol/command";
import type { Machine, MachineOptions } from "@clockwork/core/protocol/contract";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { createRandom, type Random } from "@clockwork/kit/random";
import { findDifference } from "./compare.ts";
import { readEvents } from "./decode.ts";
import { type Market, ordersOf } from "./reference/state.ts";
import { createReference, type Reference, type SimCommand } from "./reference.ts";
import { nextCommand } from "./traders.ts";
import { setTheStage, spendSlots, type World } from "./world.ts";

const REFERENCE_RETENTION_MS = 30 * 86_400_000;
const RULES = [{ number: 1, referenceRetentionMs: REFERENCE_RETENTION_MS }];
const MACHINE_OPTIONS: MachineOptions = {
  orderCapacity: 16,
  accountCapacity: 4,
  eventCapacity: 16,
  fastPathsAfter: 0,
  rules: RULES,
};
/** Neither first sizes nor the path a command took may show in the state: these machines know the general one only. */
const ROOMY_OPTIONS: MachineOptions = { rules: RULES };
const START_MS = 1_700_000_000_000;
/** A command's record is followed by bytes that belong to no one, as in a host's ring. */
const POISON = new TextEncoder().encode("\u0003c-3\u0003c-1\u00ff".repeat(64));
const PAST_KEPT = 30;

export interface Failure {
  readonly seed: number;
  /** How many commands had been sent, the failing one included. */
  readonly at: number;
  readonly rule: string;
  readonly detail: string;
  readonly command: string;
}

export interface SessionResult {
  readonly commands: number;
  readonly events: number;
  readonly trades: number;
  readonly refusals: number;
  readonly snapshots: number;
  readonly stateHash: string;
  /** How often each kind of event came. */
  readonly seen: ReadonlyMap<string, number>;
  readonly failure: Failure | undefined;
  /** Every command as stamped bytes. */
  readonly journal: readonly Uint8Array[];
}

export interface SessionOptions {
  readonly seed: number;
  readonly commands: number;
  /** Stands between machine and comparison, to plant a defect and see it found. */
  readonly tamper?: (events: MachineEvent[]) => MachineEvent[];
  /** Begins with as many orders as it takes until slots are used again: ids are no longer their slots. */
  readonly isLate?: boolean;
}

class SessionFailure extends Error {
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(detail);
    this.rule = rule;
  }
}

class Session {
  machine: Machine = createMachine(MACHINE_OPTIONS);
  readonly reference: Reference = createReference(REFERENCE_RETENTION_MS);
  readonly random: Random;
  readonly world: World;
  readonly journal: Uint8Array[] = [];
  readonly seen = new Map<string, number>();
  readonly #bytes = new Uint8Array(COMMAND_LENGTH_MAX + POISON.length);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #tamper: (events: MachineEvent[]) => MachineEvent[];
  events = 0;
  snapshots = 0;

  constructor(options: SessionOptions) {
    this.random = createRandom(options.seed);
    this.#tamper = options.tamper ?? ((events) => events);
    this.world = {
      random: this.random,
      exchange: this.reference.exchange,
      time: START_MS,
      mid: new Map(),
      past: [],
      named: [],
      references: [],
    };
  }

  #encode(command: SimCommand): number {
    if (command.kind === "batch") return encodeBatch(command.account, command.items, this.#bytes);
    if (command.kind !== "raw") return encodeCommand(command, this.#bytes);
    this.#bytes.set(command.bytes);
    return command.bytes.length;
  }

  /** Sends one command to both sides and compares all that can be compared. */
  step(command: SimCommand): void {
    const { machine, world } = this;
    const length = this.#encode(command);
    this.#bytes.set(POISON, length);
    const before = machine.now;
    stampCommand(this.#view, 0, machine.sequence + 1, world.time);
    this.journal.push(this.#bytes.slice(0, length));
    machine.events.clear();
    machine.apply(this.#bytes, 0);
    const got = this.#tamper(readEvents(machine.events.bytes, machine.events.length, before));
    const expected = this.reference.apply(command, world.time);
    const difference = findDifference(got, expected);
    if (difference !== undefined) throw new SessionFailure("SIM-1", difference);
    this.#note(got);
    const [violation] = checkInvariants(machine);
    if (violation !== undefined) throw new SessionFailure(violation.rule, violation.detail);
  }

  #note(events: readonly MachineEvent[]): void {
    this.events += events.length;
    for (const event of events) {
      this.seen.set(event.kind, (this.seen.get(event.kind) ?? 0) + 1);
      if (event.kind === "orderEnded" || event.kind === "orderAccepted") this.world.past.push(event.orderId);
    }
    while (this.world.past.length > PAST_KEPT) this.world.past.shift();
  }

  /** Books and the next timer from both sides, which no event need have told. */
  compareState(): void {
    const { exchange } = this.reference;
    for (const market of exchange.markets) this.#compareBook(market);
    const next = Math.min(...[...exchange.timers, ...exchange.deadlines].map(({ at }) => at));
    if (this.machine.nextTimerAt !== next)
      throw new SessionFailure("SIM-3", `next timer ${this.machine.nextTimerAt}, should ${next}`);
  }

  #compareBook(market: Market): void {
    const depth = readDepth(this.machine, market.id, 1_000);
    const draw = (levels: readonly { readonly price: number; readonly lots: number }[]): string =>
      levels.map(({ price, lots }) => `${price}x${lots}`).join(" ");
    const levelsOf = (side: "buy" | "sell") => {
      const levels = new Map<number, number>();
      for (const { price, lots } of ordersOf(market, side)) levels.set(price, (levels.get(price) ?? 0) + lots);
      return [...levels].map(([price, lots]) => ({ price, lots }));
    };
    const got = `${draw(depth.bids)} | ${draw(depth.asks)} #${depth.bookSequence} #${depth.tradeNumber} ${depth.lastPrice}`;
    const expected = `${draw(levelsOf("buy"))} | ${draw(levelsOf("sell"))} #${market.bookSequence} #${market.trades} ${market.last}`;
    if (got !== expected) throw new SessionFailure("SIM-2", `market ${market.id} is ${got}, should be ${expected}`);
    const [bids, asks] = [levelsOf("buy"), levelsOf("sell")];
    const lines = bids.length > asks.length ? bids : asks;
    const top = lines.slice(0, 25).flatMap((_, i) => [bids[i], asks[i]].filter((level) => level !== undefined));
    const checksum = crc32(top.map(({ price, lots }) => `${price}:${lots}`).join(":"));
    if (depthChecksum(depth.bids, depth.asks) !== checksum)
      throw new SessionFailure("SIM-2", `market ${market.id} has another checksum`);
  }

  /** Goes on from a snapshot, which must be the same machine. */
  restore(): void {
    const hash = this.machine.stateHash();
    const parts = this.machine.snapshot();
    if (this.snapshots % 2 === 0) sealSnapshot(parts);
    const restored = restoreMachine(parts, this.snapshots % 3 === 0 ? ROOMY_OPTIONS : MACHINE_OPTIONS);
    if (restored.stateHash() !== hash) throw new SessionFailure("SIM-4", "a restored machine has another hash");
    if (restored.sequence !== this.machine.sequence || restored.now !== this.machine.now)
      throw new SessionFailure("SIM-4", "a restored machine stands elsewhere");
    this.machine = restored;
    this.snapshots++;
  }

  /** The journal alone must lead to the same state, on a new machine and on this one emptied. */
  replay(): void {
    const hash = this.machine.stateHash();
    this.machine.restore();
    for (const [name, again] of [
      ["a new machine", createMachine(ROOMY_OPTIONS)],
      ["the same machine", this.machine],
    ] as const) {
      for (const bytes of this.journal) {
        again.events.clear();
        again.apply(bytes, 0);
      }
      if (again.stateHash() !== hash) throw new SessionFailure("SIM-5", `a replay on ${name} has another hash`);
    }
  }
}

/** A finding as a script: commands, and numbers for milliseconds that go by between them. */
export function runScript(script: readonly (SimCommand | number)[]): SessionResult {
  const steps = script.filter((step) => typeof step !== "number");
  return play({ seed: 0, commands: steps.length }, ({ world }) => {
    const left = [...script];
    return () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        if (typeof next !== "number") return next;
        world.time += next;
      }
      return { kind: "tick" };
    };
  });
}

/** A session of traders, all of it from the seed. */
export function runSession(options: SessionOptions): SessionResult {
  return play(options, ({ random, world }) => {
    const opening = [...setTheStage(random), ...(options.isLate === true ? spendSlots() : [])];
    return () => opening.shift() ?? nextCommand(world);
  });
}

function play(options: SessionOptions, start: (session: Session) => () => SimCommand): SessionResult {
  const session = new Session(options);
  let at = 0;
  let command: SimCommand | undefined;
  let failure: Failure | undefined;
  try {
    const next = start(session);
    while (at < options.commands) {
      command = next();
      at++;
      session.step(command);
      if (session.random.chance(1, 900)) session.restore();
      if (at % 20 === 0) session.compareState();
    }
    command = undefined;
    session.compareState();
    session.replay();
  } catch (error) {
    const rule = error instanceof SessionFailure ? error.rule : "SIM-6";
    const detail = error instanceof SessionFailure ? error.message : String((error as Error).stack ?? error);
    failure = { seed: options.seed, at, rule, detail, command: JSON.stringify(command) ?? "" };
  }
  return {
    commands: at,
    events: session.events,
    trades: session.seen.get("trade") ?? 0,
    refusals: session.seen.get("rejected") ?? 0,
    snapshots: session.snapshots,
    stateHash: failure === undefined ? session.machine.stateHash() : "",
    seen: session.seen,
    failure,
    journal: session.journal,
  };
}
