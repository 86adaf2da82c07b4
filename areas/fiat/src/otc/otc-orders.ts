// Connects orders, their chat and complaints with ads, users, the ledger and operators. Contains no rules.

import type { GuardCode } from "@clockwork/host/refusal";
import type { RouteContext, RouteRejection } from "@clockwork/host/route";
import { describeRefusal, operatorOf } from "@clockwork/identity/operators/routes";
import { done, refused } from "@clockwork/kit/result";
import { TakeService } from "../otcads/take-service.ts";
import { ChatService } from "../otcorders/chat-service.ts";
import { chatStore } from "../otcorders/chat-store.ts";
import { ComplaintService } from "../otcorders/complaint-service.ts";
import { OTC_ORDERS_CHANNEL } from "../otcorders/contract.ts";
import { otcDeskRoutes } from "../otcorders/desk-routes.ts";
import type { OrderNeeds } from "../otcorders/needs.ts";
import { type OrderRouteParts, otcOrderRoutes } from "../otcorders/routes.ts";
import { OrderService } from "../otcorders/service.ts";
import { orderStore } from "../otcorders/store.ts";
import { OrderView } from "../otcorders/view-service.ts";
import type { MerchantService } from "../otcpeople/merchant-service.ts";
import type { PaymentService } from "../otcpeople/payment-service.ts";
import { Receipts } from "../receipts/receipts.ts";
import type { ComposedAds, OtcParts } from "./part.ts";

export type ComposedOrders = ReturnType<typeof composeOrders>;

interface Neighbours {
  readonly ads: ComposedAds;
  readonly payments: PaymentService;
  readonly merchants: MerchantService;
}

export function composeOrders(parts: OtcParts, neighbours: Neighbours) {
  const { context, people } = parts;
  const { accounts, audit, database } = context;
  const store = orderStore(database.kysely);
  const needs = orderNeeds(parts, neighbours);
  const chat = new ChatService({ store: chatStore(database.kysely), orders: store, needs });
  const orders = new OrderService({ store, chat, needs });
  const view = new OrderView({ store, chat, orders, needs });
  const complaints = new ComplaintService({ store, chat, orders, view, needs });
  const propose = accounts.proposals.register(complaints.decisionKind());
  return {
    store,
    needs,
    chat,
    orders,
    view,
    complaints,
    routes: [
      ...otcOrderRoutes({
        orders,
        view,
        chat,
        complaints,
        prove: proveRelease(parts),
        seen: people.seen,
        readVersion: accounts.guard.versionOf,
      }),
      ...otcDeskRoutes({ complaints, audit, propose, prove: proveFresh(parts) }),
    ],
  };
}

/**
 * Two factors no single theft gives away: the authenticator or a passkey in addition to the session, or the fund
 * password and a code that was sent. The password is checked first: checking a code spends it.
 */
function proveRelease({ context: { accounts, clock } }: OtcParts): OrderRouteParts["prove"] {
  const { security } = accounts;
  return async (context, { code, tradePassword, passkey }) => {
    const userId = Number(context.userId);
    const isProvedBy = async (check: Promise<boolean | { readonly retryAfterSeconds: number }>) => {
      const isRight = await check;
      if (typeof isRight === "object") return refused("TOO_MANY_TRIES", String(isRight.retryAfterSeconds));
      return isRight ? done(null) : refused("PROOF_WRONG");
    };
    if (passkey !== undefined) return isProvedBy(accounts.provePasskey(context, passkey, userId));
    if (code === undefined) return refused("PROOF_REQUIRED");
    if (!(await security.hasTotp(userId))) {
      if (tradePassword === undefined) return refused("PROOF_REQUIRED");
      const known = await isProvedBy(security.checkTradePassword(userId, tradePassword, clock.now()));
      if (!known.done) return known;
    }
    return isProvedBy(security.checkCode(userId, code, clock.now()));
  };
}

