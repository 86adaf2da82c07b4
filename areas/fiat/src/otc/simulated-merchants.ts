// Merchants of a run whose coins have no value: a few with ads in every currency, marked as simulated, who answer, pay
// and release after a while and are sometimes late, so that a new user can complete a purchase alone. They use the same
// services as users; their coins come from the reserves.

import { FIATS, maskAccount, OTC_COINS } from "@clockwork/kit/otc/fiat";
import { quantityOf, stockWithFee } from "@clockwork/kit/otc/price";
import type { OrderRow } from "../otcorders/store.ts";
import { bondOf } from "../otcpeople/rules.ts";
import type { ComposedOrders } from "./otc-orders.ts";
import type { ComposedAds, OtcParts } from "./part.ts";

interface Persona {
  readonly userId: number;
  readonly name: string;
  readonly kinds: readonly ("bank" | "wallet")[];
  /** Above the index in hundredths of a percent where they sell; as far below it where they buy. */
  readonly premiumBps: number;
  readonly minUsd: bigint;
  readonly maxUsd: bigint;
  readonly stockUsd: bigint;
  readonly releaseMs: number;
  readonly windowMinutes: number;
}

const persona = (
  userId: number,
  name: string,
  kinds: Persona["kinds"],
  premiumBps: number,
  [minUsd, maxUsd, stockUsd]: readonly [bigint, bigint, bigint],
  releaseMs: number,
  windowMinutes: number,
): Persona => ({ userId, name, kinds, premiumBps, minUsd, maxUsd, stockUsd, releaseMs, windowMinutes });

const PERSONAS: readonly Persona[] = [
  persona(1_900_001, "Gulf Meridian", ["bank", "wallet"], 10_010, [10n, 6_000n, 48_000n], 6_000, 15),
  persona(1_900_002, "Dune Exchange", ["bank"], 10_025, [50n, 14_000n, 22_000n], 9_000, 30),
  persona(1_900_003, "Sahra Desk", ["bank", "wallet"], 10_040, [20n, 3_000n, 9_600n], 12_000, 15),
  persona(1_900_004, "Creek House", ["bank"], 10_055, [2_000n, 50_000n, 130_000n], 15_000, 60),
];
const LEVEL = 3;
/** One order in this many is handled late. */
const LATE_EVERY = 7;
const LATE_MS = 90_000;
const PAYS_MS = 8_000;
const AGAIN_MS = 10_000;
const GREETING =
  "Hello. Please send from your own account and put the reference on the transfer. I release as soon as I see it.";
const ANSWER = "Thank you, I am looking at my account. (This merchant is simulated.)";

export function simulatedMerchants(parts: OtcParts, ads: ComposedAds, orders: ComposedOrders) {
  const ids = PERSONAS.map(({ userId }) => userId);
  let [isOpen, nextMs] = [false, 0];
  return {
    /**
     * The first turn creates what is missing, after pages are served. Ads without a price or a rate yet are retried.
     */
    async turn(): Promise<void> {
      const nowMs = parts.context.clock.now();
      if (!isOpen && nowMs >= nextMs) {
        nextMs = nowMs + AGAIN_MS;
        isOpen = true;
        for (const one of PERSONAS) isOpen = (await openMerchant(parts, ads, one)) && isOpen;
        await ads.book.load();
      }
      for (const row of await orders.store.listOpenOf(ids)) await answer(parts, orders, row);
    },
  };
}

/** True once all of their ads exist. */
async function openMerchant(parts: OtcParts, ads: ComposedAds, one: Persona): Promise<boolean> {
  const { store, money, context } = parts;
  const { userId, name } = one;
  const nowMs = context.clock.now();
  const { bondUnits } = bondOf(LEVEL);
  if ((await store.findMerchant(userId)) === undefined) {
    if ((await money.stockBond(userId, bondUnits, `sb:${userId}`)) !== "done") return false;
    await store.addMerchant({
      user_id: userId,
      name,
      state: "ACTIVE",
      level: LEVEL,
      bond_units: bondUnits,
      version: 1,
      opens_minute: 0,
      closes_minute: 0,
      reply: GREETING,
      reason: "",
      is_simulated: true,
      applied_ms: nowMs,
      changed_ms: nowMs,
      refill_by_ms: 0,
      exit_ms: 0,
    });
  }
  let [slot, isWhole] = [0, true];
  for (const { code } of FIATS) {
    slot += 1;
    const paymentIds = await openPayments(parts, one, code, slot);
    // All coins in the currency of the exchange, USDT everywhere.
    for (const asset of code === "AED" ? OTC_COINS : (["USDT"] as const)) {
      for (const side of ["sell", "buy"] as const)
        isWhole = (await openAd(parts, ads, one, { asset, fiat: code, side, paymentIds })) && isWhole;
    }
  }
  return isWhole;
}

