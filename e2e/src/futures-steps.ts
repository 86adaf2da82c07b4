// Shared steps of journeys on contracts: calls with the page's session, the server's positions, and the form and orders
// on the screen.
import type { Page } from "playwright-core";

interface Answer {
  readonly status: number;
  readonly body: { readonly code: number | string; readonly data: never };
}

/** A call with the session of the page's user. */
export function call(page: Page, method: string, path: string, body?: object): Promise<Answer> {
  return page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(path as string, {
        method: method as string,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    [method, path, body] as const,
  ) as Promise<Answer>;
}

interface Published {
  readonly positionId: string;
  readonly markPrice: string;
  readonly liquidationPrice: string;
  readonly margin: string;
  readonly unrealizedPnl: string;
}

export const API = "/futuresapi/v1/futuresc";
export const form = (page: Page) => page.getByRole("form", { name: "Order form" });
export const orders = (page: Page) => page.getByRole("region", { name: "Your orders" });

export async function answer(page: Page, biz = "futures"): Promise<readonly Published[]> {
  return (await call(page, "GET", `${API}/positions?biz=${biz}`)).body.data as unknown as Published[];
}