/** A decision by one operator moves money: it requires a fresh proof, like one by two. */
function proveFresh({ context: { accounts } }: OtcParts) {
  return async (context: RouteContext): Promise<RouteRejection<GuardCode> | undefined> => {
    const { timeMs } = context;
    const permitted = await accounts.roles.permit(operatorOf(context), "otc.complaints", timeMs, "fresh");
    return permitted.done ? undefined : describeRefusal(permitted.code);
  };
}

function orderNeeds(parts: OtcParts, { ads, payments, merchants }: Neighbours): OrderNeeds {
  const { context, money, prices, people } = parts;
  const { accounts, clock, config, live, log, market, pictures } = context;
  const receipts = new Receipts();
  return {
    now: clock.now,
    changeAt: accounts.guard.changeAt,
    escrow: money.escrow,
    coin: prices.coin,
    worthUnits: (coin, amountUnits) => market.pairs.worthUnits(coin.asset, amountUnits),
    ...adMoves(ads),
    async findPayment(paymentId) {
      const row = await payments.find(paymentId);
      if (row === undefined) return undefined;
      const details = JSON.stringify(payments.details(row));
      return { paymentId, userId: row.user_id, kind: row.kind, fiat: row.fiat, details };
    },
    person: people.person,
    legalName: (userId) => payments.legalName(userId),
    seal: accounts.guard.seal,
    open: accounts.guard.open,
    writeReceipt: (title, lines) => receipts.write(title, lines),
    redrawPicture: (bytes, options) => pictures.redraw(bytes, options),
    randomId: parts.randomId,
    randomDigits: parts.randomDigits,
    compensate: (from, to, amountUnits, reference) => merchants.draw(from, to, amountUnits, reference),
    recordChanged(userId) {
      people.removeRecord(userId);
      if (ads.book.makerOf(userId) === undefined) return;
      ads.book.refreshMaker(userId).catch((error: unknown) => log.warn("otc.maker.failed", { error }));
    },
    publish: (userId, news) => live.publish({ channel: OTC_ORDERS_CHANNEL }, news, { account: String(userId) }),
    notify: async (userId, { topic, title, body, orderId, stepId }) => {
      if (people.isPerson(userId))
        await parts.notify(userId, topic, title, body, `${topic}:${orderId}:${stepId}`, `/otc/order/${orderId}`);
    },
    hasSimulatedReviewer: context.isTestMoney && config.simulatedReviewer === "auto",
  };
}

/** The effects of orders on their ad. */
function adMoves(ads: ComposedAds): Pick<OrderNeeds, "take" | "reserve" | "giveBack" | "takeMatch" | "adChanged"> {
  const take = new TakeService({ store: ads.store, needs: ads.needs, book: ads.book });
  return {
    async take(takerId, requested) {
      const found = await take.take(takerId, requested);
      if (typeof found === "string") return found;
      const { ad, priceE4, deal, matchId } = found;
      return {
        adId: ad.ad_id,
        version: ad.version,
        makerId: ad.user_id,
        slot: ad.slot ?? 0,
        side: ad.side,
        asset: ad.asset,
        fiat: ad.fiat,
        windowMinutes: ad.window_minutes,
        priceE4,
        matchId,
        quantityUnits: deal.quantityUnits,
        amountCents: deal.amountCents,
        paymentIds: ad.payments.split(","),
        paymentKinds: ad.payment_kinds.split(","),
      };
    },
    reserve: async (inside, { adId, version, quantityUnits }, timeMs) =>
      (await ads.store.reserve(inside, { ad_id: adId, version }, quantityUnits, timeMs)) !== undefined,
    giveBack: async (inside, adId, quantityUnits, timeMs) => {
      await ads.store.giveBack(inside, adId, quantityUnits, timeMs);
    },
    takeMatch: (inside, matchId, orderId) => ads.store.takeMatch(inside, matchId, orderId),
    async adChanged(order) {
      const row = await ads.store.find(order.ad_id);
      if (row === undefined) return;
      await ads.book.note(row);
      // Coins that came back to an offline ad go to its owner.
      if (order.ended_ms > 0 && order.slot > 0) await ads.service.comeBack(order.ad_id);
    },
  };
}
