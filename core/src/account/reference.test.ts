// Every money command beside a plain model of it: seeded random steps at and around each bound. What the core tells, line by
// line, its balances and its next timer are what the model says.
import { createRandom, type Random } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { readRestriction } from "../inspect/restrictions.ts";
import { coreOf, createMachine } from "../machine/machine.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { EXTERNAL_ACCOUNT, FEES_ACCOUNT } from "../protocol/names.ts";
import { eventsOf } from "../testing/driver.ts";
import { type MoneyCommand, MoneyReference } from "../testing/money-reference.ts";
import type { Line, ReferenceAccount } from "../testing/reference-books.ts";
import { createStage } from "../testing/stage.ts";

const RETENTION_MS = 2_000;
const USERS = [1, 8];

/** What of the events is about money, as the model tells it. */
function linesOf(events: readonly MachineEvent[]): Line[] {
  const lines: Line[] = [];
  for (const event of events) {
    const { kind } = event;
    if (kind === "rejected") lines.push([kind, event.command, event.code, event.account, event.limit, event.item]);
    else if (kind === "repeated") lines.push([kind, event.command, event.account, event.firstSequence]);
    else if (kind === "reference") lines.push([kind, event.command, event.account, event.reference]);
    else if (kind === "holdExpired")
      lines.push([kind, event.business, event.account, event.asset, event.units, event.hold]);
    else if (kind === "restricted") lines.push([kind, event.user, event.units, event.totalUnits, event.until]);
    else if (kind === "restrictionEnded") lines.push([kind, event.reason, event.user, event.units, event.totalUnits]);
    else if (kind === "posting" || kind === "frozen") {
      const { business, account, asset, deltaUnits, reference, availableUnits, frozenUnits } = event;
      const other = kind === "posting" ? [event.counterparty, event.market] : [];
      lines.push([kind, business, account, ...other, asset, deltaUnits, reference, availableUnits, frozenUnits]);
    }
  }
  return lines;
}

function makeWorld() {
  const stage = createStage({}, createMachine({ rules: [{ number: 1, referenceRetentionMs: RETENTION_MS }] }));
  const listed = eventsOf(stage.send({ kind: "listAsset", symbol: "ETH", scale: 8 }), "assetListed");
  const ether = listed[0]?.asset ?? 0;
  const accounts = new Map<number, ReferenceAccount>([
    [EXTERNAL_ACCOUNT, { user: 0, isMovable: false }],
    [FEES_ACCOUNT, { user: 0, isMovable: true }],
  ]);
  for (const user of USERS)
    for (const book of ["spot", "funding", "bonus", "demo"] as const) {
      const made = eventsOf(stage.send({ kind: "createAccount", user, book }), "accountCreated");
      accounts.set(made[0]?.account ?? 0, { user, isMovable: book === "spot" || book === "funding" });
    }
  const sale = eventsOf(stage.send({ kind: "openHouseAccount", purpose: "sale", sub: 3 }), "houseAccountOpened");
  accounts.set(sale[0]?.account ?? 0, { user: 0, isMovable: true });
  const assets = [
    { asset: stage.base, price: "ticks" },
    { asset: stage.quote, price: "one" },
    { asset: ether, price: "none" },
  ] as const;
  const model = new MoneyReference(accounts, assets, { stepUnits: 1_000, retentionMs: RETENTION_MS });
  model.sequence = stage.machine.sequence;
  model.time = stage.time;
  return { stage, reference: model, accounts: [...accounts.keys()], assets: assets.map(({ asset }) => asset) };
}

type World = ReturnType<typeof makeWorld>;

