// Every call rejects an account the user does not have before it reads anything: an empty list would read as an account
// with nothing in it.
import { type Outcome, type RouteContext, type RouteSpec, refuse } from "@clockwork/host/route";
import type { FuturesBiz } from "../positions/account-view.ts";
import { type FuturesBooks, UNKNOWN_ACCOUNT } from "../positions/books.ts";

interface Naming {
  readonly account?: string;
  readonly biz?: FuturesBiz;
}

type Input = Parameters<RouteSpec["handle"]>[0];

const PLACES = ["query", "body"] as const;
const MAIN = "main";
/** The path decides the book: leaders', copies' and bots' accounts hold linear contracts only. */
const OTHER_BOOKS = /\/(perpcm|simulated)\//;

const placeOf = (route: RouteSpec): (typeof PLACES)[number] | undefined =>
  PLACES.find((place) => {
    const { properties = {} } = (route[place] ?? {}) as { readonly properties?: object };
    return "account" in properties;
  });

export function guardAccounts(routes: readonly RouteSpec[], books: FuturesBooks): readonly RouteSpec[] {
  return routes.map((route) => {
    const place = placeOf(route);
    if (place === undefined) return route;
    const usual: FuturesBiz = OTHER_BOOKS.test(route.path) ? "delivery" : "futures";
    const { message } = UNKNOWN_ACCOUNT;
    const refusal = { ...UNKNOWN_ACCOUNT, fields: { [`${place}.account`]: message } };
    const ask = async (
      input: Input,
      context: RouteContext,
      account: string,
      biz: FuturesBiz,
    ): Promise<Outcome<unknown>> => {
      const isHad = biz === "futures" && (await books.list(Number(context.userId), { biz, account })).length > 0;
      return isHad ? route.handle(input, context) : refuse(refusal);
    };
    // Not async itself: most calls, orders among them, concern the user's own account.
    const handle = (input: Input, context: RouteContext): Promise<Outcome<unknown>> => {
      const { account = MAIN, biz = usual } = input[place] as Naming;
      return account === MAIN ? route.handle(input, context) : ask(input, context, account, biz);
    };
    return { ...route, handle };
  });
}
