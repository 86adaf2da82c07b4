// Ending an account's sessions wins against outgoing money: it happens while a withdrawal, a transfer to another user
// or the release of coins is being proved, on both databases, and nothing leaves.

import type { WithdrawNeeds } from "@clockwork/custody/withdrawals/needs";
import { NAME_RULE } from "@clockwork/custody/withdrawals/rules";
import { WithdrawService } from "@clockwork/custody/withdrawals/service";
import { type WithdrawalRow, withdrawStore } from "@clockwork/custody/withdrawals/store";
import { ChatService } from "@clockwork/fiat/otcorders/chat-service";
import { chatStore } from "@clockwork/fiat/otcorders/chat-store";
import type { OrderNeeds } from "@clockwork/fiat/otcorders/needs";
import { OrderService } from "@clockwork/fiat/otcorders/service";
import { type OrderRow, orderStore } from "@clockwork/fiat/otcorders/store";
import type { RouteContext } from "@clockwork/host/route";
import type { Network } from "@clockwork/kit/chains/network";
import { done, type Result, refused } from "@clockwork/kit/result";
import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AttemptService } from "../attempts/service.ts";
import { attemptStore } from "../attempts/store.ts";
import { type RaceServer, startRaceServer } from "./race-fixture.ts";

const USERS = "/v2/users";
const PASSWORD = "correct-horse-1";
const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 4,
  coins: [{ asset: "USDT", contract: null, decimals: 6, depositMin: "1", withdrawMin: "1", withdrawFee: "1" }],
};
const RECEIVER = 5;

interface Owner {
  readonly account: string;
  readonly userId: number;
  readonly home: Visitor;
  readonly context: RouteContext;
}

/** Starts an outgoing movement; `during` runs while the proof is under way. */
type Way = (owner: Owner, during: () => Promise<unknown>) => Promise<Result<unknown, string>>;

