import { expect, test } from "vitest";
import { CALL_COST, PAGE_COST, Turns } from "./pages-turns.ts";

/** What was done between any two turns of the event loop, in groups. */
async function groups(costs: readonly number[], isTrading: boolean): Promise<readonly number[]> {
  const turns = new Turns({ isTrading: () => isTrading, pauseMs: 20 });
  const found: number[] = [];
  let count = 0;
  let isOver = false;
  const take = async (cost: number): Promise<void> => {
    await turns.take(cost);
    count += 1;
  };
  const all = Promise.all(costs.map(take)).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((done) => setImmediate(done));
    if (count > 0) found.push(count);
    count = 0;
  }
  await all;
  return found;
}

test.each([false, true])(
  "[NET-5] in one turn a page or a few calls are answered, with orders coming: %s",
  async (isTrading) => {
    expect(await groups([PAGE_COST, PAGE_COST, PAGE_COST], isTrading)).toEqual([1, 1, 1]);
    expect(
      await groups(
        Array.from({ length: 10 }, () => CALL_COST),
        isTrading,
      ),
    ).toEqual([4, 4, 2]);
  },
);

test("[NET-5] while orders come pages pause between their turns", async () => {
  let turnsOfLoop = 0;
  let isOver = false;
  const turns = new Turns({ isTrading: () => true, pauseMs: 20 });
  const all = Promise.all([turns.take(PAGE_COST), turns.take(PAGE_COST)]).then(() => {
    isOver = true;
  });
  while (!isOver) {
    turnsOfLoop += 1;
    await new Promise((done) => setImmediate(done));
  }
  await all;
  expect(turnsOfLoop).toBeGreaterThan(3);
});
