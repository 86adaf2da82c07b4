// A day of a million fills for the benchmark of rebates: friends, their inviters and the inviters of those, with what
// they paid by the hour, written into the tables of a served process while it is stopped. Returns the expected
// payments, computed naively.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createRandom } from "@clockwork/kit/random";

export const FILLS = 1_000_000;
export const HOURS = 24;
const HOUR_MS = 3_600_000;
const [FRIENDS, INVITERS, SECONDS] = [4_000, 800, 20];
const [FIRST_FRIEND, FIRST_INVITER, FIRST_SECOND] = [500_001, 600_001, 700_001];
/** Above every account the core opens. */
const FIRST_ACCOUNT = 1_000_000_000;
const [SHARED, SECOND_SHARE, SPLIT] = [20, 5, 10];
/** One friend in this many came by a link that shares. */
const SPLIT_EVERY = 10;
/** Small, so that what one trade of the benchmark itself paid is enough to share. */
const FEES = [
  ["BTC", 2],
  ["USDT", 100],
] as const;

export interface Planted {
  readonly turnoverRows: number;
  readonly payments: number;
  /** By coin's number. */
  readonly rebateUnits: ReadonlyMap<number, bigint>;
}

const inviterOf = (friend: number): number => FIRST_INVITER + ((friend - FIRST_FRIEND) % INVITERS);
const secondOf = (inviter: number): number => FIRST_SECOND + ((inviter - FIRST_INVITER) % SECONDS);
const splitOf = (friend: number): number => ((friend - FIRST_FRIEND) % SPLIT_EVERY === 0 ? SPLIT : 0);

/** Hours up to and with `lastHour`; earlier results are cleared. */
export function plantDay(folder: string, lastHour: number): Planted {
  const database = new DatabaseSync(join(folder, "clockwork.sqlite"));
  database.exec("BEGIN");
  database.exec("DELETE FROM invite_hour");
  plantPeople(database, (lastHour - HOURS - 1) * HOUR_MS);
  const planted = plantTurnover(database, lastHour);
  database.exec("COMMIT");
  database.close();
  return planted;
}

function plantPeople(database: DatabaseSync, joinedMs: number): void {
  const friend = database.prepare(
    `INSERT INTO invite_friend (user_id, inviter_id, code, friend_percent, joined_ms, state, reason)
     VALUES (?, ?, 'BENCH', ?, ?, 'counts', '')`,
  );
  const account = database.prepare(
    `INSERT INTO engine_accounts (account, user_id, book, sub, group_id, flags, created_ms) VALUES (?, ?, 'linear', 0, 0, 0, ?)`,
  );
  const device = database.prepare(
    `INSERT INTO sessions_device (user_id, device_key, name, address, first_at_ms, last_at_ms) VALUES (?, ?, '', '', ?, ?)`,
  );
  for (let index = 0; index < FRIENDS; index += 1) {
    const user = FIRST_FRIEND + index;
    friend.run(user, inviterOf(user), splitOf(user), joinedMs);
    account.run(FIRST_ACCOUNT + index, user, joinedMs);
    device.run(user, `device-${user}`, joinedMs, joinedMs);
  }
  for (let index = 0; index < INVITERS; index += 1) {
    friend.run(FIRST_INVITER + index, secondOf(FIRST_INVITER + index), 0, joinedMs);
  }
}

function plantTurnover(database: DatabaseSync, lastHour: number): Planted {
  const assets = FEES.map(([symbol]) =>
    Number(database.prepare("SELECT asset FROM engine_assets WHERE symbol = ?").get(symbol)?.asset),
  );
  const market = Number(database.prepare("SELECT min(market) AS market FROM engine_markets").get()?.market);
  const insert = database.prepare(
    `INSERT INTO engine_turnover (hour, account, market, role, fee_asset, notional_units, fee_units)
     VALUES (?, ?, ?, ?, ?, 1000000, ?)`,
  );
  const random = createRandom(26);
  const perHour = Math.ceil(FILLS / HOURS);
  let [turnoverRows, payments] = [0, 0];
  const rebateUnits = new Map<number, bigint>();
  for (let hour = lastHour - HOURS + 1; hour <= lastHour; hour += 1) {
    /** Fills by friend, role and coin. */
    const fills = new Uint32Array(FRIENDS * 2 * FEES.length);
    for (let fill = 0; fill < perHour; fill += 1) {
      const at = random.below(fills.length);
      fills[at] = (fills[at] ?? 0) + 1;
    }
    const receivers = new Set<number>();
    for (let index = 0; index < FRIENDS; index += 1) {
      for (const [coin, [, feeUnits]] of FEES.entries()) {
        const asset = assets[coin] ?? 0;
        let paid = 0;
        for (const [role, name] of ["maker", "taker"].entries()) {
          const count = fills[(index * 2 + role) * FEES.length + coin] ?? 0;
          if (count === 0) continue;
          insert.run(hour, FIRST_ACCOUNT + index, market, name, asset, count * feeUnits);
          turnoverRows += 1;
          paid += count * feeUnits;
        }
        for (const [receiver, units] of shares(FIRST_FRIEND + index, paid)) {
          receivers.add(receiver);
          rebateUnits.set(asset, (rebateUnits.get(asset) ?? 0n) + BigInt(units));
        }
      }
    }
    payments += receivers.size;
  }
  return { turnoverRows, payments, rebateUnits };
}

/** What a friend's fees of an hour in one coin bring whom. */
function shares(friend: number, feeUnits: number): readonly (readonly [receiver: number, units: number])[] {
  const [inviter, split] = [inviterOf(friend), splitOf(friend)];
  const all = [
    [friend, split],
    [inviter, SHARED - split],
    [secondOf(inviter), SECOND_SHARE],
  ] as const;
  return all
    .map(([receiver, percent]) => [receiver, Math.floor((feeUnits * percent) / 100)] as const)
    .filter(([, units]) => units > 0);
}

/** Looks into the tables of the running process from outside. */
export class Watch {
  readonly #database: DatabaseSync;

  constructor(folder: string) {
    this.#database = new DatabaseSync(join(folder, "clockwork.sqlite"), { readOnly: true });
  }

  /** How long the job of this due time took; undefined while it has not ended. */
  tookMs(dueMs: number): number | undefined {
    const row = this.#database.prepare("SELECT last_due_ms, took_ms FROM jobs_job WHERE name = 'invite.rebates'").get();
    return Number(row?.last_due_ms ?? 0) >= dueMs ? Number(row?.took_ms) : undefined;
  }

  readPaid(): { readonly planned: number; readonly paid: number; readonly rebateUnits: ReadonlyMap<number, bigint> } {
    const states = this.#database.prepare("SELECT state, count(*) AS count FROM invite_payment GROUP BY state").all();
    const count = (state: string): number => Number(states.find((row) => row.state === state)?.count ?? 0);
    const sums = this.#database.prepare(
      "SELECT asset, CAST(sum(rebate_units) AS text) AS sum FROM invite_rebate GROUP BY asset",
    );
    return {
      planned: count("planned"),
      paid: count("paid"),
      rebateUnits: new Map(sums.all().map((row) => [Number(row.asset), BigInt(String(row.sum))])),
    };
  }

  close(): void {
    this.#database.close();
  }
}