forEachMigrated("money against revocation", (database) => {
  let place: RaceServer;
  /** The commands the ledger received. */
  const answer: string[] = [];
  beforeAll(async () => {
    place = await startRaceServer(database, {});
  });
  afterAll(() => place?.close());

  const makeOwner = async (): Promise<Owner> => {
    const account = `${crypto.randomUUID()}@example.com`;
    const home = new Visitor(place);
    const userId = Number((await home.signUp(account)).data.id);
    const tables = database.database().kysely.$extendTables<{ sessions_session: { id: string; user_id: number } }>();
    const ids = await tables.selectFrom("sessions_session").select("id").where("user_id", "=", userId).execute();
    const context = { userId: String(userId), session: { id: ids[0]?.id ?? "" } } as unknown as RouteContext;
    return { account, userId, home, context };
  };

  /** Every outgoing movement, with the accounts as served and a ledger that accepts all. */
  const ways = (): Readonly<Record<string, Way>> => {
    const { kysely } = database.database();
    const { guard, security } = place.accounts;
    const attempts = new AttemptService(attemptStore(kysely));
    const needs: Partial<WithdrawNeeds> = {
      chains: {
        networks: [NETWORK],
        chain: () => {
          throw new Error("nothing is sent here");
        },
        addressOf: () => undefined,
        checksumOf: (address) => address,
        house: () => undefined,
      },
      coins: { find: (symbol) => ({ asset: 1, symbol, scale: 6 }), worthUnits: () => 1n },
      ledger: {
        submit: async ({ kind }) => {
          answer.push(kind);
          return { done: true };
        },
        openAccount: async (userId) => userId,
        availableUnits: async () => 10n ** 12n,
      },
      now: Date.now,
      changeAt: guard.changeAt,
      isHeld: guard.isHeld,
      listLocks: (userId, inside) => security.listLocks(userId, Date.now(), inside),
      limitOf: async () => "1000",
      levelOf: async () => 2,
      locked: async () => ({ mayLeaveUsdt: null, withdrawable: [] }),
      findUser: async () => RECEIVER,
      judge: async (userId, isRight) =>
        (await attempts.judge(`names:${userId}`, NAME_RULE, Date.now(), isRight)).locked,
      addressProblem: () => undefined,
      ownerOf: async () => undefined,
      reasonsOf: async () => [],
      isPaused: () => false,
      randomId: () => crypto.randomUUID(),
      wake: () => undefined,
      changed: () => undefined,
    };
    const withdrawals = new WithdrawService({ store: withdrawStore(kysely), needs: needs as WithdrawNeeds });
    const callerOf = ({ userId, context }: Owner, during: () => Promise<unknown>) => ({
      userId,
      isKey: false,
      readVersion: () => guard.versionOf(context),
      prove: () => during().then(() => done(null)),
      sendCode: async () => refused("CODE_TOO_SOON" as const),
    });
    const request = () => ({ asset: "USDT", amount: "5", clientId: crypto.randomUUID() });
    return {
      withdraw: (owner, during) =>
        withdrawals.apply(callerOf(owner, during), { ...request(), network: "N", address: `0x${"ab".repeat(20)}` }),
      "internal transfer": (owner, during) =>
        withdrawals.transfer(callerOf(owner, during), { ...request(), to: "somebody" }),
      release: releasing(),
    };
  };

  const releasing = (): Way => {
    const { kysely } = database.database();
    const { guard } = place.accounts;
    const needs: Partial<OrderNeeds> = {
      now: Date.now,
      changeAt: guard.changeAt,
      coin: (symbol) => ({ asset: 1, symbol, scale: 6 }),
      escrow: {
        release: async () => {
          answer.push("release");
          return "done";
        },
      } as unknown as OrderNeeds["escrow"],
      seal: (plain) => plain,
      open: (sealed) => sealed,
      adChanged: async () => undefined,
      publish: () => undefined,
      recordChanged: () => undefined,
      notify: async () => undefined,
    };
    const store = orderStore(kysely);
    const parts = { store, needs: needs as OrderNeeds };
    const chat = new ChatService({ store: chatStore(kysely), orders: store, needs: parts.needs });
    const orders = new OrderService({ ...parts, chat });
    return async ({ userId, context }, during) => {
      const order = paidOrder(userId);
      await kysely.$extendTables<{ otcorders_order: OrderRow }>().insertInto("otcorders_order").values(order).execute();
      const prove = () => during().then(() => done(null));
      return orders.release({ userId, readVersion: () => guard.versionOf(context), prove }, order.order_id);
    };
  };

  const endings: Readonly<Record<string, (owner: Owner) => Promise<() => Promise<Answer>>>> = {
    freeze:
      async ({ home }) =>
      () =>
        home.post(`${USERS}/security/freeze`),
    "freeze link": async ({ userId }) => {
      const token = place.accounts.security.freezeToken(userId, Date.now());
      return () => new Visitor(place).post(`${USERS}/security/freeze`, { token });
    },
    "password change":
      async ({ home }) =>
      () =>
        home.post(`${USERS}/password/change`, { oldPassword: PASSWORD, newPassword: "another-horse-2" }),
    "password reset": async ({ account }) => {
      const visitor = new Visitor(place);
      await visitor.post(`${USERS}/forget/code`, { account });
      const code = await visitor.readCode(account);
      const { ticket } = (await visitor.post(`${USERS}/forget/validate`, { account, code })).data;
      return () => visitor.post(`${USERS}/forget/reset`, { ticket, password: "another-horse-2" });
    },
    "sign out everywhere":
      async ({ home }) =>
      () =>
        home.post(`${USERS}/sign-out`, { everywhere: true }),
  };

  const matrix = ["withdraw", "internal transfer", "release"].flatMap((way) =>
    Object.keys(endings).map((ending) => [ending, way] as const),
  );

  test.each(matrix)("[AUTH-5] %s while a %s is being proved: nothing leaves", async (ending, way) => {
    const owner = await makeOwner();
    const end = await endings[ending]?.(owner);
    if (end === undefined) throw new Error(ending);
    answer.length = 0;
    const left = await ways()[way]?.(owner, async () => expect((await end()).status).toBe(200));
    expect(left).toMatchObject({ done: false, code: "SECURITY_CHANGED" });
    const tables = database.database().kysely.$extendTables<{ withdrawals_withdrawal: WithdrawalRow }>();
    const rows = tables.selectFrom("withdrawals_withdrawal").selectAll().where("user_id", "=", owner.userId);
    expect([answer, await rows.execute()]).toEqual([[], []]);
    // A call admitted before that starts only now is too late as well.
    expect((await ways()[way]?.(owner, async () => undefined))?.done).toBe(false);
    expect(answer).toEqual([]);
  });

  test("[AUTH-5] every outgoing movement that is not interrupted succeeds", async () => {
    for (const [way, kind] of [
      ["withdraw", "hold"],
      ["internal transfer", "transfer"],
      ["release", "release"],
    ] as const) {
      answer.length = 0;
      expect((await ways()[way]?.(await makeOwner(), async () => undefined))?.done).toBe(true);
      expect(answer).toEqual([kind]);
    }
  });
});

function paidOrder(seller: number): OrderRow {
  const id = crypto.randomUUID();
  return {
    order_id: id,
    ad_id: 1,
    maker_id: seller,
    taker_id: 8,
    client_id: id,
    buyer_id: 8,
    seller_id: seller,
    slot: 1,
    asset: "USDT",
    fiat: "AED",
    price_e4: 1n,
    quantity_units: 5n,
    fee_units: 1n,
    amount_cents: 1n,
    worth_units: 1n,
    payment_kind: "bank",
    payment_sealed: new Uint8Array(),
    state: "PAID",
    intent: "",
    intent_by: "",
    intent_ms: 0,
    pay_by_ms: 0,
    paid_ms: 0,
    is_cancel_asked: false,
    end_by: "",
    fault: "",
    ended_ms: 0,
    created_ms: 0,
  };
}