async function openPayments(
  { store, context }: OtcParts,
  one: Persona,
  fiat: string,
  slot: number,
): Promise<readonly string[]> {
  const { seal } = context.accounts.guard;
  const ids: string[] = [];
  for (const [i, kind] of one.kinds.entries()) {
    const id = `${one.userId.toString(16)}${fiat.charCodeAt(0).toString(16)}${fiat.charCodeAt(1).toString(16)}${fiat.charCodeAt(2).toString(16)}${i}`;
    const paymentId = id.padStart(16, "0");
    ids.push(paymentId);
    const account = kind === "bank" ? `SM07000000${one.userId}${slot}` : `${one.userId}@simulated`;
    const place = kind === "bank" ? ["Simulated Bank", "Account"] : ["Simulated Wallet", "Wallet name"];
    const details = {
      name: `${one.name} Trading`,
      fields: [
        { label: kind === "bank" ? "Bank" : "Wallet", value: place[0] },
        { label: place[1], value: account },
      ],
    };
    // One slot for each account of a merchant; there are none beyond twenty.
    const at = (slot - 1) * 2 + i + 1;
    if (at > 20) continue;
    await store.putPayment({
      payment_id: paymentId,
      user_id: one.userId,
      kind,
      fiat,
      label: `${place[0]}, ${maskAccount(account)}`,
      slot: at,
      sealed: seal(new TextEncoder().encode(JSON.stringify(details)), `otc-payment:${one.userId}:${paymentId}`),
      created_ms: context.clock.now(),
    });
  }
  return ids;
}

interface SimulatedAd {
  readonly asset: string;
  readonly fiat: string;
  readonly side: "buy" | "sell";
  readonly paymentIds: readonly string[];
}

async function openAd(parts: OtcParts, ads: ComposedAds, one: Persona, ad: SimulatedAd): Promise<boolean> {
  const { prices, money, context } = parts;
  const clientId = `sim-${ad.side}-${ad.asset}-${ad.fiat}`;
  const coin = prices.coin(ad.asset);
  const indexE6 = prices.indexE6(ad.asset);
  const rateE8 = prices.rateE8(ad.fiat);
  if (coin === undefined || indexE6 === undefined || rateE8 === undefined) return false;
  const known = await ads.store.findIntent(one.userId, clientId);
  if (known !== undefined) return true;
  const taken = new Set((await ads.store.listOwn(one.userId)).map(({ slot }) => slot));
  const slot = Array.from({ length: 40 }, (_, i) => i + 1).find((free) => !taken.has(free)) ?? 1;
  const quantityUnits = quantityOf(one.stockUsd * 100n, coin.scale, indexE6 / 100n);
  if (ad.side === "sell") {
    const response = await money.stock(one.userId, slot, coin, stockWithFee(quantityUnits), `sa:${one.userId}:${slot}`);
    if (response !== "done") return false;
  }
  const cents = (usd: bigint): bigint => ((usd * rateE8) / 10n ** 8n) * 100n;
  const nowMs = context.clock.now();
  const added = await ads.store.add({
    user_id: one.userId,
    client_id: clientId,
    slot,
    side: ad.side,
    asset: ad.asset,
    fiat: ad.fiat,
    price_e4: 0n,
    premium_bps: ad.side === "sell" ? one.premiumBps : 20_000 - one.premiumBps,
    quantity_units: quantityUnits,
    stock_units: quantityUnits,
    min_cents: cents(one.minUsd),
    max_cents: cents(one.maxUsd),
    payments: ad.paymentIds.join(","),
    payment_kinds: one.kinds.join(","),
    window_minutes: one.windowMinutes,
    note: "A simulated merchant of this test run.",
    need_level: 2,
    need_days: 0,
    need_orders: 0,
    need_completion: 0,
    need_traded: false,
    state: "ONLINE",
    reason: "",
    version: 1,
    round: 1,
    created_ms: nowMs,
    changed_ms: nowMs,
  });
  return added !== undefined;
}

/** A simulated merchant's next action on an order. */
async function answer({ context }: OtcParts, orders: ComposedOrders, row: OrderRow): Promise<void> {
  const nowMs = context.clock.now();
  const one = PERSONAS.find(({ userId }) => userId === row.maker_id);
  if (one === undefined || row.intent !== "") return;
  await reply(orders, row);
  const isLate = Number(row.order_id.slice(-2)) % LATE_EVERY === 0;
  if (row.state === "WAIT_PAY" && row.buyer_id === one.userId && nowMs - row.created_ms >= PAYS_MS)
    await orders.orders.act(one.userId, row.order_id, "pay");
  if (row.state === "PAID" && row.seller_id === one.userId && nowMs - row.paid_ms >= (isLate ? LATE_MS : one.releaseMs))
    await orders.orders.act(one.userId, row.order_id, "release");
}

/** Once for each message of the other side. */
async function reply(orders: ComposedOrders, row: OrderRow): Promise<void> {
  if ((await orders.chat.countUnread(row.maker_id, row.order_id)) === 0) return;
  const result = await orders.chat.list(row.maker_id, row.order_id, 0);
  const last = result.done ? result.value.messages.at(-1) : undefined;
  if (last === undefined) return;
  await orders.chat.read(row.maker_id, row.order_id, last.id);
  if (last.author === "other") await orders.chat.say(row, row.maker_id, ANSWER);
}
