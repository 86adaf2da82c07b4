// Ending sessions wins every race: against sign-ins under way and sessions that renew in a loop, on both databases, in
// as many orders as there are seeds.
import { setTimeout } from "node:timers/promises";
import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Elsewhere, openElsewhere, visit } from "./openid-fixture.ts";
import { type RaceServer, startRaceServer } from "./race-fixture.ts";
import { SoftAuthenticator } from "./soft-authenticator.ts";

const USERS = "/v2/users";
const LOGIN = `${USERS}/login/do-login`;
const PASSWORD = "correct-horse-1";
/** Rounds of one race run concurrently: they also interfere with each other. */
const SEEDS = [1, 2, 3, 6, 7];

interface Person {
  readonly account: string;
  readonly id: number;
  /** Signed in, on a known device, with a fresh proof. */
  readonly home: Visitor;
}

forEachMigrated("races", (database) => {
  let place: RaceServer;
  let elsewhere: Elsewhere;
  let returnUrl: string;
  beforeAll(async () => {
    elsewhere = await openElsewhere();
    place = await startRaceServer(database, { CW_OPENID_PROVIDERS: elsewhere.setting });
    returnUrl = `${place.url}/login-cw/social-verification`;
    elsewhere.allow(returnUrl);
  });
  afterAll(async () => {
    await place?.close();
    elsewhere?.close();
  });

  const makePerson = async (): Promise<Person> => {
    const account = `${crypto.randomUUID()}@example.com`;
    const home = new Visitor(place);
    const made = await home.signUp(account);
    expect(made.status).toBe(200);
    return { account, id: Number(made.data.id), home };
  };

  const isAlive = async (visitor: Visitor): Promise<boolean> => {
    const now = (await visitor.get(`${USERS}/devices`)).status === 200;
    const renewed = (await visitor.post(`${USERS}/session/refresh`)).status === 200;
    const later = (await visitor.get(`${USERS}/devices`)).status === 200;
    return now || renewed || later;
  };

  const sameDevice = ({ home }: Person): Visitor => new Visitor(place, home.headers);

  /** Everything up to the call that opens the session; then that call. */
  const ways: Readonly<Record<string, (person: Person) => Promise<{ visitor: Visitor; enter(): Promise<unknown> }>>> = {
    password: async (person) => {
      const visitor = sameDevice(person);
      return { visitor, enter: () => visitor.post(LOGIN, { account: person.account, password: PASSWORD }) };
    },
    code: async ({ account }) => {
      const visitor = new Visitor(place);
      const { ticket } = (await visitor.post(LOGIN, { account, password: PASSWORD })).data;
      const codes = { email: await visitor.readCode(account) };
      return { visitor, enter: () => visitor.post(LOGIN, { ticket, codes }) };
    },
    passkey: async ({ home }) => {
      const key = new SoftAuthenticator(place.url);
      const path = `${USERS}/passkey`;
      const requested = (await home.post(`${path}/bind/challenge`)).data.options.challenge;
      expect((await home.post(`${path}/bind`, { response: key.create(requested) })).status).toBe(200);
      const visitor = new Visitor(place);
      const { challenge } = (await visitor.post(`${path}/challenge`)).data.options;
      return { visitor, enter: () => visitor.post(`${path}/login`, { response: key.get(challenge) }) };
    },
    qr: async ({ home }) => {
      const visitor = new Visitor(place);
      const { id, secret } = (await visitor.post(`${USERS}/qr-login/create`)).data;
      await home.post(`${USERS}/qr-login/scan`, { id });
      expect((await home.post(`${USERS}/qr-login/confirm`, { id, accept: true })).status).toBe(200);
      return { visitor, enter: () => visitor.post(`${USERS}/qr-login/status`, { id, secret }) };
    },
    social: async (person) => {
      const { home } = person;
      const prove = async (visitor: Visitor) => {
        const { url, secret } = (await visitor.post(`${USERS}/social/begin`, { provider: "google" })).data;
        return { secret, query: await visit(url, String(person.id), returnUrl) };
      };
      const { linkTicket } = (await home.post(`${USERS}/social/finish`, await prove(home))).data;
      expect((await home.post(`${USERS}/social/link`, { linkTicket })).status).toBe(200);
      const visitor = sameDevice(person);
      const proof = await prove(visitor);
      return { visitor, enter: () => visitor.post(`${USERS}/social/finish`, proof) };
    },
  };

  const freeze =
    ({ home }: Person) =>
    async (): Promise<Answer> =>
      home.post(`${USERS}/security/freeze`);
  const changePassword =
    ({ home }: Person) =>
    async (): Promise<Answer> =>
      home.post(`${USERS}/password/change`, { oldPassword: PASSWORD, newPassword: "another-horse-2" });

  /** Everything up to the call that ends the sessions; then that call. */
  const endings: Readonly<Record<string, (person: Person) => Promise<() => Promise<Answer>>>> = {
    freeze: async (person) => freeze(person),
    "freeze link": async ({ id }) => {
      const token = place.accounts.security.freezeToken(id, Date.now());
      return () => new Visitor(place).post(`${USERS}/security/freeze`, { token });
    },
    "password change": async (person) => changePassword(person),
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

  /** The endings after which an earlier proof is invalid. */
  const forbidden: readonly (readonly [way: string, ending: string])[] = [
    ...Object.keys(ways).flatMap((way) => [[way, "freeze"] as const, [way, "freeze link"] as const]),
    ["password", "password change"],
    ["password", "password reset"],
    ["code", "password change"],
    ["code", "password reset"],
    ["code", "sign out everywhere"],
    ["qr", "password change"],
    ["qr", "password reset"],
    ["qr", "sign out everywhere"],
  ];

  describe("sign-ins under way", () => {
    test.each(forbidden)("[AUTH-5] %s against %s: no session survives", async (way, ending) => {
      place.stall(way.length * 100 + ending.length);
      const living = await Promise.all(
        SEEDS.map(async (seed) => {
          const person = await makePerson();
          const { visitor, enter } = (await ways[way]?.(person)) ?? {};
          const end = await endings[ending]?.(person);
          if (visitor === undefined || enter === undefined || end === undefined) throw new Error(`${way} ${ending}`);
          const entering = setTimeout(seed % 2 === 0 ? seed : 0).then(enter);
          const ended = await setTimeout(seed % 2 === 0 ? 0 : seed * 2).then(end);
          await entering;
          expect(ended.status).toBe(200);
          return isAlive(visitor);
        }),
      );
      expect(living).toEqual(SEEDS.map(() => false));
    });

    test("[AUTH-5] register against the freeze link: no session survives", async () => {
      place.stall(17);
      const { users, security } = place.accounts;
      const living = await Promise.all(
        SEEDS.map(async () => {
          const account = `${crypto.randomUUID()}@example.com`;
          const visitor = new Visitor(place);
          await visitor.post(`${USERS}/sign-up/code`, { account });
          const code = await visitor.readCode(account);
          const entering = visitor.post(`${USERS}/sign-up`, { account, code, password: PASSWORD });
          let id: number | undefined;
          while (id === undefined) id = (await users.findByName({ kind: "email", value: account }))?.id;
          const frozen = await security.freeze(security.freezeToken(id, Date.now()), null, Date.now());
          expect(frozen.done).toBe(true);
          await entering;
          return isAlive(visitor);
        }),
      );
      expect(living).toEqual(SEEDS.map(() => false));
    });
  });

  describe("sessions that renew in a loop", () => {
    const more: typeof endings = {
      ...endings,
      "device revoked": async ({ home }) => {
        const { devices } = (await home.get(`${USERS}/devices`)).data;
        const other = devices.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent).id;
        return () => home.post(`${USERS}/devices/revoke`, { device: other });
      },
      "session revoked": async ({ home }) => {
        const { sessions } = (await home.get(`${USERS}/devices`)).data;
        const other = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent).id;
        return () => home.post(`${USERS}/devices/revoke`, { session: other });
      },
    };

    test.each(Object.keys(more))("[AUTH-5] %s: nothing renews past it", async (ending) => {
      place.stall(ending.length);
      const survivors = await Promise.all(
        SEEDS.map(async (seed) => {
          const person = await makePerson();
          const looping = new Visitor(place);
          expect((await looping.signIn(person.account)).cookies.length).toBeGreaterThan(0);
          const end = await more[ending]?.(person);
          if (end === undefined) throw new Error(ending);
          let hasEnded = false;
          const loop = async (): Promise<boolean> => {
            for (let turn = 0; ; turn += 1) {
              const isAfter = hasEnded;
              const path = turn % 2 === seed % 2 ? "session/stay" : "session/refresh";
              const { status } = await looping.post(`${USERS}/${path}`, path === "session/stay" ? { stay: true } : {});
              if (isAfter) return status === 200;
            }
          };
          const running = loop();
          const ended = await setTimeout(seed * 3).then(end);
          hasEnded = true;
          expect(ended.status).toBe(200);
          return (await running) || (await isAlive(looping));
        }),
      );
      expect(survivors).toEqual(SEEDS.map(() => false));
    });
  });
});