/** Draws commands that mostly could succeed, at and around what is there. */
class Draw {
  readonly #random: Random;
  readonly #world: World;
  readonly #sent: MoneyCommand[] = [];
  #number = 0;

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#world = world;
  }

  /** Amounts at the edges of what there is; few are no amounts at all. */
  #units(bound: number): number {
    const random = this.#random;
    if (random.chance(1, 25)) return random.pick([0, -1, Number.MAX_SAFE_INTEGER]);
    if (random.chance(1, 2)) return Math.max(1, Math.floor((bound * random.below(1_000)) / 1_000));
    return random.pick([bound, Math.min(bound + 1, Number.MAX_SAFE_INTEGER), bound - 1, 1]);
  }

  #account(): number {
    const random = this.#random;
    const { reference: model, accounts } = this.#world;
    if (random.chance(1, 30)) return random.pick([0, -1, 14, 9_999]);
    return random.pick(accounts.filter((one) => model.isMovable(one) || random.chance(1, 20)));
  }

  /** One with something in it, mostly. */
  #payer(asset: number): number {
    const { accounts, reference: model } = this.#world;
    const rich = accounts.filter((account) => model.cell(account, asset).free > 0);
    return rich.length === 0 || this.#random.chance(1, 8) ? this.#account() : this.#random.pick(rich);
  }

  #asset(): number {
    return this.#random.chance(1, 40) ? this.#random.pick([0, -1, 9]) : this.#random.pick(this.#world.assets);
  }

  #reference(): string {
    const random = this.#random;
    if (random.chance(1, 40)) return random.pick(["", "a b", "[", `x${"y".repeat(35)}`, "a+b"]);
    if (random.chance(1, 8)) return this.#anyName();
    return `r${++this.#number}`;
  }

  /** One that was used lately, for whatever. */
  #anyName(): string {
    const { reference: model } = this.#world;
    const names = [...model.holds.keys()].slice(-12);
    return this.#random.pick([...names, ...[...model.restrictions.keys()].slice(-4), `r${this.#number}`]);
  }

  /** Mostly of what is left somewhere. */
  #nameOf(named: ReadonlyMap<string, { readonly left: number }>): string {
    const open = [...named].filter(([, { left }]) => left > 0).map(([name]) => name);
    const any = [...named.keys(), "no", "", "a b"];
    return open.length === 0 || this.#random.chance(1, 6) ? this.#random.pick(any) : this.#random.pick(open);
  }

  /** A time around now, or none. */
  #time(): number {
    const { time } = this.#world.reference;
    if (this.#random.chance(1, 10)) return this.#random.pick([time, time - 1, -1]);
    return this.#random.pick([0, 0, time + 1, time + 50, time + 1 + this.#random.below(900)]);
  }

  next(): MoneyCommand {
    const random = this.#random;
    const again = random.chance(1, 10) ? this.#sent.at(-1 - random.below(Math.max(1, this.#sent.length))) : undefined;
    const command = again ?? this.#fresh();
    this.#sent.push(command);
    if (this.#sent.length > 20) this.#sent.shift();
    return command;
  }

  #fresh(): MoneyCommand {
    const random = this.#random;
    const reference = this.#reference();
    const which = random.below(10);
    if (which < 3) return this.#move(reference);
    if (which < 6) return this.#holding(reference);
    if (which < 8) return this.#settling(reference);
    if (which === 8) {
      const user = random.chance(1, 20) ? random.pick([0, -1]) : random.pick(USERS);
      const units = this.#units(
        Math.min(Number.MAX_SAFE_INTEGER, Number(this.#world.reference.worthOf(user)) >> random.below(4)),
      );
      return { kind: "restrict", user, units, until: this.#time(), reference };
    }
    const restriction = this.#nameOf(this.#world.reference.restrictions);
    const left = this.#world.reference.restrictions.get(restriction)?.left ?? 1;
    return { kind: "unrestrict", units: this.#units(left), restriction, reference };
  }

  #move(reference: string): MoneyCommand {
    const random = this.#random;
    const asset = this.#asset();
    const account = this.#payer(asset);
    const more = { asset, reference, business: random.pick(["deposit", "adjustment", "withdrawal"] as const) } as const;
    if (random.chance(1, 3)) {
      const units = random.chance(1, 10) ? this.#units(Number.MAX_SAFE_INTEGER) : random.between(-1, 30_000);
      return { kind: "mint", account: this.#account(), units, ...more };
    }
    const out = {
      account,
      units: this.#units(this.#world.reference.cell(account, asset).free),
      outgoing: random.chance(2, 3),
    };
    if (random.chance(1, 4)) return { kind: "burn", ...out, ...more };
    return { kind: "transfer", to: this.#account(), ...out, ...more };
  }

  #holding(reference: string): MoneyCommand {
    const random = this.#random;
    const { reference: model } = this.#world;
    const business = random.pick(["withdrawal", "otcEscrow"] as const);
    if (random.chance(1, 3)) {
      const asset = this.#asset();
      const account = this.#payer(asset);
      const units = this.#units(model.cell(account, asset).free);
      const outgoing = random.chance(1, 2);
      return { kind: "hold", account, asset, business, units, reference, outgoing, expiresAt: this.#time() };
    }
    const hold = this.#nameOf(model.holds);
    const known = model.holds.get(hold);
    const account = random.chance(1, 15) ? this.#account() : (known?.account ?? this.#account());
    const [units, to, expiresAt] = [this.#units(known?.left ?? 5), this.#account(), this.#time()];
    const into = random.chance(1, 6) ? this.#anyName() : `i${++this.#number}`;
    return random.pick<MoneyCommand>([
      { kind: "capture", account, to, units, business, reference, hold },
      { kind: "release", account, units, reference, hold },
      { kind: "extendHold", account, expiresAt: random.pick([expiresAt, known?.expires ?? 0]), reference, hold },
      { kind: "splitHold", account, units, reference, hold, into },
    ]);
  }

  #settling(reference: string): MoneyCommand {
    const random = this.#random;
    const { reference: model } = this.#world;
    const main = this.#asset();
    const hub = this.#payer(main);
    const legs = Array.from({ length: random.chance(1, 20) ? 0 : random.between(1, 8) }, () => {
      const hold = random.chance(1, 3) ? this.#nameOf(model.holds) : "";
      const known = model.holds.get(hold);
      const asset = known?.asset ?? (random.chance(1, 10) ? this.#asset() : main);
      const from = known?.account ?? (random.chance(1, 2) ? hub : this.#payer(asset));
      const bound = known?.left ?? model.cell(from, asset).free;
      const units = random.chance(1, 12)
        ? this.#units(bound)
        : random.between(1, Math.max(1, Math.min(bound, 9_000) >> 1));
      const business = random.pick(["convert", "otcFee"] as const);
      const to = from !== hub && random.chance(1, 2) ? hub : this.#account();
      return { from, to, asset, units, business, hold };
    });
    return { kind: "settle", reference, outgoing: random.chance(1, 2), legs };
  }
}

/** What else happens: time, a price, somebody is blocked, a snapshot. */
function disturb({ stage, reference: model, accounts }: World, random: Random): void {
  // Often to the edge of what ends next, or of what is forgotten next.
  const placed = [...model.holds.values()].map(({ placedAt }) => placedAt + RETENTION_MS);
  const edges = [model.nextTimerAt, ...placed].filter(
    (time) => time > model.time && time < model.time + 2 * RETENTION_MS,
  );
  if (edges.length > 0 && random.chance(1, 8)) model.time = Math.max(model.time, random.pick(edges) - random.below(2));
  else model.time += random.pick([0, 0, 0, 0, 0, 0, 1, 1, 30, 400]);
  stage.time = model.time;
  const event = random.below(100);
  if (event < 3) model.ticks = random.pick([1, 7, 333, 10_000]);
  // The index of a spot market must be set again to count.
  if (model.ticks !== 0) stage.send({ kind: "setReferencePrice", market: stage.market, indexTicks: model.ticks });
  if (event >= 3 && event < 6) {
    const account = random.pick(accounts.filter((one) => model.accounts.get(one)?.user !== 0));
    const isBlocked = random.chance(1, 3);
    if (isBlocked) model.blocked.add(account);
    else model.blocked.delete(account);
    stage.send({ kind: "setAccountFlags", account, blockOutgoing: isBlocked });
  } else if (event < 7) stage.machine.restore(stage.machine.snapshot());
  model.sequence = stage.machine.sequence;
}

function compareState({ stage, reference: model, accounts, assets }: World): void {
  const { ledger } = coreOf(stage.machine);
  for (const account of accounts)
    for (const asset of assets) {
      const cell = ledger.cellIndex.find(account, asset);
      const { free, frozen } = model.cell(account, asset);
      expect([account, asset, ledger.available(cell), ledger.frozen(cell)]).toEqual([account, asset, free, frozen]);
    }
  for (const user of USERS) {
    const [worthUnits, restrictedUnits] = [model.worthOf(user), BigInt(model.restrictedOf(user))];
    const freeUnits = worthUnits > restrictedUnits ? worthUnits - restrictedUnits : 0n;
    expect(readRestriction(stage.machine, user)).toEqual({ worthUnits, restrictedUnits, freeUnits });
  }
  expect(checkInvariants(stage.machine)).toEqual([]);
}

test("[LEDGER-9] money commands do, tell and refuse what a plain model does, whatever came before", () => {
  const outcomes = new Set<string>();
  for (const seed of [1, 2, 3]) {
    const random = createRandom(seed);
    const world = makeWorld();
    const { stage, reference: model } = world;
    const draw = new Draw(random, world);
    for (let step = 0; step < 1_000; step++) {
      disturb(world, random);
      if (random.chance(1, 12)) {
        expect([seed, step, linesOf(stage.send({ kind: "tick" }))]).toEqual([seed, step, model.tick()]);
      } else {
        const command = draw.next();
        const lines = model.run(command);
        expect([seed, step, command, linesOf(stage.send(command))]).toEqual([seed, step, command, lines]);
        outcomes.add(`${command.kind} ${lines[0]?.[0] === "rejected" ? lines[0][2] : "done"}`);
      }
      expect(stage.machine.nextTimerAt).toBe(model.nextTimerAt);
      if (step % 40 === 0) compareState(world);
    }
    compareState(world);
  }
  // It came to nearly every refusal of every command.
  expect(outcomes.size).toBeGreaterThan(70);
});
