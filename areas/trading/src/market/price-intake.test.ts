import { VISITOR } from "@clockwork/kit/caller";
import { expect, test } from "vitest";
import { openPriceIntake } from "./price-intake.ts";

function call(token: string | undefined, prices: Record<string, string>) {
  const intake = openPriceIntake("a-long-enough-token");
  const [route] = intake?.routes ?? [];
  const header = (name: string) => (name === "authorization" && token !== undefined ? `Bearer ${token}` : undefined);
  const context = { requestId: "r", ip: "::1", caller: VISITOR, userId: null, timeMs: 1_000, locale: "en_US", header };
  return { intake, outcome: route?.handle({ query: undefined, params: undefined, body: { prices } }, context) };
}

test("[OPS-2] outside prices are accepted only with the token, and invalid ones not at all", async () => {
  const good = call("a-long-enough-token", { BTC: "96500.5" });
  expect(await good.outcome).toEqual({ ok: true, data: { taken: 1 } });
  expect(good.intake?.source.readPrice("BTC", 2_000)).toBe(96_500.5);
  for (const token of [undefined, "a-wrong-one"]) {
    const { intake, outcome } = call(token, { BTC: "1" });
    expect(await outcome).toMatchObject({ ok: false, rejection: { status: 401 } });
    expect(intake?.source.readPrice("BTC", 2_000)).toBeUndefined();
  }
  for (const price of ["0", "-1", "1e5", ""]) {
    const { intake, outcome } = call("a-long-enough-token", { ETH: "3000", BTC: price });
    expect(await outcome).toMatchObject({ ok: false, rejection: { code: "INVALID_PRICE" } });
    expect(intake?.source.readPrice("ETH", 2_000)).toBeUndefined();
  }
  expect(openPriceIntake("")).toBeUndefined();
});
