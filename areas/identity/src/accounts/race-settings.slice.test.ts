// Concurrent changes of an account's security: limits hold, one of two wins, and none outlives the session that
// requested it. On both databases.

import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hotp } from "../security/rules.ts";
import { type RaceServer, startRaceServer } from "./race-fixture.ts";
import { SoftAuthenticator } from "./soft-authenticator.ts";

const USERS = "/v2/users";
const SECURITY = `${USERS}/security`;
const PASSKEY = `${USERS}/passkey`;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The present code of a base32 secret, as an authenticator app shows it. */
function codeOf(secret: string): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = Uint8Array.from(bits.join("").match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  return hotp(bytes, Math.floor(Date.now() / 30_000));
}

const statuses = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status).sort();

forEachMigrated("changes together", (database) => {
  let place: RaceServer;
  beforeAll(async () => {
    place = await startRaceServer(database, {});
  });
  afterAll(() => place?.close());

  let phones = 0;
  const newPhone = (): string => {
    phones += 1;
    return `+1555${String(phones).padStart(9, "0")}`;
  };
  const newAccount = (): string => `${crypto.randomUUID()}@example.com`;

  /** Signed in on several devices, each with a fresh proof. */
  const signInOften = async (account: string, count: number): Promise<readonly Visitor[]> => {
    const first = new Visitor(place);
    await first.signUp(account);
    const visitors = [first];
    const key = new SoftAuthenticator(place.url);
    const { challenge } = (await first.post(`${PASSKEY}/bind/challenge`)).data.options;
    expect((await first.post(`${PASSKEY}/bind`, { response: key.create(challenge) })).status).toBe(200);
    while (visitors.length < count) {
      const next = new Visitor(place);
      const requested = (await next.post(`${PASSKEY}/challenge`)).data.options.challenge;
      expect((await next.post(`${PASSKEY}/login`, { response: key.get(requested) })).status).toBe(200);
      visitors.push(next);
    }
    return visitors;
  };

  const beginBinding = async (visitor: Visitor): Promise<() => Promise<Answer>> => {
    const key = new SoftAuthenticator(place.url);
    const { challenge } = (await visitor.post(`${PASSKEY}/bind/challenge`)).data.options;
    return () => visitor.post(`${PASSKEY}/bind`, { response: key.create(challenge) });
  };

  test("[AUTH-7] ten passkeys are the limit, also for those bound at the same moment", async () => {
    const visitors = await signInOften(newAccount(), 13);
    const binds = await Promise.all(visitors.map(beginBinding));
    place.stall(3);
    const answers = await Promise.all(binds.map((bind) => bind()));
    expect(statuses(answers)).toEqual([...Array(9).fill(200), ...Array(4).fill(409)]);
    expect((await visitors[0]?.get(`${PASSKEY}/list`))?.data.keys).toHaveLength(10);
  });

  test("[AUTH-7] a passkey requested by a session that is then signed out everywhere is not bound", async () => {
    for (let round = 0; round < 6; round += 1) {
      place.stall(round + 1);
      const account = newAccount();
      const [owner, thief] = await signInOften(account, 2);
      if (owner === undefined || thief === undefined) throw new Error("two were asked for");
      const bind = await beginBinding(thief);
      const [bound, out] = await Promise.all([bind(), owner.post(`${USERS}/sign-out`, { everywhere: true })]);
      expect(out.status).toBe(200);
      const again = new Visitor(place, owner.headers);
      await again.signIn(account);
      const { keys } = (await again.get(`${PASSKEY}/list`)).data;
      // Bound before it, or not at all.
      expect(keys).toHaveLength(bound.status === 200 ? 2 : 1);
      expect((await thief.get(`${USERS}/devices`)).status).toBe(401);
    }
  });

  test("[AUTH-7] two accounts that bind one address at the same moment: one has it, the other is refused", async () => {
    for (let round = 0; round < 4; round += 1) {
      place.stall(round + 1);
      const wanted = newAccount();
      const people = await Promise.all(
        [0, 1].map(async () => {
          const visitor = new Visitor(place);
          await visitor.signUp(newPhone());
          return visitor;
        }),
      );
      const codes: string[] = [];
      for (const visitor of people) {
        expect((await visitor.post(`${USERS}/contact/code`, { account: wanted })).status).toBe(200);
        codes.push(await visitor.readCode(wanted));
      }
      const answers = await Promise.all(
        people.map((visitor, at) => visitor.post(`${USERS}/contact/bind`, { account: wanted, code: codes[at] })),
      );
      expect(statuses(answers)).toEqual([200, 409]);
    }
  });

  test("[AUTH-7] the bound authenticator is the one whose code was given", async () => {
    for (let round = 0; round < 6; round += 1) {
      place.stall(round + 1);
      const [visitor, other] = await signInOften(newAccount(), 2);
      if (visitor === undefined || other === undefined) throw new Error("two were asked for");
      const first = (await visitor.post(`${SECURITY}/totp/begin`)).data.secret as string;
      const [bound, offered] = await Promise.all([
        visitor.post(`${SECURITY}/totp/bind`, { code: codeOf(first) }),
        other.post(`${SECURITY}/totp/begin`),
      ]);
      // Never both: a secret without a verified code would lock its owner out.
      expect([bound.status, offered.status]).not.toEqual([200, 200]);
    }
  });

  test("[AUTH-7] a freeze that comes while its owner releases the account remains", async () => {
    for (let round = 0; round < 6; round += 1) {
      place.stall(undefined);
      const account = newAccount();
      const visitor = new Visitor(place);
      const { id } = (await visitor.signUp(account)).data;
      await visitor.post(`${SECURITY}/freeze`);
      await visitor.post(`${USERS}/risk-control/release/code`, { account });
      const body = { account, password: "correct-horse-1", code: await visitor.readCode(account) };
      const { security } = place.accounts;
      place.stall(round + 1);
      const freezing = security.freeze(security.freezeToken(Number(id), Date.now()), null, Date.now());
      // Also when it precedes the owner's code, which was requested earlier.
      if (round === 0) await freezing;
      const [released] = await Promise.all([visitor.post(`${USERS}/risk-control/release`, body), freezing]);
      const entered = await visitor.post(`${USERS}/login/do-login`, { account, password: "correct-horse-1" });
      expect([released.status, entered.code]).not.toEqual([403, 0]);
      expect(entered.code).toBe("ACCOUNT_FROZEN");
    }
  });
});
