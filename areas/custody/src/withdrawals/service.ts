// Withdrawals up to the queue: an intent is checked, proved, counted against the limit and frozen in the ledger, or
// refused with nothing changed. One row per intent; every later step is a compare-and-set, and the ledger decides which
// came first.
import type { Command } from "@clockwork/core/protocol/command";
import { coinOf } from "@clockwork/kit/chains/network";
import { formatUnits, parseUnits, toCoreUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { Kysely } from "kysely";
import {
  type AddressLook,
  type ApplyBody,
  type CodeBody,
  type CodeSent,
  type Limits,
  type Locked,
  type Proof,
  type TransferBody,
  USER_NETWORK,
  type Withdrawal,
  type WithdrawalList,
} from "./contract.ts";
import { holdOf, paidLegs } from "./fee-service.ts";
import type { LedgerAnswer, NameNeeds, WithdrawNeeds } from "./needs.ts";
import type { WithdrawRefusal } from "./refusals.ts";
import {
  type CodeSubject,
  findContract,
  isSameIntent,
  isToSelf,
  KEY_LEVEL,
  mayCancel,
  maySpeedUp,
  newRow,
  readAmount,
  readKept,
  readLedgerCode,
  subjectOf,
  TWO_PEOPLE_UNITS,
} from "./rules.ts";
import type { Payer, SavedPlace, WithdrawalRow, WithdrawStore } from "./store.ts";

/** The caller: a person proves themselves, an API key may only use saved addresses. */
export interface Caller {
  readonly userId: number;
  readonly isKey: boolean;
  /** The security version of the call. */
  readonly readVersion: () => Promise<number | undefined>;
  readonly prove: (
    proof: Proof | undefined,
    subject: CodeSubject,
  ) => Promise<Result<null, "PROOF_REQUIRED" | "PROOF_WRONG" | "TOO_MANY_TRIES">>;
  readonly sendCode: (
    subject: CodeSubject,
    captcha: CodeBody["captcha"],
  ) => Promise<Result<CodeSent, "UNAUTHENTICATED" | "CODE_TOO_SOON" | "CAPTCHA_REQUIRED">>;
}

const USDT_SCALE = 6;
/** Longer than any call may take. */
const UNDER_WAY_MS = 60_000;
const PAGE = 20;
type Outcome = Promise<Result<WithdrawalRow, WithdrawRefusal>>;
type Refused = Extract<Awaited<Outcome>, { readonly done: false }>;
type Hold = Extract<Command, { readonly kind: "hold" }>;
interface Place extends SavedPlace {
  readonly isInside: boolean;
}

/** What was asked for as it would be kept, what proves it, and the address it goes to where it goes to one. */
interface Intent {
  readonly row: WithdrawalRow;
  readonly subject: CodeSubject;
  readonly place: Place | undefined;
}

export class WithdrawService {
  readonly #store: WithdrawStore;
  readonly #needs: WithdrawNeeds;
  /** Withdrawals with a ledger command in flight: none is sent twice concurrently. */
  readonly #underWay = new Map<string, Outcome>();

  constructor({ store, needs }: { readonly store: WithdrawStore; readonly needs: WithdrawNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async limits(userId: number): Promise<Omit<Limits, keyof Locked>> {
    const nowMs = this.#needs.now();
    const limitUnits = await this.limitUnits(userId);
    const used = await this.#store.sumUsed(userId, nowMs - DAY_MS);
    const usdt = (value: bigint): string => formatUnits(units(value > 0n ? value : 0n), USDT_SCALE);
    const locks = await this.#needs.listLocks(userId);
    return {
      limitUsdt: usdt(limitUnits),
      usedUsdt: usdt(used),
      leftUsdt: usdt(limitUnits - used),
      isWhitelist: await this.#store.isWhitelist(userId),
      ...(await this.#needs.protection(userId)),
      locks: locks.map(({ cause, endsAtMs }) => ({ cause, endsAtMs })),
      reviewUsdt: usdt(limitUnits / 10n),
      twoPeopleUsdt: usdt(TWO_PEOPLE_UNITS),
    };
  }

  /**
   * The destination of coins sent to an address; an address of a user of the exchange, the caller included, needs no
   * network.
   */
  async #findPlace(request: Pick<ApplyBody, "asset" | "network" | "address">) {
    const network = this.#needs.chains.networks.find((one) => one.network === request.network);
    if (network === undefined) return refused("UNKNOWN_NETWORK");
    const coin = coinOf(network, request.asset);
    const listed = this.#needs.coins.find(request.asset);
    if (coin === undefined || listed === undefined) return refused("COIN_NOT_ON_NETWORK");
    const wrong = this.#needs.addressProblem(request.address);
    if (wrong !== undefined) return refused(wrong);
    const address = request.address.toLowerCase();
    if (findContract(network, address)) return refused("ADDRESS_IS_TOKEN");
    const house = this.#needs.chains.house();
    if ([house?.hot, house?.cold, network.payoutContract].includes(address)) return refused("ADDRESS_IS_HOUSE");
    return done({ coin, listed, address, owner: await this.#needs.ownerOf(address) });
  }

  /** A preview of a withdrawal to an address: refused as the request would be, within the exchange or not. */
  async look(userId: number, request: Pick<ApplyBody, "asset" | "network" | "address">) {
    const place = await this.#findPlace(request);
    if (!place.done) return place;
    const { owner, coin } = place.value;
    const way = owner === undefined ? "network" : owner === userId ? "self" : "inside";
    const shown = this.#needs.chains.checksumOf(place.value.address);
    return done<AddressLook>({ way, fee: way === "network" ? coin.withdrawFee : "0", address: shown });
  }

  /** Sends the code a movement of money is confirmed with: only for what would be accepted with it, and good for nothing else. */
  async sendCode(caller: Caller, body: CodeBody): Promise<Result<CodeSent, WithdrawRefusal>> {
    const { asset, amount, from, network = "", address = "", to } = body;
    const clientId = this.#needs.randomId();
    const request = { asset, amount, clientId, ...(from === undefined ? {} : { from }) };
    const read =
      to === undefined
        ? await this.#readOut({ ...request, network, address }, caller)
        : this.#readInside({ ...request, to }, caller);
    if (!read.done) return read;
    const { row, subject, place } = read.value;
    const started = await this.#begin(caller, row);
    if (!started.done) return started;
    const wrong = await this.#findRefusal(caller, started.value.row, place);
    return wrong ?? caller.sendCode(subject, body.captcha);
  }

  async apply(caller: Caller, body: ApplyBody): Outcome {
    const read = await this.#readOut(body, caller);
    if (!read.done) return read;
    const { row, subject, place } = read.value;
    const started = await this.#begin(caller, row);
    if (!started.done) return started;
    const { known, version } = started.value;
    if (known !== undefined) return this.#repeat(known, started.value.row);
    const wrong = await this.#check(caller, body.proof, { row: started.value.row, subject, place });
    return wrong ?? this.#write(caller, version, started.value.row, place);
  }

  /** A withdrawal as it was asked for, its receiver looked up. */
  async #readOut(
    body: ApplyBody,
    caller: Caller,
  ): Promise<Result<Intent & { readonly place: Place }, WithdrawRefusal>> {
    const found = await this.#findPlace(body);
    if (!found.done) return found;
    const { coin, listed, address, owner } = found.value;
    const amount = readAmount(body.amount, coin, listed.scale);
    if (typeof amount === "string") return refused(amount);
    const { amountUnits } = amount;
    const row = { ...this.#makeRow(caller.userId, body, amountUnits), address };
    const place = { network: body.network, address, isInside: owner !== undefined };
    const shownTo = this.#needs.chains.checksumOf(address);
    const { asset, network } = body;
    const subject = subjectOf({ asset, amountUnits, scale: listed.scale, network, to: address, shownTo });
    if (owner !== undefined) return done({ row: { ...row, receiver_id: owner }, subject, place });
    if (coin.contract !== null && (await this.#needs.hasCode(network, coin.contract)) === false)
      return refused("COIN_WITHOUT_CODE");
    return done({ row: { ...row, network, fee_units: amount.feeUnits }, subject, place });
  }

  /** To another user, whom nobody has looked up yet. */
  #readInside(body: TransferBody, caller: Caller): Result<Intent, WithdrawRefusal> {
    const listed = this.#needs.coins.find(body.asset);
    if (listed === undefined) return refused("UNKNOWN_ASSET");
    const amount = parseUnits(body.amount, listed.scale);
    if (!amount.done || amount.value === 0n) return refused("AMOUNT_INVALID");
    const { asset, to } = body;
    const what = {
      asset,
      amountUnits: amount.value,
      scale: listed.scale,
      network: USER_NETWORK,
      to,
      shownTo: to.trim(),
    };
    return done({ row: this.#makeRow(caller.userId, body, amount.value), subject: subjectOf(what), place: undefined });
  }

  /** To another user: instant and free, proved and counted like everything that leaves. */
  async transfer(caller: Caller, body: TransferBody): Outcome {
    const read = this.#readInside(body, caller);
    if (!read.done) return read;
    const started = await this.#begin(caller, read.value.row);
    if (!started.done) return started;
    const { known, row, version } = started.value;
    if (known === undefined) {
      // No user is looked up before this: without a proof the answer is the same for every name.
      const wrong = await this.#check(caller, body.proof, { ...read.value, row });
      if (wrong !== undefined) return wrong;
    }
    return findByName<WithdrawalRow>(this.#needs, caller.userId, body.to, async (receiver) => {
      const named = { ...row, receiver_id: receiver ?? null };
      if (known !== undefined)
        return { outcome: await this.#repeat(known, named), isKnown: isSameIntent(known, named) };
      return this.#pay(caller, version, named);
    });
  }

  /** To a user by number, or to none; receivers paid before count as known. */
  async #pay(caller: Caller, version: number | undefined, row: WithdrawalRow) {
    const place = { network: USER_NETWORK, address: String(row.receiver_id ?? "") };
    const bound = await this.#store.findBound(this.#payerOf(caller), place);
    // A caller bound to the address book learns of no user beyond it.
    if (bound !== "free") return { outcome: refused(boundCode(bound, place)), isKnown: true };
    if (row.receiver_id === null) return { outcome: refused("RECEIVER_UNKNOWN" as const), isKnown: false };
    if (row.receiver_id === caller.userId) return { outcome: refused("RECEIVER_IS_SENDER" as const), isKnown: true };
    const wasPaid = await this.#store.hasPaid(caller.userId, row.receiver_id);
    const outcome = await this.#write(caller, version, row, place);
    return { outcome, isKnown: wasPaid || (!outcome.done && outcome.code === "LEDGER_AWAY") };
  }

  #payerOf({ userId, isKey }: Caller): Payer {
    return { userId, isKey, nowMs: this.#needs.now() };
  }

  #makeRow(userId: number, body: Pick<ApplyBody, "asset" | "clientId" | "from">, amountUnits: bigint): WithdrawalRow {
    return newRow({ withdrawalId: this.#needs.randomId(), nowMs: this.#needs.now(), userId, amountUnits, ...body });
  }

  async #begin(caller: Caller, request: WithdrawalRow) {
    // Read before any proof: later changes of the account's security win.
    const version = await caller.readVersion();
    const known = await this.#store.findIntent(caller.userId, request.client_id);
    if (known !== undefined) return done({ known, row: request, version });
    const coin = this.#needs.coins.find(request.asset);
    // Without a price the limit cannot be checked.
    const worth = coin === undefined ? undefined : this.#needs.coins.worthUnits(coin.asset, request.amount_units);
    const worth_units = isToSelf(request) ? 0n : worth;
    if (worth_units === undefined) return refused("NO_REFERENCE_PRICE");
    return done({ known, row: { ...request, worth_units }, version });
  }

  #repeat(known: WithdrawalRow, request: WithdrawalRow): Outcome {
    return isSameIntent(known, request) ? this.#comeBack(known) : Promise.resolve(refused("CLIENT_ID_REUSED"));
  }

  async #write(caller: Caller, version: number | undefined, row: WithdrawalRow, place: SavedPlace): Outcome {
    const limitUnits = await this.limitUnits(caller.userId);
    const written = await this.#needs.changeAt(caller.userId, version, async (inside) => {
      const rest = await this.#findRest(caller.userId, inside);
      if (rest !== undefined) return rest;
      const limit = { sinceMs: this.#needs.now() - DAY_MS, limitUnits };
      return done(await this.#store.add(inside, row, limit, this.#payerOf(caller), place));
    });
    if (!written.done)
      return written.code === "OVERTAKEN" ? refused("SECURITY_CHANGED") : { ...written, code: written.code };
    switch (written.value) {
      case "known": {
        const known = await this.#store.findIntent(caller.userId, row.client_id);
        return known === undefined ? refused("WITHDRAWAL_UNKNOWN") : this.#repeat(known, row);
      }
      case "refused":
        return refused("LIMIT_REACHED");
      case "added":
        return this.#goOn(row);
      case "unsaved":
      case "resting":
        return refused(boundCode(written.value, place));
    }
  }

  async #findRest(userId: number, inside?: Kysely<unknown>) {
    const [lock] = await this.#needs.listLocks(userId, inside);
    return lock && refused("WITHDRAWALS_REST", new Date(lock.endsAtMs).toISOString());
  }

  /**
   * Resumed by a repeated request, or after a stop; payments that would leave at once wait while their owner is held.
   */
  async #comeBack(row: WithdrawalRow): Outcome {
    const leavesNow = row.state === "CREATED" && row.network === "" && !isToSelf(row);
    return leavesNow && (await this.#needs.isHeld(row.user_id)) ? refused("WITHDRAWALS_REST") : this.#goOn(row);
  }

  /** Everything else first: a code is spent by looking at it, and is never spent on what is refused anyway. */
  async #check(caller: Caller, proof: Proof | undefined, intent: Intent): Promise<Refused | undefined> {
    const wrong = await this.#findRefusal(caller, intent.row, intent.place);
    if (wrong !== undefined || caller.isKey) return wrong;
    const proved = await caller.prove(proof, intent.subject);
    return proved.done ? undefined : proved;
  }

  /** Why it would be refused whatever proves it. The ledger and the transaction that writes it have the last word. */
  async #findRefusal(caller: Caller, row: WithdrawalRow, place: Place | undefined): Promise<Refused | undefined> {
    const { userId, isKey } = caller;
    const rest = await this.#findRest(userId);
    if (rest !== undefined) return rest;
    if (isKey && (await this.#needs.levelOf(userId)) < KEY_LEVEL) return refused("IDENTITY_REQUIRED");
    if (place !== undefined) {
      if (!place.isInside && this.#needs.isPaused(place.network)) return refused("WITHDRAWALS_PAUSED");
      const bound = await this.#store.findBound(this.#payerOf(caller), place);
      if (bound !== "free") return refused(boundCode(bound, place));
    }
    return this.#findShort(row);
  }

  async #findShort(row: WithdrawalRow): Promise<Refused | undefined> {
    const { user_id: userId, amount_units: wanted } = row;
    const used = await this.#store.sumUsed(userId, this.#needs.now() - DAY_MS);
    if (row.worth_units > 0n && used + row.worth_units > (await this.limitUnits(userId)))
      return refused("LIMIT_REACHED");
    const coin = this.#needs.coins.find(row.asset);
    const account = await this.#needs.ledger.openAccount(userId, row.book);
    if (coin === undefined || account === undefined) return refused("LEDGER_AWAY");
    if ((await this.#needs.ledger.availableUnits(account, coin.asset)) < wanted) return refused("INSUFFICIENT_BALANCE");
    const { mayLeaveUsdt, withdrawable } = await this.#needs.locked(userId);
    if (mayLeaveUsdt === null || isToSelf(row)) return undefined;
    const from = row.book === "funding" ? "2" : "1";
    const leaves = withdrawable.find((one) => one.asset === row.asset && one.from === from)?.amount ?? "0";
    const left = parseUnits(leaves, coin.scale);
    return left.done && left.value < wanted ? refused("RESTRICTED") : undefined;
  }

  /** Resumes at any state; shared by repeated and concurrent callers. */
  #goOn(row: WithdrawalRow): Outcome {
    if (row.state === "REFUSED") return Promise.resolve(refused(readKept(row.reason)));
    if (row.state !== "CREATED" && row.state !== "VERIFY") return Promise.resolve(done(row));
    const under = this.#underWay.get(row.withdrawal_id);
    if (under !== undefined) return under;
    const step = row.state === "VERIFY" ? this.#verify(row) : undefined;
    const started = (step ?? (row.network === "" ? this.#moveInside(row) : this.#freeze(row))).finally(() =>
      this.#underWay.delete(row.withdrawal_id),
    );
    this.#underWay.set(row.withdrawal_id, started);
    return started;
  }

  async #moveInside(row: WithdrawalRow): Outcome {
    const { ledger, coins } = this.#needs;
    const coin = coins.find(row.asset);
    const [account, to] = await Promise.all([
      ledger.openAccount(row.user_id, row.book),
      ledger.openAccount(row.receiver_id ?? 0, "spot"),
    ]);
    if (coin === undefined || account === undefined || to === undefined) return refused("LEDGER_AWAY");
    const sum = {
      asset: coin.asset,
      business: "internalTransfer",
      units: toCoreUnits(units(row.amount_units)),
      reference: holdOf(row),
    } as const;
    const moved = await (account === to
      ? this.#stay(account, sum)
      : ledger.submit({ kind: "transfer", account, to, outgoing: !isToSelf(row), ...sum }));
    if (!moved.done) return this.#refuse(row, moved.code);
    const ended = { state: "DONE", is_settled: true, reason: "" } as const;
    // The ledger's result decides, whatever a concurrent caller was answered.
    await this.#store.stepWithdrawal(row.withdrawal_id, "REFUSED", ended);
    return this.#step(row, ended);
  }

  /** To the user's own address from the book deposits arrive in: it must be available, and is not moved. */
  async #stay(account: number, sum: Pick<Hold, "asset" | "business" | "units" | "reference">): Promise<LedgerAnswer> {
    const held = await this.#needs.ledger.submit({ kind: "hold", account, ...sum });
    const { reference } = sum;
    return held.done
      ? this.#needs.ledger.submit({ kind: "release", account, hold: reference, reference: `${reference}:e` })
      : held;
  }

  async #freeze(row: WithdrawalRow): Outcome {
    const { ledger, coins } = this.#needs;
    const coin = coins.find(row.asset);
    const account = await ledger.openAccount(row.user_id, row.book);
    if (coin === undefined || account === undefined) return refused("LEDGER_AWAY");
    const held = await ledger.submit({
      kind: "hold",
      account,
      asset: coin.asset,
      business: "withdrawal",
      outgoing: true,
      units: toCoreUnits(units(row.amount_units)),
      reference: holdOf(row),
    });
    if (!held.done) return this.#refuse(row, held.code);
    const frozen = await this.#step(row, { state: "VERIFY" });
    return frozen.done && frozen.value.state === "VERIFY" ? this.#verify(frozen.value) : frozen;
  }

  /** Frozen funds are checked; while that is not possible the withdrawal waits and is checked again. */
  async #verify(row: WithdrawalRow): Outcome {
    const reasons = await this.#needs.reasonsOf(row).catch(() => undefined);
    if (reasons === undefined) return done(row);
    const state = reasons.length === 0 ? "QUEUED" : "REVIEW";
    const stepped = await this.#step(row, { state, review: reasons.join(",") });
    this.#needs.wake(row.network);
    return stepped;
  }

  /**
   * Unavailable is no refusal: the ledger may have applied it, so the row is unchanged and is resumed later. A refusal
   * is stored: the same clientId gets the same answer, and funds another process froze for it are refunded.
   */
  async #refuse(row: WithdrawalRow, code: string | undefined): Outcome {
    const read = readLedgerCode(code);
    if (read === "LEDGER_AWAY") return refused(read);
    const values = { state: "REFUSED", reason: read, changed_ms: this.#needs.now() } as const;
    const isFirst = await this.#store.stepWithdrawal(row.withdrawal_id, "CREATED", values);
    if (isFirst && row.network === "") await this.#store.settleWithdrawal(row.withdrawal_id);
    else if (isFirst) await this.settle({ ...row, ...values });
    const now = await this.#store.find(row.withdrawal_id);
    return now === undefined || now.state === "REFUSED" ? refused(read) : done(now);
  }

  async #step(row: WithdrawalRow, values: Partial<WithdrawalRow>): Outcome {
    const next = { ...values, changed_ms: this.#needs.now() };
    await this.#store.stepWithdrawal(row.withdrawal_id, row.state, next);
    this.#needs.changed(row.user_id);
    if (row.receiver_id !== null) this.#needs.changed(row.receiver_id);
    const now = await this.#store.find(row.withdrawal_id);
    if (now === undefined) return refused("WITHDRAWAL_UNKNOWN");
    if (now.state !== "REFUSED") return done(now);
    // Refused to another caller while the ledger applied it: the frozen funds belong to no withdrawal.
    await this.settle(now);
    return refused(readKept(now.reason));
  }

  /** Until it is queued; frozen funds are refunded. */
  async cancel(userId: number, withdrawalId: string): Outcome {
    const row = await this.#store.find(withdrawalId);
    if (row === undefined || row.user_id !== userId) return refused("WITHDRAWAL_UNKNOWN");
    if (row.state === "CANCELLED") return done(row);
    if (!mayCancel(row.state) || row.network === "") return refused("WITHDRAWAL_UNDER_WAY");
    const values = { state: "CANCELLED", changed_ms: this.#needs.now() } as const;
    const isFirst = await this.#store.stepWithdrawal(withdrawalId, row.state, values);
    if (!isFirst) return refused("WITHDRAWAL_UNDER_WAY");
    const ended = { ...row, ...values };
    await this.settle(ended);
    this.#needs.changed(userId);
    return done(ended);
  }

  /** Sends the result to the ledger: paid out with its fee, or refunded in full. */
  async settle(row: WithdrawalRow): Promise<boolean> {
    const { ledger, coins } = this.#needs;
    const coin = coins.find(row.asset);
    const account = await ledger.openAccount(row.user_id, row.book);
    if (coin === undefined || account === undefined) return false;
    const hold = holdOf(row);
    const reference = `${hold}:e`;
    const ended =
      row.state === "DONE"
        ? await ledger.submit({ kind: "settle", reference, legs: paidLegs(row, account, coin.asset) })
        : await ledger.submit({ kind: "release", account, reference, hold });
    // A refusal normally froze nothing.
    const isNothing = row.state === "REFUSED" && ended.code === "UNKNOWN_HOLD";
    if (!ended.done && !isNothing) return false;
    await this.#store.settleWithdrawal(row.withdrawal_id);
    return true;
  }

  /** Resumes what a stop left unfinished. */
  async resume(): Promise<void> {
    const oldMs = this.#needs.now() - UNDER_WAY_MS;
    for (const row of await this.#store.listState("VERIFY")) await this.#goOn(row);
    for (const { withdrawal_id, created_ms } of await this.#store.listState("CREATED")) {
      // A recent request is continued by its caller; two at once could freeze what one of them has abandoned.
      const row = created_ms > oldMs ? undefined : await this.#store.find(withdrawal_id);
      if (row !== undefined) await this.#comeBack(row);
    }
    for (const row of await this.#store.listUnsettled()) if (await this.settle(row)) this.#needs.changed(row.user_id);
  }

  async list(userId: number, query: { before?: number; limit?: number } = {}): Promise<WithdrawalList> {
    const rows = await this.#store.listByUser(userId, query.limit ?? PAGE, query.before);
    return { withdrawals: rows.map((row) => this.describe(row)) };
  }

  async book(userId: number): Promise<WithdrawalList> {
    return { withdrawals: (await this.#store.listBook(userId, PAGE * 5)).map((row) => this.describe(row)) };
  }

  describe(row: WithdrawalRow): Withdrawal {
    const scale = this.#needs.coins.find(row.asset)?.scale ?? 0;
    const network = this.#needs.chains.networks.find((one) => one.network === row.network);
    const text = (value: bigint): string => formatUnits(units(value), scale);
    return {
      withdrawalId: row.withdrawal_id,
      clientId: row.client_id,
      network: row.network === "" ? null : row.network,
      address: row.address === "" ? null : this.#needs.chains.checksumOf(row.address),
      receiver: row.receiver_id === null ? null : String(row.receiver_id),
      asset: row.asset,
      amount: text(row.amount_units),
      fee: text(row.fee_units),
      arrives: text(row.amount_units - row.fee_units),
      state: row.state,
      review: row.review === "" ? [] : row.review.split(","),
      reason: row.reason,
      txHash: row.tx_hash,
      confirmations: this.#needs.confirmationsOf(row),
      confirmationsNeeded: network?.unlockBlocks ?? 0,
      mayCancel: mayCancel(row.state) && row.network !== "",
      maySpeedUp: network !== undefined && maySpeedUp(row, network, this.#needs.now()),
      speedCost: (network === undefined ? undefined : coinOf(network, row.asset))?.withdrawFee ?? "0",
      speedFee: text(row.speed_units),
      createdAtMs: row.created_ms,
    };
  }

  async limitUnits(userId: number): Promise<bigint> {
    const read = parseUnits(await this.#needs.limitOf(userId), USDT_SCALE);
    return read.done ? read.value : 0n;
  }
}

function boundCode(bound: "unsaved" | "resting", { network }: SavedPlace): WithdrawRefusal {
  if (network === USER_NETWORK) return bound === "unsaved" ? "RECEIVER_NOT_SAVED" : "RECEIVER_RESTS";
  return bound === "unsaved" ? "ADDRESS_NOT_SAVED" : "ADDRESS_RESTS";
}

/** The result of a name lookup; `isKnown` where it revealed nothing new. */
interface Named<Value> {
  readonly outcome: Result<Value, WithdrawRefusal>;
  readonly isKnown: boolean;
}

/**
 * The user a name means. Looked up only for callers who have proved themselves or are bound by their address book, one
 * name at a time, within a daily limit: requests do not reveal who has an account.
 */
export async function findByName<Value>(
  { findUser, judge }: NameNeeds,
  userId: number,
  name: string,
  goOn: (receiver: number | undefined) => Promise<Named<Value>>,
): Promise<Result<Value, WithdrawRefusal>> {
  let outcome: Result<Value, WithdrawRefusal> | undefined;
  const wait = await judge(userId, async () => {
    const named = await goOn(await findUser(name));
    outcome = named.outcome;
    return named.isKnown ? undefined : false;
  });
  return outcome ?? refused("TOO_MANY_TRIES", String(wait?.retryAfterSeconds ?? 1));
}
