// REST of the users slice: schema → service → envelope.

import {
  answer,
  answerChoice,
  answerSession,
  type RouteContext,
  type RouteSpec,
  refuseBy,
  type SessionTokens,
  serve,
} from "@clockwork/host/route";
import { CURRENCY_COOKIE, LOCALE_COOKIE_DAYS } from "@clockwork/kit/constants";
import { USER_CALLS } from "./contract.ts";
import { REFUSALS, type UserRefusal } from "./refusals.ts";
import type { UserService } from "./service.ts";

function refuseUser(refused: { code: UserRefusal; detail?: string }) {
  const { code, detail } = refused;
  const isField = code === "PASSWORD_INVALID" && detail !== undefined;
  return refuseBy(REFUSALS, refused, isField ? { "body.password": detail } : undefined);
}

export interface UserRouteParts {
  readonly users: UserService;
  /** Opens the session of a new account. */
  openSession(userId: number, context: RouteContext, isKept: boolean): Promise<SessionTokens | null>;
}

const CHOICE_KEEP_SECONDS = LOCALE_COOKIE_DAYS * 86_400;

export function userRoutes(parts: UserRouteParts): readonly RouteSpec[] {
  return [...siteRoutes(parts), ...signUpRoutes(parts), ...preferenceRoutes(parts)];
}

function siteRoutes({ users }: UserRouteParts): readonly RouteSpec[] {
  return [
    serve(USER_CALLS.topInfo, {
      summary: "Who the visitor is and which languages are open to them",
      tag: "users",
      handle: async (_, { userId }) => answer(await users.topInfo(userId === null ? null : Number(userId))),
    }),
    serve(USER_CALLS.languages, {
      summary: "The languages a visitor may choose",
      tag: "users",
      handle: async () => answer(users.languageMenu()),
    }),
    serve(USER_CALLS.registerConfig, {
      summary: "What signing up asks for",
      tag: "users",
      handle: async () => answer(users.registerConfig()),
    }),
  ];
}

function signUpRoutes({ users, openSession }: UserRouteParts): readonly RouteSpec[] {
  return [
    serve(USER_CALLS.signUpCode, {
      summary: "Sends a code to the address or number an account is to be made for",
      tag: "users",
      handle: async ({ body }, { timeMs }) => {
        const sent = await users.sendSignUpCode(body.account, body.captcha, timeMs);
        return sent.done ? answer(sent.value) : refuseUser(sent);
      },
    }),
    serve(USER_CALLS.signUp, {
      summary: "Makes an account and signs in",
      tag: "users",
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
    serve(USER_CALLS.preferences, {
      summary: "Language and price currency of the account",
      tag: "users",
      scope: "user",
      handle: async (_, { userId }) => answer(await users.readPreferences(Number(userId))),
    }),
    serve(USER_CALLS.savePreferences, {
      summary: "Saves the language or the price currency of the account",
      tag: "users",
      scope: "user",
      handle: async ({ body }, { userId }) => answer(await users.savePreferences(Number(userId), body)),
    }),
    serve(USER_CALLS.choosePriceType, {
      changes: true,
      summary: "Remembers the price currency a visitor chose; kept with the account when signed in",
      tag: "users",
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
