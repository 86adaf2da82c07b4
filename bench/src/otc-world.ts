// The users of OTC's benchmark on a served process: a merchant and a hundred buyers by the site's own calls, and ten
// thousand ads of five hundred merchants written into the database while it is stopped, since so many sign-ups would
// take too long. Measures nothing itself.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { addressOf, Caller, type Reply } from "./accounts-site.ts";
import { processorMs, type ServedSite, startSite } from "./served-site.ts";

export const ADS = 10_000;
export const BUYERS = 100;
const ADS_EACH = 20;
const FIRST_USER = 500_001;
const TRIES_MAX = 5;
const SIGN_UPS_AT_ONCE = 4;
/** The hashing of a hundred passwords is no part of what is measured. */
const SETTINGS = {
  CW_PASSWORD_PRIORITY: "normal",
  CW_CAPTCHA: "off",
  CW_CHAIN: "off",
  CW_RATE_WEIGHT_PER_MINUTE: "0",
  CW_TRUSTED_PROXIES: "127.0.0.1",
};

export class Person {
  readonly #world: { caller: Caller };
  readonly #address: string;
  readonly cookie: string;

  constructor(world: { caller: Caller }, address: string, cookie: string) {
    this.#world = world;
    this.#address = address;
    this.cookie = cookie;
  }

  /** A connection the exchange has closed since then is opened again: every call here may be repeated. */
  async call(path: string, body?: unknown): Promise<Reply> {
    const ask = () => this.#world.caller.call({ path, body, address: this.#address, cookie: this.cookie });
    const startedMs = performance.now();
    for (let tries = 1; ; tries += 1) {
      try {
        return { ...(await ask()), tookMs: performance.now() - startedMs };
      } catch (error) {
        if (tries === TRIES_MAX) throw error;
      }
    }
  }

  async must(path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
    const reply = await this.call(path, body);
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data ?? {};
  }
}

export interface World {
  readonly origin: string;
  /** What the served process has used of the processors so far. */
  processorMs(): number;
  readonly merchant: Person;
  readonly paymentId: string;
  readonly buyers: readonly Person[];
  close(): Promise<void>;
}

async function signUp(world: { caller: Caller }, index: number): Promise<Person> {
  const address = addressOf(index + 1);
  const cookie = await world.caller.signUp(`otc-${index}@bench.example`, address, crypto.randomUUID());
  const person = new Person(world, address, cookie);
  await person.must("/dev/identity", { level: 3 });
  return person;
}

async function signUpAll(world: { caller: Caller }): Promise<Person[]> {
  const buyers: Person[] = [];
  let next = 1;
  const lane = async (): Promise<void> => {
    while (next <= BUYERS) {
      const index = next;
      next += 1;
      buyers.push(await signUp(world, index));
    }
  };
  await Promise.all(Array.from({ length: SIGN_UPS_AT_ONCE }, lane));
  return buyers;
}

async function fund(merchant: Person): Promise<string> {
  await merchant.must("/dev/faucet", { asset: "USDT", amount: "1000" });
  const moved = { asset: "USDT", amount: "1000", from: "1", to: "2", clientId: "fund" };
  await merchant.must("/api/asset/v1/api/wallet/transfer", moved);
  const account = { kind: "bank", fiat: "AED", name: "Bench Merchant", bank: "Harbour Bank" };
  const added = await merchant.must("/api/v2/otc/payments/add", { ...account, account: "AE070331234567890123456" });
  return (added.payments as { paymentId: string }[])[0]?.paymentId ?? "";
}

/** The approved merchant, and all other merchants' ads: floating around the index, all of them online. */
function plant(folder: string): void {
  const database = new DatabaseSync(join(folder, "clockwork.sqlite"));
  const nowMs = Date.now();
  const merchant = database.prepare(
    `INSERT INTO otcpeople_merchant (user_id, name, state, level, bond_units, version, opens_minute, closes_minute, reply,
       reason, is_simulated, applied_ms, changed_ms, refill_by_ms, exit_ms)
     VALUES (?, ?, 'ACTIVE', 3, 20000000000, 1, 0, 0, '', '', 0, ?, ?, 0, 0)`,
  );
  const ad = database.prepare(
    `INSERT INTO otcads_ad (user_id, client_id, slot, side, asset, fiat, price_e4, premium_bps, quantity_units, stock_units,
       min_cents, max_cents, payments, payment_kinds, window_minutes, note, need_level, need_days, need_orders,
       need_completion, state, reason, version, round, created_ms, changed_ms)
     VALUES (?, ?, ?, 'sell', 'USDT', 'AED', 0, ?, 1000000000, 1000000000, 10000, 300000, '0123456789abcdef', 'bank', 15, '',
       2, 0, 0, 0, 'ONLINE', '', 1, 1, ?, ?)`,
  );
  database.exec("BEGIN");
  const own = database.prepare("SELECT id FROM users_account WHERE email = ?").get("otc-0@bench.example");
  merchant.run(Number(own?.id), "Bench Merchant", nowMs, nowMs);
  // All users have a fund password, which is never used here: hashing a hundred of them is not what is measured.
  database.exec(
    "INSERT INTO security_setting (user_id, trade_hash) SELECT id, 'planted' FROM users_account WHERE true ON CONFLICT DO NOTHING",
  );
  for (let index = 0; index < ADS; index += 1) {
    const [userId, slot] = [FIRST_USER + Math.floor(index / ADS_EACH), (index % ADS_EACH) + 1];
    if (slot === 1) merchant.run(userId, `Merchant ${userId}`, nowMs, nowMs);
    ad.run(userId, `b-${slot}`, slot, 10_000 + ((index * 7) % 900), nowMs, nowMs);
  }
  database.exec("COMMIT");
  database.close();
}

export async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "clockwork-otc-"));
  let site: ServedSite | undefined = await startSite("otc", SETTINGS, folder);
  const world = { caller: new Caller(site.origin) };
  const close = async (): Promise<void> => {
    world.caller.close();
    await site?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const merchant = await signUp(world, 0);
    const paymentId = await fund(merchant);
    const buyers = await signUpAll(world);
    world.caller.close();
    await site.stop();
    site = undefined;
    plant(folder);
    site = await startSite("otc", SETTINGS, folder);
    world.caller = new Caller(site.origin);
    const { origin, pid } = site;
    return { origin, processorMs: () => processorMs(pid), merchant, paymentId, buyers, close };
  } catch (error) {
    await close();
    throw error;
  }
}
