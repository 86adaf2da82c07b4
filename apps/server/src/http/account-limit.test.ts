// One budget per account, whichever addresses it calls from, on both paths of an order.
import { expect, test } from "vitest";
import { createAccountLimit } from "./account-limit.ts";
import { ORDER, ORDERS, openQuick } from "./quick-fixture.ts";

test.each([true, false])(
  "[NET-4] an account has one budget for all of its addresses and sessions (quick lane: %s)",
  async (isQuick) => {
    const environment = { CW_RATE_WEIGHT_PER_MINUTE: "5", CW_TRUSTED_PROXIES: "127.0.0.1" };
    let nowMs = Date.now();
    const site = await openQuick({ isQuick, environment, parts: { clock: () => nowMs } });
    const call = async (user: number | string, address: string) => {
      const response = await fetch(`${site.url}${ORDERS}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-authorization": `good${user}`,
          "x-forwarded-for": address,
        },
        body: JSON.stringify(ORDER),
      });
      const { code } = (await response.json()) as { code: unknown };
      return [response.status, code, response.headers.get("retry-after")];
    };
    const good = [200, 200, null];
    for (const last of [1, 2, 3]) expect(await call(7, `10.0.0.${last}`)).toEqual(good);
    for (const last of [4, 5]) expect(await call("7-phone", `10.0.0.${last}`)).toEqual(good);
    for (const who of [7, "7-phone", "7-other"])
      expect(await call(who, "10.0.0.6")).toEqual([429, "RATE_LIMITED", "60"]);
    expect(await call(8, "10.0.0.6")).toEqual(good);
    nowMs += 60_000;
    expect(await call(7, "10.0.0.6")).toEqual(good);
    await site.close();
  },
);

test("[NET-4] an account pays for the time its calls read tables, in the calls that follow", () => {
  const limit = createAccountLimit(10);
  limit?.chargeReading("7", 10, 0);
  expect(limit?.charge("7", 10, 0)).toBeUndefined();
  limit?.chargeReading("8", 30, 0);
  expect(limit?.charge("8", 1, 0)).toBe(60);
  expect(limit?.charge("9", 10, 0)).toBeUndefined();
  expect(limit?.charge("8", 10, 60_000)).toBeUndefined();
});
