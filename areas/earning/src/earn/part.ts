// Connects earn with the ledger, the index, the clock, jobs, operators and notices. Contains no rules.
import { createHash, randomBytes } from "node:crypto";
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import { formatUnits, units } from "@clockwork/kit/money";
import { MINUTE_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import type { Treasury } from "./contract.ts";
import { offerDefaults, simulateHolders } from "./default-products.ts";
import { DeskService, EARN_PERMISSION } from "./desk-service.ts";
import { DueService } from "./due-service.ts";
import { type EarnBooks, earnBooks } from "./earn-books.ts";
import { type IndexReader, indexReader } from "./index-record.ts";
import { MoveService } from "./move-service.ts";
import type { EarnNeeds } from "./needs.ts";
import { earnRoutes } from "./routes.ts";
import { EarnService } from "./service.ts";
import { earnStore } from "./store.ts";
import { EarnView } from "./view-service.ts";

const NOTICE = "earn";
const RESUME_MS = 10_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface Earn extends Part {
  readonly service: EarnService;
  readonly view: EarnView;
  readonly books: EarnBooks;
  readonly index: IndexReader;
}

export function earnPart(context: PartContext): Earn {
  const { database, accounts, jobs, clock, log, permissions, isTestMoney, marketMode, engine, market } = context;
  permissions.add({ name: EARN_PERMISSION, roles: [] });
  accounts.notices.register({ kind: NOTICE, group: "products", defaults: ["live", "letter"] });
  const books = earnBooks(context);
  const index = indexReader(market);
  const parts = { store: earnStore(database.kysely), needs: needsOf(context, books, index) };
  const moves = new MoveService(parts);
  const due = new DueService(parts, moves);
  const service = new EarnService(parts, moves, due);
  const view = new EarnView(parts);
  const desk = deskOf(context, parts, books);
  const { proposals } = accounts;
  const defaults = {
    desk,
    service,
    index,
    books,
    submit: engine.submit,
    findAsset: market.pairs.findAsset.bind(market.pairs),
  };
  const hasDefaults = isTestMoney && marketMode === "simulated";
  const run = () => runDue(due, service, clock.now);
  jobs.add({ name: "earn.due", schedule: { everyMs: MINUTE_MS }, missed: "latest", run });
  jobs.add({
    name: "earn.apply",
    schedule: { dailyAt: "00:30" },
    missed: "latest",
    run: ({ dueMs }) => service.sweep(dueMs),
  });
  if (hasDefaults) {
    const run = async (): Promise<void> => {
      await offerDefaults(defaults, clock.now());
      await simulateHolders(defaults, clock.now());
    };
    jobs.add({ name: "earn.offer", schedule: { everyMs: HOUR_MS }, missed: "latest", run });
  }
  return {
    service,
    view,
    books,
    index,
    routes: earnRoutes({
      service,
      view,
      desk,
      propose: {
        fund: proposals.register(desk.fundKind()),
        rate: proposals.register(desk.rateKind()),
        product: proposals.register(desk.productKind()),
        coupon: proposals.register(desk.couponKind()),
      },
      readTreasury: (timeMs) => readTreasury(context, view, books, timeMs),
    }),
    ...runs(() => {
      if (!engine.isThere) return () => undefined;
      const onFailure = (error: unknown): void => log.warn("earn.resume.failed", { error });
      const resume = async (): Promise<void> => {
        // Products are created at the start and shark fins with the first prices, not at the next full hour.
        const listed = hasDefaults ? await parts.store.listProducts() : [];
        if (hasDefaults && !listed.some((one) => one.kind === "shark" && one.ends_ms > clock.now())) {
          await offerDefaults(defaults, clock.now());
          await simulateHolders(defaults, clock.now());
        }
        await due.resume(clock.now());
      };
      return keepResuming({ clock, everyMs: RESUME_MS, resume, onFailure });
    }),
  };
}

/** Payments that fail do not block the next series. */
async function runDue(due: DueService, service: EarnService, now: () => number): Promise<void> {
  try {
    await due.run(now());
  } finally {
    await due.resubscribe((...request) => service.subscribe(...request), now());
  }
}

/** Of the default run: one for a fixed term, one for flexible money. */
const FIRST_COUPONS = [
  { reference: "welcome-fixed", kind: "fixed", asset: "USDT", rate: 2_000_000, cap_units: 3_000_000_000n, days: 30 },
  {
    reference: "welcome-flexible",
    kind: "flexible",
    asset: "USDT",
    rate: 1_000_000,
    cap_units: 1_000_000_000n,
    days: 7,
  },
] as const;

function needsOf(
  { market, engine, accounts, clock, log, isTestMoney }: PartContext,
  books: EarnBooks,
  index: IndexReader,
): EarnNeeds {
  const { pairs } = market;
  return {
    ...index,
    now: clock.now,
    firstCoupons: isTestMoney ? FIRST_COUPONS : [],
    joinedMs: async (userId) => (await accounts.users.find(userId))?.created_at_ms,
    findCoin: (symbol) => pairs.findAsset(symbol),
    worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
    submit: engine.submit,
    accountOf: (userId, book) => (book === "treasury" ? books.house("interestTreasury") : books.user(userId, book)),
    freeUnits: async (account, asset) => (await books.read(account, asset)).freeUnits,
    levelOf: books.levelOf,
    hash: (text) => createHash("sha256").update(text).digest("hex"),
    randomId: () => randomBytes(8).toString("hex"),
    notify: async (userId, notice, timeMs) => {
      await accounts.notices.notify(userId, { kind: NOTICE, path: "/earn", ...notice }, timeMs);
    },
    report: (fact, fields) => log.warn(fact, fields),
  };
}

function deskOf(
  { engine, accounts }: PartContext,
  parts: ConstructorParameters<typeof DeskService>[0],
  books: EarnBooks,
): DeskService {
  return new DeskService(parts, {
    isUser: async (userId) => (await accounts.users.find(userId)) !== undefined,
    async fund(asset, amountUnits, reference) {
      const to = await books.house("interestTreasury");
      if (to === undefined) return "later";
      const ack = await engine.submit({
        kind: "transfer",
        account: RESERVES_ACCOUNT,
        to,
        asset,
        units: amountUnits,
        reference,
      });
      if (ack.done) return "done";
      return ack.code.startsWith("ENGINE_") ? "later" : ack.code;
    },
  });
}

async function readTreasury(
  { market }: PartContext,
  view: EarnView,
  books: EarnBooks,
  timeMs: number,
): Promise<Treasury> {
  const account = await books.house("interestTreasury");
  const owed = await view.owedMonth(timeMs);
  const coins: Treasury["coins"] = [];
  for (const { asset, symbol, scale } of market.pairs.assets) {
    if (account === undefined) break;
    const { freeUnits, heldUnits } = await books.read(account, asset);
    const owedUnits = owed.get(symbol) ?? 0n;
    if (freeUnits === 0n && heldUnits === 0n && owedUnits === 0n) continue;
    const text = (value: bigint): string => formatUnits(units(value), scale);
    const isShort = freeUnits < owedUnits;
    coins.push({
      asset: symbol,
      free: text(freeUnits),
      reserved: text(heldUnits),
      owedMonth: text(owedUnits),
      isShort,
    });
  }
  return { coins };
}
