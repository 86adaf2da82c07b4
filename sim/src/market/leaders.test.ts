import type { MachineEvent } from "@clockwork/core/protocol/event";
import { expect, test } from "vitest";
import { LEADER_STYLES } from "./leader-styles.ts";
import { type LedBook, SimulatedLeaders } from "./leaders.ts";

const shape = { asset: -1, stepUnits: 1, factor: 10, minLots: 1, minUnits: 1, maxLots: 1e9 } as const;
const markets = ["BTC", "ETH", "SOL"].map((coin, i) => ({ ...shape, market: i + 1, coin }));
const [someone] = LEADER_STYLES.filter(({ kind }) => kind === "futures");

/** Two of a style that never acts by itself. */
function quiet(positionsMax: number): { leaders: SimulatedLeaders; look: () => ReturnType<SimulatedLeaders["step"]> } {
  const style = { ...(someone as LedBook["style"]), coins: ["BTC", "ETH", "SOL"], eagerness: 0, positionsMax };
  const books = [1, 2].map((account): LedBook => ({ account, style, cashUnits: 1e10, held: new Map() }));
  const leaders = new SimulatedLeaders(7, books, { futures: markets, spot: [] });
  let step = 0;
  const look = () => {
    step += 1;
    return leaders.step({ step, clockSeconds: step * 60, seconds: 60, ticksOf: () => 500_000 });
  };
  return { leaders, look };
}

const followed = { kind: "followChanged", leader: 2, account: 9, change: "followed" } as unknown as MachineEvent;
const opened = (market: number, lots: number) =>
  ({
    kind: "positionChanged",
    account: 2,
    market,
    lots,
    costUnits: Math.abs(lots) * 5_000_000,
  }) as unknown as MachineEvent;

test("[COPY-1] whom somebody begins to follow opens something at the next look, once, and nobody else does", () => {
  const { leaders, look } = quiet(3);
  expect(look()).toEqual([]);
  leaders.observe(followed, 0);
  const requests = look();
  expect(requests).toMatchObject([{ kind: "placeOrder", account: 2, reduceOnly: false }]);
  const [target] = requests;
  if (target?.kind !== "placeOrder") throw new Error("no order");
  leaders.observe(opened(target.market, target.side === "buy" ? target.quantity : -target.quantity), 60);
  expect(look()).toEqual([]);
});

test("[COPY-1] with no room for another position he adds to one he has, the same way", () => {
  const { leaders, look } = quiet(1);
  leaders.observe(opened(3, -40), 0);
  leaders.observe(followed, 0);
  expect(look()).toMatchObject([{ account: 2, market: 3, side: "sell" }]);
});

test("[COPY-1] what the market does not give is tried again a few times and then left", () => {
  const { leaders, look } = quiet(3);
  leaders.observe(followed, 0);
  const tries = Array.from({ length: 20 }, look).filter((requests) => requests.length > 0).length;
  expect(tries).toBeGreaterThan(1);
  expect(tries).toBeLessThan(10);
});
