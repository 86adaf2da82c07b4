// What can be guessed and how often: over all codes of a purpose, over all names of an account, and what a reset
// clears.

import { readSecret, startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hotp } from "../security/rules.ts";

const USERS = "/v2/users";
const LOGIN = `${USERS}/login/do-login`;
const PRUNE_SQL = `${USERS}/forget`;
const MINUTE_MS = 60_000;

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "tries", (database) => {
    let server: TestServer;
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer({
        CW_TRUSTED_PROXIES: "127.0.0.1",
        ...(url === undefined ? {} : { DATABASE_URL: url }),
      });
    });
    afterAll(() => server.close());

    const wrongOf = (code: string): string => (code === "111111" ? "222222" : "111111");

    /** Requests a code every minute and guesses wrong; returns the answer to each guess. */
    const guess = async (
      minutes: number,
      ask: () => Promise<string>,
      check: (code: string) => Promise<{ readonly code: unknown }>,
    ): Promise<readonly unknown[]> => {
      const answers: unknown[] = [];
      for (let minute = 0; minute < minutes; minute += 1) {
        const wrong = wrongOf(await ask());
        for (let time = 0; time < 5; time += 1) answers.push((await check(wrong)).code);
        server.wait(MINUTE_MS + 1000);
      }
      return answers;
    };

    test("[AUTH-5] wrong passwords by outsiders lock their addresses, never a device the account recognises", async () => {
      const account = `hunted-${dialect}@example.com`;
      const owner = new Visitor(server);
      await owner.signUp(account);
      const right = { account, password: "correct-horse-1" };
      const wrong = { account, password: "wrong-horse-1" };
      const from = (address: string, device: string = crypto.randomUUID()) => ({
        "x-forwarded-for": address,
        cwDeviceId: device,
      });
      const thief = new Visitor(server);
      for (let time = 0; time < 5; time += 1) await thief.post(LOGIN, wrong, from("198.51.100.1"));
      expect((await thief.post(LOGIN, right, from("198.51.100.1"))).code).toBe("LOGIN_LOCKED");
      expect((await thief.post(LOGIN, right, from("198.51.100.2"))).data.next).toEqual(["email"]);
      // Further addresses do not give unlimited guesses.
      const codes: unknown[] = [];
      for (let time = 0; time < 60; time += 1) {
        codes.push((await thief.post(LOGIN, wrong, from(`198.51.101.${time}`))).code);
      }
      const judged = codes.filter((code) => code === "CREDENTIALS_WRONG").length;
      expect(judged).toBeGreaterThan(40);
      expect(judged).toBeLessThan(50);
      expect((await thief.post(LOGIN, right, from("198.51.102.1"))).code).toBe("LOGIN_LOCKED");
      // The owner's own device is not affected, even at a locked address of theirs.
      for (let time = 0; time < 50; time += 1) {
        await thief.post(LOGIN, { ...wrong, account: `other${time}@example.com` }, from("198.51.100.1"));
      }
      const own = from("198.51.100.1", owner.headers.cwDeviceId);
      const nobody = await thief.post(LOGIN, { ...wrong, account: "another@example.com" }, from("198.51.100.1"));
      expect(nobody.code).toBe("LOGIN_LOCKED");
      expect((await owner.post(LOGIN, right, own)).cookies).toHaveLength(6);
      // Its own failures count only for it.
      for (let time = 0; time < 5; time += 1) await owner.post(LOGIN, wrong, own);
      expect((await owner.post(LOGIN, right, own)).code).toBe("LOGIN_LOCKED");
    });

    test("[AUTH-5] wrong codes by an outsider with the password do not lock a device the account recognises", async () => {
      const account = `coded-${dialect}@example.com`;
      const owner = new Visitor(server);
      await owner.signUp(account);
      const { secret } = (await owner.post(`${USERS}/security/totp/begin`)).data;
      const code = () => hotp(readSecret(secret), Math.floor(server.nowMs() / 30_000));
      await owner.post(`${USERS}/security/totp/bind`, { code: code() });
      server.wait(MINUTE_MS);
      const thief = new Visitor(server);
      const right = { account, password: "correct-horse-1" };
      const { ticket } = (await thief.post(LOGIN, right)).data;
      for (let time = 0; time < 5; time += 1) {
        await thief.post(LOGIN, { ticket, codes: { totp: wrongOf(code()) } });
      }
      expect((await thief.post(LOGIN, { ticket, codes: { totp: code() } })).code).toBe("LOGIN_LOCKED");
      const own = (await owner.post(LOGIN, right)).data;
      expect((await owner.post(LOGIN, { ticket: own.ticket, codes: { totp: code() } })).cookies).toHaveLength(6);
    });

    test("[AUTH-6] a reset by the owner lifts the lock of five wrong passwords", async () => {
      const account = `locked-${dialect}@example.com`;
      const owner = new Visitor(server);
      await owner.signUp(account);
      for (let time = 0; time < 5; time += 1) await owner.post(LOGIN, { account, password: "wrong-horse-1" });
      expect((await owner.post(LOGIN, { account, password: "correct-horse-1" })).code).toBe("LOGIN_LOCKED");
      await owner.post(`${PRUNE_SQL}/code`, { account });
      const { ticket } = (await owner.post(`${PRUNE_SQL}/validate`, { account, code: await owner.readCode(account) }))
        .data;
      expect((await owner.post(`${PRUNE_SQL}/reset`, { ticket, password: "another-horse-2" })).status).toBe(200);
      const entered = await owner.post(LOGIN, { account, password: "another-horse-2" });
      expect([entered.status, entered.cookies.length]).toEqual([200, 6]);
    });

    test("[AUTH-6] guesses at a reset are counted over all codes, whether the account exists or not", async () => {
      const account = `guessed-${dialect}@example.com`;
      const owner = new Visitor(server);
      await owner.signUp(account);
      const guessAt = (name: string) =>
        guess(
          4,
          async () => {
            await owner.post(`${PRUNE_SQL}/code`, { account: name });
            return (await owner.readCode(name)) || "111111";
          },
          (code) => owner.post(`${PRUNE_SQL}/validate`, { account: name, code }),
        );
      const known = await guessAt(account);
      expect(known).toEqual([...Array(5).fill("CODE_WRONG"), ...Array(15).fill("CODE_LOCKED")]);
      expect(await guessAt(`nobody-${dialect}@example.com`)).toEqual(known);
      server.wait(15 * MINUTE_MS);
      await owner.post(`${PRUNE_SQL}/code`, { account });
      const code = await owner.readCode(account);
      expect((await owner.post(`${PRUNE_SQL}/validate`, { account, code })).status).toBe(200);
    });

    test("[AUTH-6] an outsider uses up no code and no guess of an owner at the owner's device, nor at another address", async () => {
      const account = `besieged-${dialect}@example.com`;
      const owner = new Visitor(server);
      await owner.signUp(account);
      const thief = new Visitor(server);
      const from = (address: string) => ({ "x-forwarded-for": address, cwDeviceId: crypto.randomUUID() });
      const codeOf = async (visitor: Visitor, headers?: Record<string, string>) => {
        expect((await visitor.post(`${PRUNE_SQL}/code`, { account }, headers)).status).toBe(200);
        return visitor.readCode(account);
      };
      // The owner's code is on its way while the attacker requests codes and guesses.
      const own = await codeOf(owner);
      const away = from("203.0.113.9");
      const elsewhere = await codeOf(owner, away);
      for (let address = 0; address < 3; address += 1) {
        const headers = from(`198.51.100.${address}`);
        const wrong = wrongOf(await codeOf(thief, headers));
        const answers = [];
        for (let time = 0; time < 7; time += 1) {
          answers.push((await thief.post(`${PRUNE_SQL}/validate`, { account, code: wrong }, headers)).code);
        }
        expect(answers).toEqual([...Array(5).fill("CODE_WRONG"), "CODE_LOCKED", "CODE_LOCKED"]);
      }
      expect((await owner.post(`${PRUNE_SQL}/validate`, { account, code: elsewhere }, away)).status).toBe(200);
      expect((await owner.post(`${PRUNE_SQL}/validate`, { account, code: own })).status).toBe(200);
      // The number sent for outsiders is limited over all addresses; the owner's own device continues.
      const codes: unknown[] = [];
      for (let address = 0; address < 25; address += 1)
        codes.push((await thief.post(`${PRUNE_SQL}/code`, { account }, from(`198.51.101.${address}`))).code);
      expect(codes.filter((code) => code === "CODE_TOO_SOON").length).toBeGreaterThan(5);
      server.wait(MINUTE_MS + 1000);
      await codeOf(owner);
    });

    test("[AUTH-7] an outsider cannot keep an owner from releasing a frozen account: neither their codes nor their tries count for the owner's device or address", async () => {
      const account = `frozen-${dialect}@example.com`;
      const owner = new Visitor(server);
      await owner.signUp(account);
      expect((await owner.post(`${USERS}/security/freeze`, {})).status).toBe(200);
      const RELEASE = `${USERS}/risk-control/release`;
      const thief = new Visitor(server);
      const from = (address: string) => ({ "x-forwarded-for": address, cwDeviceId: crypto.randomUUID() });
      const wrong = { account, password: "wrong-horse-1", code: "111111" };
      expect((await owner.post(`${RELEASE}/code`, { account })).status).toBe(200);
      const code = await owner.readCode(account);
      const codes: unknown[] = [];
      const tried: unknown[] = [];
      for (let address = 0; address < 25; address += 1) {
        const headers = from(`198.51.100.${address}`);
        codes.push((await thief.post(`${RELEASE}/code`, { account }, headers)).code);
        if (address >= 12) continue;
        for (let time = 0; time < 6; time += 1) tried.push((await thief.post(RELEASE, wrong, headers)).code);
      }
      // The number sent and judged for outsiders is limited over all addresses.
      expect(codes.filter((one) => one === "CODE_TOO_SOON").length).toBeGreaterThan(3);
      expect(tried.filter((one) => one === "CREDENTIALS_WRONG").length).toBeLessThanOrEqual(50);
      expect(tried.slice(0, 6)).toEqual([...Array(5).fill("CREDENTIALS_WRONG"), "BUSY"]);
      const right = { account, password: "correct-horse-1", code };
      expect((await thief.post(RELEASE, right, from("198.51.102.1"))).code).not.toBe(0);
      server.wait(MINUTE_MS + 1000);
      expect((await owner.post(`${RELEASE}/code`, { account })).status).toBe(200);
      const fresh = await owner.readCode(account);
      expect((await owner.post(RELEASE, { ...right, code: fresh })).status).toBe(200);
      expect((await owner.post(LOGIN, { account, password: "correct-horse-1" })).cookies).toHaveLength(6);
    });

    test("[AUTH-6] the right code is refused too while guesses are locked, with the remaining time", async () => {
      const account = `waiting-${dialect}@example.com`;
      const owner = new Visitor(server);
      await owner.signUp(account);
      await owner.post(`${PRUNE_SQL}/code`, { account });
      const code = await owner.readCode(account);
      for (let time = 0; time < 4; time += 1) {
        await owner.post(`${PRUNE_SQL}/validate`, { account, code: wrongOf(code) });
      }
      // Guesses while nothing can be guessed lock no one out.
      const other = `quiet-${dialect}@example.com`;
      await new Visitor(server).signUp(other);
      for (let time = 0; time < 9; time += 1) {
        expect((await owner.post(`${PRUNE_SQL}/validate`, { account: other, code: "111111" })).code).toBe("CODE_WRONG");
      }
      await owner.post(`${PRUNE_SQL}/validate`, { account, code: wrongOf(code) });
      server.wait(MINUTE_MS + 1000);
      await owner.post(`${PRUNE_SQL}/code`, { account });
      const locked = await owner.post(`${PRUNE_SQL}/validate`, { account, code: await owner.readCode(account) });
      expect([locked.status, locked.code]).toEqual([429, "CODE_LOCKED"]);
      expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(13 * 60);
    });

    test("[AUTH-6] mail address and phone of one account share their guesses", async () => {
      const account = `both-${dialect}@example.com`;
      const phone = dialect === "sqlite" ? "+15550001111" : "+15550002222";
      const owner = new Visitor(server);
      await owner.signUp(account);
      await owner.post(`${USERS}/contact/code`, { account: phone });
      const bound = await owner.post(`${USERS}/contact/bind`, { account: phone, code: await owner.readCode(phone) });
      expect(bound.status).toBe(200);
      const answers: unknown[] = [];
      for (const name of [account, phone, account]) {
        await owner.post(`${PRUNE_SQL}/code`, { account: name });
        const wrong = wrongOf(await owner.readCode(name));
        for (let time = 0; time < 3; time += 1) {
          answers.push((await owner.post(`${PRUNE_SQL}/validate`, { account: name, code: wrong })).code);
        }
        server.wait(MINUTE_MS + 1000);
      }
      expect(answers).toEqual([...Array(5).fill("CODE_WRONG"), ...Array(4).fill("CODE_LOCKED")]);
    });

    test("[AUTH-5] guesses at a sign-up and at a new address are counted over all codes as well", async () => {
      const account = `new-${dialect}@example.com`;
      const visitor = new Visitor(server);
      const signUp = await guess(
        2,
        async () => {
          await visitor.post(`${USERS}/sign-up/code`, { account });
          return visitor.readCode(account);
        },
        (code) => visitor.post(`${USERS}/sign-up`, { account, code, password: "correct-horse-1" }),
      );
      expect(signUp).toEqual([...Array(5).fill("CODE_WRONG"), ...Array(5).fill("CODE_LOCKED")]);
      const owner = new Visitor(server);
      await owner.signUp(`bound-${dialect}@example.com`);
      const addresses = [`one-${dialect}@example.com`, `two-${dialect}@example.com`];
      const contact = await guess(
        2,
        async () => {
          const address = addresses[0] ?? "";
          await owner.post(`${USERS}/contact/code`, { account: address });
          return owner.readCode(address);
        },
        (code) => owner.post(`${USERS}/contact/bind`, { account: addresses[0], code }),
      );
      expect(contact).toEqual([...Array(5).fill("CODE_WRONG"), ...Array(5).fill("CODE_LOCKED")]);
      await owner.post(`${USERS}/contact/code`, { account: addresses[1] });
      const code = await owner.readCode(addresses[1] ?? "");
      // Another address of the same account gives no new tries.
      expect((await owner.post(`${USERS}/contact/bind`, { account: addresses[1], code })).code).toBe("CODE_LOCKED");
    });
  });
}
