// Owns what the money commands must do, said as plainly as can be: maps and lists instead of records and chains. It tells what
// the core has to tell, line by line. For tests; never part of a running exchange.
import type { Command } from "../protocol/command.ts";
import { EXTERNAL_ACCOUNT } from "../protocol/names.ts";
import {
  isName,
  isUnits,
  type Line,
  type ReferenceAccount,
  type ReferenceAsset,
  ReferenceBooks,
  type ReferenceHold,
  type ReferenceRestriction,
  Refusal,
  refuseIf,
} from "./reference-books.ts";

type Of<K extends Command["kind"]> = Extract<Command, { readonly kind: K }>;
export type MoneyCommand = Of<
  | "mint"
  | "burn"
  | "transfer"
  | "hold"
  | "capture"
  | "release"
  | "extendHold"
  | "splitHold"
  | "settle"
  | "restrict"
  | "unrestrict"
>;
type Leg = Of<"settle">["legs"][number];

export class MoneyReference extends ReferenceBooks {
  sequence = 0;
  readonly #retentionMs: number;
  readonly #references = new Map<
    string,
    { readonly print: string; readonly sequence: number; readonly time: number }
  >();
  /** What has an end, in the order in which their ends were set. */
  #ends: { readonly kind: "hold" | "restriction"; readonly name: string; readonly time: number }[] = [];

  constructor(
    accounts: ReadonlyMap<number, ReferenceAccount>,
    assets: readonly ReferenceAsset[],
    { stepUnits, retentionMs }: { readonly stepUnits: number; readonly retentionMs: number },
  ) {
    super(accounts, assets, stepUnits);
    this.#retentionMs = retentionMs;
  }

  get nextTimerAt(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#ends.map(({ time }) => time));
  }

  run(command: MoneyCommand): Line[] {
    this.sequence++;
    this.lines = [];
    const account = "account" in command ? (command.account ?? 0) : 0;
    try {
      this.#runOnce(command, account);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.lines = [["rejected", command.kind, error.code, account, error.limit, error.item]];
    }
    return this.lines;
  }

  /** What ends by itself, the earliest first, ties in the order in which the ends were set. */
  tick(): Line[] {
    this.sequence++;
    this.lines = [];
    const due = this.#ends.filter(({ time }) => time <= this.time).sort((a, b) => a.time - b.time);
    this.#ends = this.#ends.filter(({ time }) => time > this.time);
    for (const { kind, name } of due) {
      if (kind === "hold") this.#expire(this.holds.get(name) as ReferenceHold);
      else this.#lift(this.restrictions.get(name) as ReferenceRestriction, undefined, "tick");
    }
    return this.lines;
  }

