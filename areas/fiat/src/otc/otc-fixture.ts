// OTC users for tests: of level 2, with a payment account and funds; and a merchant with a bond.
import type { Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";

export interface OtcServer extends TradingServer {
  /** Time passes, and all users are still signed in. */
  pass(ms: number): Promise<void>;
  person(name: string, funds?: Readonly<Record<string, string>>): Promise<Person>;
  merchant(name: string, funds?: Readonly<Record<string, string>>): Promise<Person>;
}
export interface Person {
  readonly visitor: Visitor;
  readonly userId: number;
  readonly paymentId: string;
  readonly email: string;
}

/** The same for all users: with a code that was sent it is a second factor. */
export const FUND_PASSWORD = "fund-password-1";

export async function openOtc(): Promise<OtcServer> {
  const server = await startTradingServer();
  const visitors: { readonly visitor: Visitor; readonly email: string }[] = [];
  const person: OtcServer["person"] = async (name, funds = {}) => {
    const visitor = await server.trader();
    const email = visitor.account;
    visitors.push({ visitor, email });
    await visitor.dev("/identity", { level: 3 });
    const safe = await visitor.post("/v2/users/security/trade-password/set", { password: FUND_PASSWORD });
    if (safe.status !== 200) throw new Error(`no fund password: ${safe.message}`);
    for (const [asset, amount] of Object.entries(funds)) {
      await visitor.faucet(asset, amount);
      const moved = { asset, amount, from: "1", to: "2", clientId: `fund-${asset}` };
      const done = await visitor.post("/asset/v1/api/wallet/transfer", moved);
      if (done.status !== 200) throw new Error(`no funds: ${done.message}`);
    }
    const account = { kind: "bank", fiat: "AED", name, bank: "Harbour Bank", account: "AE070331234567890123456" };
    const added = await visitor.post("/v2/otc/payments/add", account);
    if (added.status !== 200) throw new Error(`no payment account: ${added.message}`);
    const row = await server.kysely
      ?.$extendTables<{ users_account: { id: number; email: string } }>()
      .selectFrom("users_account")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirst();
    return { visitor, email, userId: row?.id ?? 0, paymentId: added.data.payments[0].paymentId };
  };
  const merchant: OtcServer["merchant"] = async (name, funds = {}) => {
    const found = await person(name, { USDT: "30000", ...funds });
    const { userId } = found;
    const now = server.nowMs();
    // The wait of thirty days and the operator's decision are not the subject of these tests.
    await server.kysely
      ?.$extendTables<{ otcpeople_merchant: Record<string, unknown> }>()
      .insertInto("otcpeople_merchant")
      .values({
        user_id: userId,
        name,
        state: "ACTIVE",
        level: 3,
        bond_units: 20_000_000_000n,
        version: 1,
        opens_minute: 0,
        closes_minute: 0,
        reply: "Hello",
        reason: "",
        is_simulated: false,
        applied_ms: now,
        changed_ms: now,
        refill_by_ms: 0,
        exit_ms: 0,
      })
      .execute();
    return found;
  };
  const pass: OtcServer["pass"] = async (ms) => {
    server.wait(ms);
    for (const { visitor, email } of visitors) {
      const renewed = await visitor.post("/v2/users/session/refresh");
      if (renewed.status !== 200) await visitor.signIn(email);
    }
  };
  return { ...server, person, merchant, pass };
}

/** A user's free and frozen funds in the funding book. */
export async function funding(visitor: Visitor, asset: string): Promise<readonly [string, string]> {
  const { data } = await visitor.post("/asset/v1/api/wallet/account", { walletTypeList: ["2"] });
  const rows = (data.accounts as { assets: { asset: string; available: string; frozen: string }[] }[]).flatMap(
    ({ assets }) => assets,
  );
  const row = rows.find((one) => one.asset === asset);
  return [row?.available ?? "0", row?.frozen ?? "0"];
}

/** Polls until there is a value. */
export async function until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  const endMs = performance.now() + 60_000;
  while (performance.now() < endMs) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  throw new Error(`waited in vain for ${what}`);
}

let ids = 0;
/** One for every intent. */
export function clientId(): string {
  ids += 1;
  return `t-${ids}`;
}

export function act(visitor: Visitor, action: string, orderId: string, more: object = {}): Promise<Answer> {
  return visitor.post(`/v2/otc/orders/${action}`, { orderId, ...more });
}

/** By the fund password and a code that was sent. */
export function release(visitor: Visitor, orderId: string, code: string): Promise<Answer> {
  return act(visitor, "release", orderId, { tradePassword: FUND_PASSWORD, code });
}

export async function merchantState(server: OtcServer, { userId }: Person): Promise<unknown> {
  const tables = server.kysely?.$extendTables<{ otcpeople_merchant: { user_id: number; state: string } }>();
  const row = tables?.selectFrom("otcpeople_merchant").select("state").where("user_id", "=", userId);
  return (await row?.executeTakeFirst())?.state;
}

/** The kinds of a user's letters, newest first. */
export async function kindsOfLetters(visitor: Visitor): Promise<readonly string[]> {
  const kinds: string[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const { data } = await visitor.get(`/v2/users/letters${before === undefined ? "" : `?before=${before}`}`);
    kinds.push(...(data.letters as { kind: string }[]).map(({ kind }) => kind));
    before = data.nextBefore as number | null;
  }
  return kinds;
}
