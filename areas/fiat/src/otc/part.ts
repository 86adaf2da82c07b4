// Connects OTC with the ledger, prices, identities, operators, the sockets and the clock. Contains no rules.
import { randomBytes, randomInt } from "node:crypto";
import type { Channel } from "@clockwork/host/channel";
import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import type { RouteContext } from "@clockwork/host/route";
import type { NoticeKind } from "@clockwork/kit/notice";
import type { PartContext } from "@clockwork/trading/context";
import { AdBook } from "../otcads/book-store.ts";
import { AdCheckService } from "../otcads/check-service.ts";
import { OTC_MARKET_CHANNEL } from "../otcads/contract.ts";
import { MatchService } from "../otcads/match-service.ts";
import type { AdNeeds } from "../otcads/needs.ts";
import { otcAdRoutes } from "../otcads/routes.ts";
import { AdService } from "../otcads/service.ts";
import { adStore } from "../otcads/store.ts";
import { OTC_ORDERS_CHANNEL } from "../otcorders/contract.ts";
import { MerchantService } from "../otcpeople/merchant-service.ts";
import type { PeopleNeeds } from "../otcpeople/needs.ts";
import { PaymentService } from "../otcpeople/payment-service.ts";
import { otcPeopleRoutes } from "../otcpeople/routes.ts";
import { isWithinHours } from "../otcpeople/rules.ts";
import { type PeopleStore, peopleStore } from "../otcpeople/store.ts";
import type { FiatPorts } from "../ports.ts";
import { type OtcLedger, otcLedger } from "./otc-ledger.ts";
import { type ComposedOrders, composeOrders } from "./otc-orders.ts";
import { type OtcPeople, otcPeople } from "./otc-people.ts";
import { type OtcPrices, otcPrices } from "./otc-prices.ts";
import { composeProviders } from "./otc-providers.ts";
import { simulatedMerchants } from "./simulated-merchants.ts";

const OTC: NoticeKind = { kind: "otc", group: "products", defaults: ["live", "letter", "mail"] };
const TURN_MS = 1_000;
const RATES_MS = 10_000;

/** Shared by the modules of the part. */
export interface OtcParts {
  readonly context: PartContext;
  readonly money: OtcLedger;
  readonly prices: OtcPrices;
  readonly people: OtcPeople;
  readonly store: PeopleStore;
  readonly notify: (
    userId: number,
    topic: string,
    title: string,
    body: string,
    reference: string,
    path: string,
  ) => Promise<void>;
  readonly randomId: () => string;
  readonly randomDigits: (count: number) => string;
}

export function otcPart(context: PartContext, rates: FiatPorts["rates"]): Part {
  const { database, accounts, permissions, clock, live, log } = context;
  permissions.add(
    { name: "otc.merchants", roles: ["compliance"] },
    { name: "otc.complaints", roles: ["compliance", "support"] },
  );
  accounts.notices.register(OTC);
  const store = peopleStore(database.kysely);
  const money = otcLedger(context);
  const prices = otcPrices(context, rates);
  const people = otcPeople(context, store, () => orders.view);
  const parts: OtcParts = {
    context,
    money,
    prices,
    people,
    store,
    notify: async (userId, topic, title, body, reference, path) => {
      await accounts.notices.notify(userId, { kind: OTC.kind, reference, topic, title, body, path }, clock.now());
    },
    randomId: () => randomBytes(8).toString("hex"),
    randomDigits: (count) => Array.from({ length: count }, () => randomInt(10)).join(""),
  };
  const ads = composeAds(parts, () => orders);
  const payments = new PaymentService({ store, needs: peopleNeeds(parts, ads, () => orders) });
  const merchants = new MerchantService({ store, needs: peopleNeeds(parts, ads, () => orders) });
  const orders: ComposedOrders = composeOrders(parts, { ads, payments, merchants });
  const providers = composeProviders(parts, { book: ads.book, orders });
  const proposeAudit = accounts.proposals.register(merchants.auditKind());
  const isProved = ({ session, timeMs }: RouteContext) => accounts.guard.isVerified(session?.id ?? "", timeMs);
  const simulated =
    context.isTestMoney && context.marketMode === "simulated" ? simulatedMerchants(parts, ads, orders) : undefined;
  const turn = async (): Promise<void> => {
    await orders.orders.resume();
    await orders.complaints.resume();
    await ads.service.resume();
    await merchants.resume();
    await providers.service.resume();
    await simulated?.turn();
  };
  const loops = runs(() => {
    const onFailure = (error: unknown) => log.warn("otc.turn.failed", { error });
    const stops = [
      keepResuming({ clock, everyMs: TURN_MS, resume: turn, onFailure }),
      keepResuming({ clock, everyMs: RATES_MS, resume: prices.refresh, onFailure }),
    ];
    return async () => {
      providers.close();
      for (const stop of stops) await stop();
    };
  });
  return {
    routes: [
      ...otcPeopleRoutes({ payments, merchants, store, audit: context.audit, proposeAudit, isProved }),
      ...ads.routes,
      ...orders.routes,
      ...providers.routes,
    ],
    channels: [ownChannel(OTC_ORDERS_CHANNEL, true), ownChannel(OTC_MARKET_CHANNEL, false)],
    async start() {
      await orders.complaints.sealPlain();
      if (!context.engine.isThere) return;
      await prices.refresh();
      await people.load();
      await ads.book.load();
      await providers.start();
      live.publish({ channel: OTC_MARKET_CHANNEL }, { changedAtMs: clock.now() });
      await loops.start();
    },
    close: () => loops.close(),
  };
}

