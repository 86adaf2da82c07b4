// A user's type for support, and the data passed to the chat.
import { expect, test } from "vitest";
import { userTypeOf, writeClaims } from "./rules.ts";
import { ChatService } from "./service.ts";

const PERSON = { nickname: "Ada", kycLevel: 0, isOperator: false };

test("[USR-8] the type of a user follows from session, identity and role", () => {
  expect(userTypeOf(undefined)).toBe("visitor");
  expect(userTypeOf(PERSON)).toBe("ordinary");
  expect(userTypeOf({ ...PERSON, kycLevel: 2 })).toBe("verified");
  expect(userTypeOf({ ...PERSON, kycLevel: 2, isOperator: true })).toBe("operator");
});

test("[USR-8] a name in the token is one short line, in any script", () => {
  const nickname = `Ай"da\n</script>${"x".repeat(100)}`;
  const token = writeClaims({ userId: 7, person: { ...PERSON, nickname }, locale: "en_US", appId: "a" }, 1_500);
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;
  expect(claims).toMatchObject({ sub: "7", iat: 1, exp: 301 });
  expect(claims.name).toBe(`Ай"da </script>${"x".repeat(100)}`.slice(0, 60));
});

test("[USR-8] the own chat names its channel to signed-in users, redirects none and signs nothing", async () => {
  const sign = () => {
    throw new Error("nothing to sign");
  };
  const chat = new ChatService({ ownChannel: "own", chat: undefined, findPerson: async () => PERSON, sign });
  const own = { provider: "own", url: null, token: null };
  expect(await chat.readLogin(7, "en_US", 0)).toMatchObject({ ...own, isOpen: true, channel: "own" });
  expect(await chat.readLogin(null, "en_US", 0)).toMatchObject({ ...own, isOpen: false, channel: null });
});
