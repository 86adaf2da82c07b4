// Earn on a ledger of its own, without the exchange around it: an engine with its tables, a funded treasury, a manual
// clock and a ledger that can be unavailable. For tests and the soak of years.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { startEngineWithTables } from "@clockwork/server/projectors/start";
import { openDatabase } from "@clockwork/server/storage/database";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { createAccountResolver } from "@clockwork/trading/ledger/account-resolver";
import { DueService } from "../due-service.ts";
import { MoveService } from "../move-service.ts";
import type { EarnNeeds } from "../needs.ts";
import { EarnService } from "../service.ts";
import { earnStore } from "../store.ts";

const ROOT_FOLDER = join(import.meta.dirname, "../../../../..");
const TREASURY_UNITS = 4_000_000_000_000_000;

export interface EarnWorld {
  nowMs: number;
  /** While unavailable every command is refused, as by an exchange that was stopped in the middle. */
  isAway: boolean;
  /** Called before each command; may make the ledger unavailable. */
  before: (command: { readonly kind: string }) => void;
}

export async function openEarnWorld(folder: string, startMs: number, seed: number) {
  const database = await openDatabase({ url: undefined, folder });
  await migrate(database, collectMigrations(ROOT_FOLDER));
  const engine = await startEngineWithTables({ folder, release: "soak", kysely: database.kysely });
  const accounts = createAccountResolver({ kysely: database.kysely, submit: engine.submit });
  const store = earnStore(database.kysely);
  await engine.submit({ kind: "listAsset", scale: 6, symbol: "USDT" });
  const asset = (await engine.readListing())?.assets[0]?.asset ?? 0;
  const treasury = (await openHouseAccount(engine.submit, "interestTreasury")) ?? 0;
  const mint = (account: number, amount: number, reference: string) =>
    engine.submit({ kind: "mint", account, asset, business: "deposit", units: amount, reference });
  await mint(treasury, TREASURY_UNITS, "treasury");
  const world: EarnWorld = { nowMs: startMs, isAway: false, before: () => undefined };
  let ids = 0;
  const needs: EarnNeeds = {
    now: () => world.nowMs,
    firstCoupons: [],
    joinedMs: async () => undefined,
    findCoin: (symbol) => ({ asset, symbol, name: symbol, scale: 6 }),
    worthUnits: (_, amount) => amount,
    submit: async (command) => {
      world.before(command);
      return world.isAway ? { done: false, code: "ENGINE_CLOSED" } : engine.submit(command);
    },
    accountOf: async (userId, book) => (book === "treasury" ? treasury : accounts.open(userId, book)),
    freeUnits: async () => BigInt(TREASURY_UNITS),
    levelOf: async () => 3,
    ticksOf: () => undefined,
    priceText: (_, ticks) => String(ticks),
    readIndex: () => undefined,
    readRecord: async () => undefined,
    hash: (text) => createHash("sha256").update(text).digest("hex"),
    randomId: () => {
      ids += 1;
      return createHash("sha256").update(`${seed}:${ids}`).digest("hex").slice(0, 16);
    },
    notify: async () => undefined,
    report: () => undefined,
  };
  /** A newly started process has only the tables. */
  const begin = () => {
    const moves = new MoveService({ store, needs });
    const due = new DueService({ store, needs }, moves);
    return { due, service: new EarnService({ store, needs }, moves, due) };
  };
  /** The treasury's payments so far. */
  const spentUnits = async (): Promise<bigint> => {
    await engine.projection.flush();
    const balance = await database.kysely
      .$extendTables<{ engine_balances: { account: number; available_units: bigint; frozen_units: bigint } }>()
      .selectFrom("engine_balances")
      .select(["available_units", "frozen_units"])
      .where("account", "=", treasury)
      .executeTakeFirst();
    return BigInt(TREASURY_UNITS) - (balance?.available_units ?? 0n) - (balance?.frozen_units ?? 0n);
  };
  const fund = async (userId: number, amount: number): Promise<void> => {
    await mint((await accounts.open(userId, "spot")) ?? 0, amount, `fund:${userId}`);
  };
  const close = async (): Promise<void> => {
    await engine.close();
    await database.close();
  };
  return { world, database, store, needs, begin, fund, spentUnits, close };
}
