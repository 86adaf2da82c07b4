// The people of OTC: identities and merchants combined, and when a user was last active. The only rule here is how
// often activity is stored.
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { formatUnits, units } from "@clockwork/kit/money";
import type { PartContext } from "@clockwork/trading/context";
import type { MakerInfo, TakerInfo } from "../otcads/needs.ts";
import type { SeenPerson } from "../otcorders/needs.ts";
import type { OrderView } from "../otcorders/view-service.ts";
import type { Standing } from "../otcpeople/needs.ts";
import { bondOf } from "../otcpeople/rules.ts";
import type { PeopleStore } from "../otcpeople/store.ts";

const SAVE_MS = 60_000;
const AWAY_MS = 5 * 60_000;
const RECORD_MS = 30_000;
const USDT_SCALE = 6;

/** A user by account and identity. */
function standingOf({ accounts, clock }: Pick<PartContext, "accounts" | "clock">) {
  const { kyc, security, users } = accounts;
  return async (userId: number): Promise<Standing | undefined> => {
    const row = await users.find(userId);
    if (row === undefined) return undefined;
    const nowMs = clock.now();
    const [level, hasTotp, hasPasskeys, hasTradePassword, identity, person] = await Promise.all([
      kyc.levelOf(userId, nowMs),
      security.hasTotp(userId),
      accounts.hasPasskeys(userId),
      security.hasTradePassword(userId),
      kyc.baseInfo(userId, nowMs),
      accounts.findPerson(userId, nowMs),
    ]);
    const { firstName = "", lastName = "" } = identity.details;
    const name = `${firstName} ${lastName}`.trim();
    return {
      level,
      hasSecondFactor: hasTotp || hasPasskeys,
      hasAnyFactor: hasTotp || hasPasskeys || hasTradePassword,
      createdMs: row.created_at_ms,
      name: name === "" ? undefined : name,
      nickname: person?.nickname ?? String(userId),
    };
  };
}

/** The user's own factor, in addition to the session: a release is proved with it. */
async function hasFactor({ security, hasPasskeys }: PartContext["accounts"], userId: number): Promise<boolean> {
  return (await security.hasTradePassword(userId)) || (await security.hasTotp(userId)) || hasPasskeys(userId);
}

/** Statistics of a user's orders; read again after one has ended, or after a while. */
function remembered<Found>(now: () => number, find: (userId: number) => Promise<Found>) {
  const all = new Map<number, { readonly atMs: number; readonly found: Found }>();
  return {
    remove: (userId: number) => all.delete(userId),
    async read(userId: number): Promise<Found> {
      const known = all.get(userId);
      if (known !== undefined && now() - known.atMs < RECORD_MS) return known.found;
      const found = await find(userId);
      all.set(userId, { atMs: now(), found });
      return found;
    },
  };
}

export function otcPeople(
  { accounts, clock, log }: Pick<PartContext, "accounts" | "clock" | "log">,
  store: PeopleStore,
  view: () => OrderView,
) {
  const { kyc, users } = accounts;
  const standing = standingOf({ accounts, clock });
  const records = remembered(clock.now, (userId) => view().record(userId));
  const partners = remembered(clock.now, (userId) => view().partners(userId));

  return {
    standing,
    /** Not one of the exchange's own simulated merchants. */
    isPerson: (userId: number): boolean => !isSimulatedUser(userId),
    removeRecord(userId: number): void {
      records.remove(userId);
      partners.remove(userId);
    },
    ...sights({ clock, log }, store),
    async maker(userId: number): Promise<MakerInfo> {
      const [row, { orders, completionBps, releaseMs, restsUntilMs }] = await Promise.all([
        store.findMerchant(userId),
        records.read(userId),
      ]);
      const bond = bondOf(row?.level ?? 1);
      const isActive = row?.state === "ACTIVE";
      return {
        name: row?.name ?? String(userId),
        level: row?.level ?? 0,
        isSimulated: row?.is_simulated ?? false,
        mayPost: isActive && row.bond_units >= bond.bondUnits,
        state: row?.state ?? "NONE",
        bondText: formatUnits(units(row?.bond_units ?? 0n), USDT_SCALE),
        adsMax: isActive ? bond.adsMax : 0,
        orderMaxUnits: bond.orderMaxUnits,
        opensMinute: row?.opens_minute ?? 0,
        closesMinute: row?.closes_minute ?? 0,
        orders,
        completionBps,
        releaseMs,
        restsUntilMs,
      };
    },
    async taker(userId: number): Promise<TakerInfo> {
      const [row, level, { orders, completionBps }, unmet, met, isSafe] = await Promise.all([
        users.find(userId),
        kyc.levelOf(userId, clock.now()),
        records.read(userId),
        store.listUnmet(userId),
        partners.read(userId),
        hasFactor(accounts, userId),
      ]);
      const createdMs = row?.created_at_ms ?? clock.now();
      return { userId, level, createdMs, orders, completionBps, unmet, partners: met, hasFactor: isSafe };
    },
    async person(userId: number): Promise<SeenPerson> {
      const [merchant, found] = await Promise.all([
        store.findMerchant(userId),
        isSimulatedUser(userId) ? undefined : standing(userId),
      ]);
      return {
        name: merchant?.name ?? found?.nickname ?? String(userId),
        level: found?.level ?? merchant?.level ?? 0,
        createdMs: found?.createdMs ?? merchant?.applied_ms ?? 0,
        isSimulated: merchant?.is_simulated ?? false,
        bondUnits: merchant?.bond_units,
        reply: merchant?.state === "EXITED" ? "" : (merchant?.reply ?? ""),
      };
    },
  };
}

/** When a user was last active; stored once a minute. */
function sights({ clock, log }: Pick<PartContext, "clock" | "log">, store: PeopleStore) {
  const seen = new Map<number, number>();
  const saved = new Map<number, number>();
  return {
    async load(): Promise<void> {
      for (const row of await store.listSeen(clock.now() - AWAY_MS)) seen.set(row.user_id, row.seen_ms);
    },
    seenMs: (userId: number): number => seen.get(userId) ?? 0,
    seen(userId: number): void {
      const nowMs = clock.now();
      seen.set(userId, nowMs);
      if (nowMs - (saved.get(userId) ?? 0) < SAVE_MS) return;
      saved.set(userId, nowMs);
      store.saveSeen(userId, nowMs).catch((error: unknown) => log.warn("otc.seen.failed", { error }));
    },
  };
}

export type OtcPeople = ReturnType<typeof otcPeople>;