  #runOnce(command: MoneyCommand, account: number): void {
    const { kind, reference } = command;
    refuseIf(!isName(reference), "INVALID_REFERENCE");
    const namesAccount = kind !== "settle" && kind !== "restrict" && kind !== "unrestrict";
    refuseIf(namesAccount && !this.accounts.has(account), "UNKNOWN_ACCOUNT");
    const known = this.#references.get(reference);
    const print = JSON.stringify(command);
    if (known !== undefined && this.time - known.time < this.#retentionMs) {
      refuseIf(known.print !== print, "REFERENCE_REUSED");
      this.lines.push(["repeated", kind, account, known.sequence]);
      return;
    }
    this.#apply(command, account);
    this.#references.set(reference, { print, sequence: this.sequence, time: this.time });
    this.lines.push(["reference", kind, account, reference]);
  }

  #apply(command: MoneyCommand, account: number): void {
    if (command.kind === "mint") this.#mint(command, account);
    else if (command.kind === "burn") this.#burn(command, account);
    else if (command.kind === "transfer") this.#transfer(command, account);
    else if (command.kind === "hold") this.#hold(command, account);
    else if (command.kind === "settle") this.#settle(command);
    else if (command.kind === "restrict") this.#restrict(command);
    else if (command.kind === "unrestrict") this.#unrestrict(command);
    else this.#changeHold(command, account);
  }

  #mint({ asset, units, business }: Of<"mint">, account: number): void {
    this.checkAsset(asset, units);
    refuseIf(!this.isMovable(account), "NOT_TRANSFERABLE");
    refuseIf(business !== "deposit" && business !== "adjustment", "NOT_FROM_OUTSIDE");
    const room = Number.MAX_SAFE_INTEGER + this.cell(EXTERNAL_ACCOUNT, asset).free;
    refuseIf(units > room, "MINT_LIMIT", room);
    this.post(business, EXTERNAL_ACCOUNT, account, asset, units);
  }

  #burn({ asset, units, business, outgoing = false }: Of<"burn">, account: number): void {
    this.checkAsset(asset, units);
    refuseIf(!this.isMovable(account), "NOT_TRANSFERABLE");
    refuseIf(this.blocked.has(account), "ACCOUNT_BLOCKED");
    this.checkFree(account, asset, units);
    if (outgoing) this.checkLeaving(account, 0, asset, units);
    this.post(business, account, EXTERNAL_ACCOUNT, asset, units);
  }

  #transfer({ asset, units, to, business = "transfer", outgoing = false }: Of<"transfer">, account: number): void {
    this.checkAsset(asset, units);
    refuseIf(!this.accounts.has(to), "UNKNOWN_ACCOUNT");
    refuseIf(account === to || !this.isMovable(account) || !this.isMovable(to), "NOT_TRANSFERABLE");
    refuseIf(this.blocked.has(account), "ACCOUNT_BLOCKED");
    this.checkFree(account, asset, units);
    if (outgoing) this.checkLeaving(account, to, asset, units);
    this.post(business, account, to, asset, units);
  }

  #hold(command: Of<"hold">, account: number): void {
    const { asset, units, business, reference, outgoing = false, expiresAt = 0 } = command;
    this.checkAsset(asset, units);
    refuseIf(expiresAt !== 0 && expiresAt <= this.time, "INVALID_EXPIRY");
    refuseIf(!this.isMovable(account), "NOT_TRANSFERABLE");
    refuseIf(this.blocked.has(account), "ACCOUNT_BLOCKED");
    refuseIf(this.#knownHold(reference) !== undefined, "REFERENCE_REUSED");
    this.checkFree(account, asset, units);
    if (outgoing) this.checkLeaving(account, 0, asset, units);
    this.#open({ name: reference, account, asset, business, outgoing }, units, expiresAt);
    this.freeze(business, account, asset, units);
  }

  #open(hold: Omit<ReferenceHold, "left" | "expires" | "isOver" | "placedAt">, left: number, expires: number): void {
    this.holds.set(hold.name, { ...hold, placedAt: this.time, left, expires: 0, isOver: false });
    this.#setEnd(this.holds.get(hold.name) as ReferenceHold, expires);
  }

  #setEnd(hold: ReferenceHold, expires: number): void {
    this.#ends = this.#ends.filter(({ kind, name }) => kind !== "hold" || name !== hold.name);
    hold.expires = expires;
    if (expires !== 0) this.#ends.push({ kind: "hold", name: hold.name, time: expires });
  }

  /** A hold is known while anything is left of it and as long as a reference is. */
  #knownHold(name: string): ReferenceHold | undefined {
    const hold = this.holds.get(name);
    return hold !== undefined && (hold.left > 0 || this.time - hold.placedAt < this.#retentionMs) ? hold : undefined;
  }

  #holdOf(account: number, name: string): ReferenceHold {
    const hold = isName(name) ? this.#knownHold(name) : undefined;
    if (hold === undefined || hold.account !== account) throw new Refusal("UNKNOWN_HOLD");
    return hold;
  }

  #isExpired({ isOver, left, expires }: ReferenceHold): boolean {
    return isOver || (left > 0 && expires !== 0 && expires <= this.time);
  }

  #shrink(hold: ReferenceHold, units: number): void {
    hold.left -= units;
    if (hold.left === 0) this.#setEnd(hold, 0);
  }

  #expire(hold: ReferenceHold): void {
    const { account, asset, business, left, name } = hold;
    this.#shrink(hold, left);
    hold.isOver = true;
    this.freeze(business, account, asset, -left);
    this.lines.push(["holdExpired", business, account, asset, left, name]);
  }

  #changeHold(command: Of<"capture" | "release" | "extendHold" | "splitHold">, account: number): void {
    const hold = this.#holdOf(account, command.hold);
    if (command.kind === "capture") this.#capture(command, hold);
    else if (command.kind === "release") this.#release(command, hold);
    else if (command.kind === "extendHold") this.#extend(command, hold);
    else this.#split(command, hold);
  }

  #capture({ to, units, business }: Of<"capture">, hold: ReferenceHold): void {
    refuseIf(!isUnits(units), "INVALID_AMOUNT");
    refuseIf(!this.accounts.has(to), "UNKNOWN_ACCOUNT");
    refuseIf(to === hold.account || (to !== EXTERNAL_ACCOUNT && !this.isMovable(to)), "NOT_TRANSFERABLE");
    refuseIf(this.#isExpired(hold), "HOLD_EXPIRED");
    refuseIf(units > hold.left, "HOLD_EXCEEDED", hold.left);
    this.#shrink(hold, units);
    this.post(business, hold.account, to, hold.asset, units, true);
  }

  #release({ units: requested = 0 }: Of<"release">, hold: ReferenceHold): void {
    const units = requested === 0 ? hold.left : requested;
    refuseIf(!isUnits(units), "INVALID_AMOUNT");
    refuseIf(units > hold.left, "HOLD_EXCEEDED", hold.left);
    this.#shrink(hold, units);
    this.freeze("transfer", hold.account, hold.asset, -units);
  }

  #extend({ expiresAt = 0 }: Of<"extendHold">, hold: ReferenceHold): void {
    refuseIf(this.#isExpired(hold), "HOLD_EXPIRED");
    refuseIf(hold.left === 0, "HOLD_EXCEEDED");
    const isLater = hold.expires !== 0 && expiresAt >= hold.expires && expiresAt > this.time;
    refuseIf(expiresAt !== 0 && !isLater, "INVALID_EXPIRY", hold.expires);
    this.#setEnd(hold, expiresAt);
  }

  #split({ units, into }: Of<"splitHold">, hold: ReferenceHold): void {
    refuseIf(!isUnits(units), "INVALID_AMOUNT");
    refuseIf(!isName(into), "INVALID_REFERENCE");
    refuseIf(this.#knownHold(into) !== undefined, "REFERENCE_REUSED");
    refuseIf(this.#isExpired(hold), "HOLD_EXPIRED");
    refuseIf(units > hold.left, "HOLD_EXCEEDED", hold.left);
    const { expires } = hold;
    this.#shrink(hold, units);
    this.#open({ ...hold, name: into }, units, expires);
  }

  /** All legs are asked before any is run; a leg may spend what an earlier one brings. */
  #settle({ legs, outgoing = false }: Of<"settle">): void {
    refuseIf(legs.length < 1 || legs.length > 8, "MALFORMED_COMMAND");
    const gone = new Map<number, bigint>();
    for (const [item, leg] of legs.entries()) {
      try {
        this.#checkLeg(leg, legs.slice(0, item), outgoing ? gone : undefined);
      } catch (error) {
        if (error instanceof Refusal) error.item = item;
        throw error;
      }
    }
    for (const { from, to, asset, units, business = "transfer", hold: name = "" } of legs) {
      if (name !== "") this.#shrink(this.#holdOf(from, name), units);
      this.post(business, from, to, asset, units, name !== "");
    }
  }

  #checkLeg(leg: Leg, before: readonly Leg[], gone: Map<number, bigint> | undefined): void {
    const { from, to, asset, units, hold: name = "" } = leg;
    refuseIf(!this.accounts.has(from) || !this.accounts.has(to), "UNKNOWN_ACCOUNT");
    this.checkAsset(asset, units);
    this.checkParties(from, to);
    let isLeaving = false;
    if (name === "") {
      refuseIf(this.blocked.has(from), "ACCOUNT_BLOCKED");
      let { free } = this.cell(from, asset);
      for (const other of before) {
        if (other.asset !== asset) continue;
        if (other.from === from && (other.hold ?? "") === "") free -= other.units;
        if (other.to === from) free += other.units;
      }
      refuseIf(units > free, "INSUFFICIENT_BALANCE", free);
    } else {
      const hold = this.#holdOf(from, name);
      refuseIf(hold.asset !== asset, "UNKNOWN_HOLD");
      refuseIf(this.#isExpired(hold), "HOLD_EXPIRED");
      const taken = before.filter((other) => other.hold === name).reduce((sum, other) => sum + other.units, 0);
      refuseIf(units > hold.left - taken, "HOLD_EXCEEDED", hold.left - taken);
      isLeaving = hold.outgoing;
    }
    if (gone !== undefined && !isLeaving) this.checkLeaving(from, to, asset, units, gone);
  }

  #restrict({ user, units, until = 0, reference }: Of<"restrict">): void {
    refuseIf(user <= 0, "MALFORMED_COMMAND");
    refuseIf(!isUnits(units), "INVALID_AMOUNT");
    refuseIf(until !== 0 && until <= this.time, "INVALID_EXPIRY");
    refuseIf(units > Number.MAX_SAFE_INTEGER - this.restrictedOf(user), "INVALID_AMOUNT");
    refuseIf((this.restrictions.get(reference)?.left ?? 0) > 0, "REFERENCE_REUSED");
    this.restrictions.set(reference, { name: reference, user, until, left: units });
    if (until !== 0) this.#ends.push({ kind: "restriction", name: reference, time: until });
    this.lines.push(["restricted", user, units, this.restrictedOf(user), until]);
  }

  #unrestrict({ units, restriction: name }: Of<"unrestrict">): void {
    const restriction = this.restrictions.get(name);
    if (restriction === undefined || restriction.left === 0) throw new Refusal("UNKNOWN_RESTRICTION");
    this.#lift(restriction, units, "unrestrict");
  }

  #lift(restriction: ReferenceRestriction, requested: number | undefined, command: "tick" | "unrestrict"): void {
    const { name, user, left } = restriction;
    const units = requested === undefined || requested === 0 ? left : requested;
    refuseIf(!isUnits(units), "INVALID_AMOUNT");
    refuseIf(units > left, "INVALID_AMOUNT", left);
    restriction.left -= units;
    if (restriction.left === 0)
      this.#ends = this.#ends.filter((end) => end.kind !== "restriction" || end.name !== name);
    const reason = command === "tick" ? "expired" : "lifted";
    this.lines.push(["restrictionEnded", reason, user, units, this.restrictedOf(user)]);
    this.lines.push(["reference", command, 0, name]);
  }
}
