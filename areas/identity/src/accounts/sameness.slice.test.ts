// What a wrong sign-in reveals to an unauthenticated client: nothing, not even by the work done.

import { done } from "@clockwork/kit/result";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { beforeAll, expect, test } from "vitest";
import { AttemptService } from "../attempts/service.ts";
import { attemptStore } from "../attempts/store.ts";
import { LoginService } from "../sessions/login-service.ts";
import type { LoginAccount, LoginNeeds } from "../sessions/needs.ts";
import { SessionService } from "../sessions/service.ts";
import { sessionStore } from "../sessions/store.ts";

const KNOWN: LoginAccount = {
  userId: 7,
  passwordHash: "hash",
  isFrozen: false,
  contact: { kind: "email", value: "known@example.com" },
  version: 0,
};
const CLIENT = { address: "1.2.3.4", source: "1.2.3.4", deviceKey: "", deviceName: "" };

/** Records every call to a part, in order. */
function record<Part extends object>(part: Part, calls: string[]): Part {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        calls.push(String(name));
        return value.apply(target, given) as unknown;
      };
    },
  });
}

forEachDatabase("sameness", (place) => {
  beforeAll(async () => {
    const root = new URL("../../../..", import.meta.url).pathname;
    const own = collectMigrations(root).filter(({ name }) => /^(attempts|qr|sessions)\//.test(name));
    await migrate(place.database(), own);
  });

  test("[AUTH-5] a wrong password costs the same calls in the same order, whether the account exists or not", async () => {
    const attempt = async (account: string): Promise<{ calls: string[]; answer: unknown }> => {
      const calls: string[] = [];
      const needs: LoginNeeds = record(
        {
          mark: (text: string) => text,
          randomId: () => crypto.randomUUID(),
          findAccount: async ({ value }) => (value === KNOWN.contact.value ? KNOWN : undefined),
          findUser: async () => undefined,
          hashBusy: () => undefined,
          verifyPassword: async () => false,
          isCaptchaSolved: async () => true,
          hasTotp: async () => false,
          checkTotp: async () => false,
          mintCode: async () => done("123456"),
          sendCode: async () => undefined,
          checkCode: async () => false,
          onNewDevice: async () => undefined,
        } satisfies LoginNeeds,
        calls,
      );
      const { kysely } = place.database();
      const watched = record(sessionStore(kysely), calls);
      const attempts = new AttemptService(record(attemptStore(kysely), calls));
      const sessions = new SessionService({
        store: sessionStore(kysely),
        needs: { ...needs, endSockets: () => undefined, onRevoked: () => undefined, onStolen: async () => undefined },
      });
      const login = new LoginService({ needs, store: watched, sessions, attempts });
      const answers: unknown[] = [];
      for (let count = 0; count < 7; count += 1) {
        answers.push(await login.login({ account, password: "wrong-horse-1" }, CLIENT, 1_000_000));
      }
      answers.push(await login.validateType(account));
      return { calls, answer: answers };
    };
    const known = await attempt("known@example.com");
    const unknown = await attempt("unknown@example.com");
    expect(known.calls).toContain("verifyPassword");
    expect(unknown).toEqual(known);
  });
});
