import { expect, test } from "vitest";
import { openPriceDoor } from "./price-door.ts";

function call(token: string | undefined, prices: Record<string, string>) {
  const door = openPriceDoor("a-long-enough-token");
  const [route] = door?.routes ?? [];
  const header = (name: string) => (name === "authorization" && token !== undefined ? `Bearer ${token}` : undefined);
  const context = { requestId: "r", ip: "::1", userId: null, timeMs: 1_000, locale: "en_US", header };
  return { door, outcome: route?.handle({ query: undefined, params: undefined, body: { prices } }, context) };
}

test("[OPS-2] outside prices are taken with the token alone, and wrong ones not at all", async () => {
  const good = call("a-long-enough-token", { BTC: "96500.5" });
  expect(await good.outcome).toEqual({ ok: true, data: { taken: 1 } });
  expect(good.door?.source.readPrice("BTC", 2_000)).toBe(96_500.5);
  for (const token of [undefined, "a-wrong-one"]) {
    const { door, outcome } = call(token, { BTC: "1" });
    expect(await outcome).toMatchObject({ ok: false, rejection: { status: 401 } });
    expect(door?.source.readPrice("BTC", 2_000)).toBeUndefined();
  }
  for (const price of ["0", "-1", "1e5", ""]) {
    const { door, outcome } = call("a-long-enough-token", { ETH: "3000", BTC: price });
    expect(await outcome).toMatchObject({ ok: false, rejection: { code: "INVALID_PRICE" } });
    expect(door?.source.readPrice("ETH", 2_000)).toBeUndefined();
  }
  expect(openPriceDoor("")).toBeUndefined();
});
