// Many users take one ad at the same moment, on the real services and the real core.
import { escrowOf, stockWithFee } from "@clockwork/kit/otc/price";
import { expect, test } from "vitest";
import { balanceOf, openWorld, SELLER, STOCK } from "./walk-fixture.ts";

const PARTICIPANTS = 1_000;
const FIT = 400n;
const EACH = STOCK / FIT;

test.each([1, 2, 3])(
  "[OTC-1] a thousand concurrent orders on one ad never oversell it, in any order (%i)",
  async (seed) => {
    const world = openWorld();
    const { ads, orders, process, table, stage, book, ad } = world;
    await ads.update(SELLER, { adId: "1", state: "ONLINE" });
    const answer: string[] = [];
    let state = seed;
    const choose = (count: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % count;
    };
    const works = Array.from({ length: PARTICIPANTS }, (_, i) => async () => {
      const body = { adId: "1", quantity: String(EACH), paymentId: "p", clientId: `c-${i}` };
      const placed = await orders.place(1_000 + i, body);
      answer.push(placed.done ? placed.value.state : placed.code);
    });
    expect(await process.race(works, choose)).toBe(false);
    const count = (word: string): number => answer.filter((one) => one === word).length;
    expect(answer).toHaveLength(PARTICIPANTS);
    expect(count("WAIT_PAY")).toBe(Number(FIT));
    expect(count("STOCK_TOO_SMALL") + count("AD_OFFLINE")).toBe(PARTICIPANTS - Number(FIT));
    const inEscrow = FIT * escrowOf(EACH, true);
    expect(balanceOf(stage, book)).toEqual({ free: stockWithFee(STOCK) - inEscrow, frozen: inEscrow });
    expect([...table.rows.values()].filter(({ state: now }) => now === "WAIT_PAY")).toHaveLength(Number(FIT));
    expect([ad.row.state, ad.row.stock_units]).toEqual(["SOLD_OUT", 0n]);
  },
);
