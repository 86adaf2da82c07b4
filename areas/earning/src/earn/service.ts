// Use cases of earn: subscribing, redeeming, the settings of a holding, and the daily sweep of idle balances. A
// movement is stored with everything it takes (quota, pool, share, coupon) in one transaction, then carried out.

import { accrueTo, changePrincipal } from "@clockwork/kit/earn/accrual";
import { formatUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { MarketAsset } from "@clockwork/trading/markets/pair";
import type { AutoApplyBody, MoveAnswer, RedeemBody, SettingsBody, SubscribeBody } from "./contract.ts";
import { type DueService, moveOf, reserveOf } from "./due-service.ts";
import {
  canPromise,
  type EarnParts,
  type Intent,
  type MoveEnd,
  type MoveService,
  Stop,
  treasuryFree,
  type Wanted,
} from "./move-service.ts";
import type { EarnRefusal } from "./refusals.ts";
import type { CouponRow, HoldingRow, MoveRow, ProductRow } from "./row-store.ts";
import {
  accrualColumns,
  accrualOf,
  amountOf,
  answerOf,
  boostOf,
  checkRedeem,
  closedOf,
  creditDay,
  dayOf,
  EARN_LEVEL,
  emptyHolding,
  hourOf,
  nextMidnight,
  spansOf,
  stateOf,
} from "./rules.ts";

type Outcome = Promise<Result<MoveAnswer, EarnRefusal>>;
const TRIES = 5;
const PAGE = 1_000;

export class EarnService {
  readonly #parts: EarnParts;
  readonly #moves: MoveService;
  readonly #due: DueService;

  constructor(parts: EarnParts, moves: MoveService, due: DueService) {
    this.#parts = parts;
    this.#moves = moves;
    this.#due = due;
  }

  async subscribe(userId: number, body: SubscribeBody, timeMs: number): Outcome {
    const before = await this.#repeat(userId, body.clientId, body.productId, body.amount, "subscribe");
    if (before !== undefined) return before;
    const wanted = await this.#readChoice(userId, body, timeMs);
    if (!wanted.done) return wanted;
    const freeUnits = await treasuryFree(this.#parts.needs, wanted.value.coin);
    if (freeUnits === undefined) return refused("EARN_BUSY");
    const answer = await this.#tries<MoveAnswer>(async () => {
      const row = await this.#holdingFor(userId, wanted.value, timeMs);
      if (row === undefined) return refused("EARN_BUSY");
      const intended = await this.#intend(userId, body, { ...wanted.value, freeUnits }, row, timeMs);
      return intended === undefined ? undefined : this.#carryOut(intended, wanted.value.coin);
    });
    // Two concurrent calls with one id: the slower gets the result of the faster.
    if (answer.done || answer.code !== "CLIENT_ID_REUSED") return answer;
    return (await this.#repeat(userId, body.clientId, body.productId, body.amount, "subscribe")) ?? answer;
  }

  /** A repeat with the same id returns the first result. */
  async #repeat(
    userId: number,
    clientId: string,
    place: string,
    amount: string | undefined,
    kind: "subscribe" | "redeem",
  ): Promise<Awaited<Outcome> | undefined> {
    const move = await this.#parts.store.findByClient(userId, clientId);
    if (move === undefined) return undefined;
    const coin = this.#parts.needs.findCoin(move.asset);
    if (coin === undefined) return refused("EARN_BUSY");
    const isSameAmount = amount === undefined || amountOf(amount, coin) === move.units;
    const isSamePlace = place === move.product_id || place === move.holding_id;
    if (move.kind !== kind || !isSamePlace || !isSameAmount) return refused("CLIENT_ID_REUSED");
    if (move.state === "refused") return refused(move.code as EarnRefusal);
    if (move.state === "queued") return done(answerOf(move, coin, "queued"));
    return move.state === "done" ? done(answerOf(move, coin, "done")) : this.#carryOut(move, coin);
  }

  async #readChoice(userId: number, body: SubscribeBody, timeMs: number): Promise<Result<Wanted, EarnRefusal>> {
    const { store, needs } = this.#parts;
    const product = await store.findProduct(body.productId);
    const coin = product === undefined ? undefined : needs.findCoin(product.asset);
    if (product === undefined || coin === undefined) return refused("PRODUCT_UNKNOWN");
    if ((await needs.levelOf(userId, timeMs)) < EARN_LEVEL) return refused("KYC_LEVEL_REQUIRED");
    const amountUnits = amountOf(body.amount, coin);
    if (amountUnits === undefined || amountUnits === 0n) return refused("INVALID_AMOUNT");
    const state = stateOf(product, product.quota_units, timeMs);
    if (state === "FULL") return refused("QUOTA_EXCEEDED");
    if (state !== "OPEN") return refused("PRODUCT_CLOSED");
    if (amountUnits < product.min_units) return refused("BELOW_MINIMUM");
    const coupon = body.couponId === undefined ? undefined : await store.findCoupon(body.couponId);
    if (body.couponId !== undefined) {
      if (coupon === undefined || coupon.user_id !== userId) return refused("COUPON_UNKNOWN");
      if (coupon.used_by !== null) return refused("COUPON_USED");
      if (timeMs >= coupon.expires_ms) return refused("COUPON_EXPIRED");
      if (coupon.kind !== product.kind || coupon.asset !== product.asset) return refused("COUPON_UNFIT");
    }
    return done({ product, coin, amountUnits, coupon });
  }

  /** The row of a subscription: one for each user and flexible product, a new one for each term. */
  async #holdingFor(userId: number, wanted: Wanted, timeMs: number): Promise<HoldingRow | undefined> {
    const { store, needs } = this.#parts;
    const { product, amountUnits, coupon } = wanted;
    if (product.kind !== "flexible") return this.#newTerm(userId, product, amountUnits, coupon, timeMs);
    const holdingId = needs.hash(`flexible:${userId}:${product.product_id}`).slice(0, 16);
    await store.addHolding({
      ...emptyHolding(userId, product, timeMs),
      holding_id: holdingId,
      state: "RUNNING",
      hour: hourOf(timeMs),
      credited_day: creditDay(timeMs),
    });
    return this.#due.level(holdingId, timeMs);
  }

  #newTerm(
    userId: number,
    product: ProductRow,
    amountUnits: bigint,
    coupon: CouponRow | undefined,
    timeMs: number,
  ): HoldingRow {
    const isShark = product.kind === "shark";
    const startsMs = isShark ? product.starts_ms : nextMidnight(timeMs);
    return {
      ...emptyHolding(userId, product, timeMs),
      holding_id: this.#parts.needs.randomId(),
      principal_units: amountUnits,
      starts_ms: startsMs,
      ends_ms: isShark ? product.ends_ms : startsMs + product.days * DAY_MS,
      ...(coupon === undefined
        ? {}
        : {
            coupon_id: coupon.coupon_id,
            boost_rate: coupon.rate,
            boost_cap_units: coupon.cap_units,
            boost_until: coupon.days,
          }),
    };
  }

  /** Everything a subscription takes, or none of it; undefined when the holding was changed since. */
  async #intend(
    userId: number,
    body: SubscribeBody,
    wanted: Intent,
    row: HoldingRow,
    timeMs: number,
  ): Promise<MoveRow | undefined> {
    const { store, needs } = this.#parts;
    const { product, amountUnits, coupon } = wanted;
    const isFlexible = product.kind === "flexible";
    const move: MoveRow = {
      ...moveOf(row, timeMs),
      reference: `earn:s:${needs.randomId()}`,
      client_id: body.clientId,
      kind: "subscribe",
      units: amountUnits,
      interest_units: isFlexible ? 0n : reserveOf(row, product),
    };
    const spans = isFlexible ? spansOf(await store.listRates(product.product_id)) : [];
    return store
      .together(async (inside) => {
        if (!(await inside.addMove(move))) throw new Stop("CLIENT_ID_REUSED");
        if (!(await inside.takeQuota(product.product_id, amountUnits, timeMs))) {
          const now = await inside.findProduct(product.product_id);
          const state = now === undefined ? undefined : stateOf(now, now.quota_units, timeMs);
          throw new Stop(state === "OPEN" || state === "FULL" ? "QUOTA_EXCEEDED" : closedOf(now));
        }
        if (!(await canPromise(inside, wanted, move, timeMs))) throw new Stop("TREASURY_SHORT");
        if (!(await inside.takeShare(userId, product.product_id, amountUnits, product.user_max_units)))
          throw new Stop("USER_QUOTA");
        if (coupon !== undefined && !(await inside.claimCoupon(coupon.coupon_id, move.reference)))
          throw new Stop("COUPON_USED");
        if (!isFlexible) {
          await inside.addHolding({ ...row, is_renewed: body.autoRenew === true, pending: move.reference });
          return move;
        }
        if (
          !(await inside.takePool(product.product_id, dayOf(timeMs), "in_units", amountUnits, product.day_in_units))
        ) {
          throw new Stop("POOL_FULL");
        }
        const resumed = this.#resumed(row, spans, timeMs);
        const values = { ...resumed, ...boostColumns(row, coupon, timeMs), pending: move.reference };
        if (coupon !== undefined && row.coupon_id !== null)
          await inside.endCoupon(row.coupon_id, resumed.boost_parts ?? "0");
        if (!(await inside.changeHolding(row, values))) throw new Retry();
        return move;
      })
      .catch(giveUpOn);
  }

  /** The holding as of this hour; an empty one starts anew. */
  #resumed(row: HoldingRow, spans: Parameters<typeof accrueTo>[2], timeMs: number): Partial<HoldingRow> {
    const hour = hourOf(timeMs);
    if (row.state !== "RUNNING") {
      const columns = accrualColumns({ ...accrualOf(row), earningUnits: row.principal_units, hour });
      return { ...columns, state: "RUNNING", credited_day: creditDay(timeMs) };
    }
    return accrualColumns(accrueTo(accrualOf(row), hour, spans, boostOf(row)));
  }

  async #carryOut(move: MoveRow, coin: MarketAsset): Promise<Awaited<Outcome>> {
    const [end] = (await this.#moves.finish([move])) as [MoveEnd];
    if (end === "done") return done(answerOf(move, coin, "done"));
    return refused(end === "later" ? "EARN_BUSY" : end);
  }

  /** Beyond the day's pool it waits for the next day, or with `atOnce` it is refused. */
  async redeem(userId: number, body: RedeemBody, timeMs: number, when: "atOnce" | "any" = "any"): Outcome {
    const clientId = body.clientId ?? this.#parts.needs.randomId();
    const before = await this.#repeat(userId, clientId, body.holdingId, body.amount, "redeem");
    if (before !== undefined) return before;
    const answer = await this.#tries<MoveAnswer>(async () => {
      const found = await this.#parts.store.findHolding(body.holdingId);
      if (found === undefined || found.user_id !== userId || found.state === "VOID") return refused("HOLDING_UNKNOWN");
      if (found.state === "MATURED" || found.state === "REDEEMED") return refused("HOLDING_ENDED");
      const row = await this.#due.level(body.holdingId, timeMs);
      const coin = this.#parts.needs.findCoin(found.asset);
      if (row === undefined || coin === undefined) return refused("EARN_BUSY");
      const amountUnits = body.amount === undefined ? row.principal_units : amountOf(body.amount, coin);
      const checked = checkRedeem(row, amountUnits, timeMs);
      if (!checked.done) return checked;
      const intended = await this.#intendRedeem(row, checked.value, { clientId, when }, timeMs);
      if (intended === undefined) return undefined;
      return intended.state === "queued" ? done(answerOf(intended, coin, "queued")) : this.#carryOut(intended, coin);
    });
    if (answer.done || answer.code !== "CLIENT_ID_REUSED") return answer;
    return (await this.#repeat(userId, clientId, body.holdingId, body.amount, "redeem")) ?? answer;
  }

  async #intendRedeem(
    row: HoldingRow,
    amountUnits: bigint,
    { clientId, when }: { readonly clientId: string; readonly when: "atOnce" | "any" },
    timeMs: number,
  ): Promise<MoveRow | undefined> {
    const { store, needs } = this.#parts;
    const product = await store.findProduct(row.product_id);
    const spans = spansOf(await store.listRates(row.product_id));
    const isFlexible = row.kind === "flexible";
    return store
      .together(async (inside) => {
        const isAtOnce =
          !isFlexible ||
          (await inside.takePool(
            row.product_id,
            dayOf(timeMs),
            "out_units",
            amountUnits,
            product?.day_out_units ?? 0n,
          ));
        if (!isAtOnce && when === "atOnce") throw new Stop("REDEEM_POOL_USED");
        const move: MoveRow = {
          ...moveOf(row, timeMs),
          reference: `earn:r:${needs.randomId()}`,
          client_id: clientId,
          kind: "redeem",
          units: amountUnits,
          ...(isAtOnce ? {} : { state: "queued", due_ms: nextMidnight(timeMs) }),
        };
        if (!(await inside.addMove(move))) throw new Stop("CLIENT_ID_REUSED");
        const accrued = accrueTo(accrualOf(row), hourOf(timeMs), spans, boostOf(row));
        const values = isFlexible ? accrualColumns(changePrincipal(accrued, -amountUnits)) : {};
        const pending = isAtOnce ? { pending: move.reference } : {};
        if (!(await inside.changeHolding(row, { ...values, ...pending }))) throw new Retry();
        return move;
      })
      .catch(giveUpOn);
  }

  /** Whether interest compounds, and whether a term renews. */
  async change(userId: number, body: SettingsBody): Promise<Result<null, EarnRefusal>> {
    const changed = await this.#tries<null>(async () => {
      const row = await this.#parts.store.findHolding(body.holdingId);
      if (row === undefined || row.user_id !== userId || row.state === "VOID") return refused("HOLDING_UNKNOWN");
      if (row.state === "MATURED" || row.state === "REDEEMED") return refused("HOLDING_ENDED");
      const values = {
        is_compound: row.kind === "flexible" ? (body.compound ?? row.is_compound) : row.is_compound,
        is_renewed: row.kind === "flexible" ? row.is_renewed : (body.autoRenew ?? row.is_renewed),
      };
      return (await this.#parts.store.changeHolding(row, values)) ? done(null) : undefined;
    });
    return changed;
  }

  async setAutoApply(userId: number, body: AutoApplyBody): Promise<Result<null, EarnRefusal>> {
    const { store, needs } = this.#parts;
    const coin = needs.findCoin(body.asset);
    const product = (await store.listProducts()).find((one) => one.kind === "flexible" && one.asset === body.asset);
    if (coin === undefined || product === undefined) return refused("PRODUCT_UNKNOWN");
    const reserveUnits = amountOf(body.reserve, coin);
    if (reserveUnits === undefined) return refused("INVALID_AMOUNT");
    await store.putApply({ user_id: userId, asset: body.asset, reserve_units: reserveUnits, is_on: body.isOn });
    return done(null);
  }

  /** Subscribes idle balances above each user's reserve; keyed by the day, so that no day is swept twice. */
  async sweep(dueMs: number): Promise<void> {
    const { store, needs } = this.#parts;
    const products = (await store.listProducts()).filter(({ kind }) => kind === "flexible");
    for (let after = { user_id: 0, asset: "" }; ; ) {
      const rows = await store.listAllApply(after, PAGE);
      for (const row of rows) {
        const product = products.find(({ asset }) => asset === row.asset);
        const coin = needs.findCoin(row.asset);
        const account = await needs.accountOf(row.user_id, "spot");
        if (product === undefined || coin === undefined || account === undefined) continue;
        const idle = (await needs.freeUnits(account, coin.asset)) - row.reserve_units;
        const put = await this.#clip(row.user_id, product.product_id, idle, dueMs);
        if (put < product.min_units) continue;
        const amount = formatUnits(units(put), coin.scale);
        const clientId = `auto-${row.asset}-${dayOf(dueMs)}`;
        await this.subscribe(row.user_id, { productId: product.product_id, amount, clientId }, needs.now());
      }
      if (rows.length < PAGE) return;
      after = rows.at(-1) ?? after;
    }
  }

  /** Limited by the user's, the product's and the day's remaining amounts. */
  async #clip(userId: number, productId: string, idleUnits: bigint, timeMs: number): Promise<bigint> {
    const { store } = this.#parts;
    const product = await store.findProduct(productId);
    if (product === undefined) return 0n;
    const pool = (await store.listPools(dayOf(timeMs))).find(({ product_id }) => product_id === productId);
    const rooms = [
      product.user_max_units - (await store.findShare(userId, productId)),
      product.quota_units - product.taken_units,
      product.day_in_units - (pool?.in_units ?? 0n),
    ];
    return rooms.reduce((least, room) => (room < least ? room : least), idleUnits);
  }

  async #tries<Value>(
    work: () => Promise<Result<Value, EarnRefusal> | undefined>,
  ): Promise<Result<Value, EarnRefusal>> {
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const answer = await work();
        if (answer !== undefined) return answer;
      } catch (error) {
        if (error instanceof Stop) return refused(error.code);
        throw error;
      }
    }
    return refused("EARN_BUSY");
  }
}

/** Thrown inside a transaction when a row moved on since it was read. */
class Retry extends Error {}

function giveUpOn(error: unknown): undefined {
  if (error instanceof Retry) return undefined;
  throw error;
}

function boostColumns(row: HoldingRow, coupon: CouponRow | undefined, timeMs: number): Partial<HoldingRow> {
  if (coupon === undefined) return {};
  const hour = hourOf(timeMs);
  if (row.boost_rate > 0 && row.boost_until > hour) throw new Stop("COUPON_ACTIVE");
  return {
    coupon_id: coupon.coupon_id,
    boost_rate: coupon.rate,
    boost_cap_units: coupon.cap_units,
    boost_from: hour + 1,
    boost_until: hour + 1 + coupon.days * 24,
    boost_parts: "0",
  };
}
