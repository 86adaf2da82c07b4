// REST of the users slice: schema → service → envelope.

import {
  answer,
  answerChoice,
  answerSession,
  defineRoute,
  type RouteContext,
  type RouteSpec,
  refuseBy,
  type SessionTokens,
} from "@clockwork/host/route";
import { CURRENCY_COOKIE, LOCALE_COOKIE_DAYS } from "@clockwork/kit/constants";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { Type } from "typebox";
import {
  CodeBody,
  CodeSent,
  LanguageMenu,
  Preferences,
  PreferencesBody,
  PriceTypeQuery,
  RegisterConfig,
  SignedUp,
  SignUpBody,
  TopInfo,
} from "./contract.ts";
import type { UserRefusal, UserService } from "./service.ts";

const REFUSALS: RefusalTable<UserRefusal> = {
  ACCOUNT_INVALID: [400, "Give an e-mail address or a phone number."],
  PASSWORD_INVALID: [400, "A password has 8 to 32 characters and two of letters, digits and special characters."],
  CAPTCHA_REQUIRED: [403, "Solve the puzzle first."],
  CODE_TOO_SOON: [429, "A code was sent a moment ago; wait before asking for another."],
  CODE_WRONG: [403, "The code is wrong or no longer valid."],
  CODE_LOCKED: [429, "Too many wrong codes; wait before the next one."],
  INVITE_UNKNOWN: [400, "There is no such invite code; leave it out or correct it."],
  BUSY: [429, "Many people are signing in; try again shortly."],
};

function refuseUser(refused: { code: UserRefusal; detail?: string }) {
  const { code, detail } = refused;
  const isField = code === "PASSWORD_INVALID" && detail !== undefined;
  return refuseBy(REFUSALS, refused, isField ? { "body.password": detail } : undefined);
}

export interface UserRouteParts {
  readonly users: UserService;
  /** Begins the session of a new account. */
  openSession(userId: number, context: RouteContext, isKept: boolean): Promise<SessionTokens | null>;
}

const PATH = "/v2/users";
const CHOICE_KEEP_SECONDS = LOCALE_COOKIE_DAYS * 86_400;

export function userRoutes(parts: UserRouteParts): readonly RouteSpec[] {
  return [...siteRoutes(parts), ...signUpRoutes(parts), ...preferenceRoutes(parts)];
}

function siteRoutes({ users }: UserRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: `${PATH}/top-info`,
      summary: "Who the visitor is and which languages are open to them",
      tag: "users",
      body: Type.Object({}),
      output: TopInfo,
      handle: async (_, { userId }) => answer(await users.topInfo(userId === null ? null : Number(userId))),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/language-menu`,
      summary: "The languages a visitor may choose",
      tag: "users",
      output: LanguageMenu,
      handle: async () => answer(users.languageMenu()),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/register/config`,
      summary: "What signing up asks for",
      tag: "users",
      output: RegisterConfig,
      handle: async () => answer(users.registerConfig()),
    }),
  ];
}

function signUpRoutes({ users, openSession }: UserRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: `${PATH}/sign-up/code`,
      summary: "Sends a code to the address or number an account is to be made for",
      tag: "users",
      body: CodeBody,
      output: CodeSent,
      handle: async ({ body }, { timeMs }) => {
        const sent = await users.sendSignUpCode(body.account, body.captcha, timeMs);
        return sent.done ? answer(sent.value) : refuseUser(sent);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/sign-up`,
      summary: "Makes an account and signs in",
      tag: "users",
      body: SignUpBody,
      output: SignedUp,
      handle: async ({ body }, context) => {
        const made = await users.signUp(body, context.timeMs);
        if (!made.done) return refuseUser(made);
        const tokens = await openSession(made.value, context, body.staySignedIn === true);
        return answerSession({ id: String(made.value) }, tokens);
      },
    }),
  ];
}

function preferenceRoutes({ users }: UserRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      path: `${PATH}/membership/user-perfenerce/get`,
      summary: "Language and price currency of the account",
      tag: "users",
      scope: "user",
      output: Preferences,
      handle: async (_, { userId }) => answer(await users.readPreferences(Number(userId))),
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/membership/user-perfenerce/update`,
      summary: "Saves the language or the price currency of the account",
      tag: "users",
      scope: "user",
      body: PreferencesBody,
      output: Preferences,
      handle: async ({ body }, { userId }) => answer(await users.savePreferences(Number(userId), body)),
    }),
    defineRoute({
      method: "GET",
      path: "/index/changePriceType",
      changes: true,
      summary: "Remembers the price currency a visitor chose; kept with the account when signed in",
      tag: "users",
      query: PriceTypeQuery,
      output: Type.Object({ priceType: Type.String() }),
      handle: async ({ query }, { userId }) => {
        const { priceType } = query;
        if (userId !== null) await users.savePreferences(Number(userId), { pricingCurrency: priceType });
        return answerChoice(
          { priceType },
          { name: CURRENCY_COOKIE, value: priceType, keepSeconds: CHOICE_KEEP_SECONDS },
        );
      },
    }),
  ];
}