const ownChannel = (channel: string, isPrivate: boolean): Channel => ({
  channel,
  kind: "latest",
  isPrivate,
  serves: ({ biz, type, pairCode, base }) => [biz, type, pairCode, base].every((part) => part === undefined),
});

export type ComposedAds = ReturnType<typeof composeAds>;

function composeAds(parts: OtcParts, orders: () => ComposedOrders) {
  const { context, money, prices, people, store } = parts;
  const { database, clock, live } = context;
  const own = adStore(database.kysely);
  const needs: AdNeeds = {
    now: clock.now,
    coin: prices.coin,
    indexE6: prices.indexE6,
    rateE8: prices.rateE8,
    hasSimulatedRates: prices.hasSimulatedRates,
    maker: people.maker,
    taker: people.taker,
    seenMs: people.seenMs,
    isWithinHours,
    listPayments: async (userId) =>
      (await store.listPayments(userId)).map(({ payment_id, kind, fiat }) => ({ paymentId: payment_id, kind, fiat })),
    countOpenOrders: (adId) => orders().store.countOpen(adId),
    isUnsettled: (adId, inside) => orders().store.isUnsettled(adId, clock.now(), inside),
    hasCoinsOut: (adId, inside) => orders().store.hasCoinsOut(adId, inside),
    freeze: money.freeze,
    thaw: money.thaw,
    freeUnits: money.freeUnits,
    randomId: parts.randomId,
    changed: () => live.publish({ channel: OTC_MARKET_CHANNEL }, { changedAtMs: clock.now() }),
  };
  const book = new AdBook({ store: own, needs });
  const service = new AdService({ store: own, needs, book });
  const matches = new MatchService({ store: own, needs, book });
  const checks = new AdCheckService({ store: own, needs, book });
  const routes = otcAdRoutes({ ads: service, checks, book, matches, needs, seen: people.seen, audit: context.audit });
  return { store: own, needs, book, service, routes };
}

function peopleNeeds(parts: OtcParts, ads: ComposedAds, orders: () => ComposedOrders): PeopleNeeds {
  const { context, money, people } = parts;
  const { accounts, clock, config, isTestMoney, log } = context;
  const usdt = () => context.market.pairs.findAsset("USDT");
  return {
    now: clock.now,
    standing: people.standing,
    seal: accounts.guard.seal,
    open: accounts.guard.open,
    randomId: parts.randomId,
    isTestMoney,
    hasSimulatedReviewer: isTestMoney && config.simulatedReviewer === "auto",
    payBond: money.payBond,
    returnBond: money.returnBond,
    drawBond: money.drawBond,
    fundingUnits: async (userId) => {
      const coin = usdt();
      return coin === undefined || !context.engine.isThere ? 0n : money.freeUnits(userId, coin);
    },
    closeAds: (userId) => ads.service.closeAll(userId),
    isPaymentUsed: async (userId, paymentId) =>
      (await ads.store.listOwn(userId)).some(({ payments }) => payments.split(",").includes(paymentId)),
    haveMet: (userId, otherId) => orders().store.haveMet(userId, otherId),
    async lastOrder(userId) {
      const row = await orders().store.lastOf(userId);
      return row === undefined ? undefined : { endedMs: row.ended_ms, isOpen: row.ended_ms === 0 };
    },
    changed: (userId) => {
      ads.book.refreshMaker(userId).catch((error: unknown) => log.warn("otc.maker.failed", { error }));
    },
    notify: async (userId, { topic, title, body, reference, path }) => {
      if (people.isPerson(userId)) await parts.notify(userId, topic, title, body, reference, path);
    },
  };
}
