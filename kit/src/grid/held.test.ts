import { describe, expect, it } from "vitest";
import type { Contract } from "../margin.ts";
import { tiersA } from "../margin-tiers.ts";
import { type HeldCase, heldDiesInside, heldPrices, planGrid, worstPrices } from "./plan.ts";

const contract: Contract = { kind: "linear", factor: 100n, tiers: tiersA(6), liquidationRate: 60_000n };
const range = { lowTicks: 950_000, highTicks: 1_050_000, cells: 10, spacing: "arithmetic" } as const;
const P = 1_000_000;
const quoteUnits = 10_000_000_000n;

const planned = (kind: "neutral" | "long" | "short", leverage: number) => {
  const plan = planGrid({
    kind,
    range,
    priceTicks: P,
    feeRate: 60_000,
    tickLotUnits: 100,
    minLots: 1,
    minNotionalUnits: 5_000_000,
    quoteUnits,
    leverage,
    contract,
  });
  if (!plan.done) throw new Error(plan.code);
  return plan.value;
};

/** The state right after its start. */
function started(
  kind: "neutral" | "long" | "short",
  leverage: number,
): HeldCase & { readonly lines: readonly number[] } {
  const { lines, lots, gap, startLots } = planned(kind, leverage);
  const orders = lines.slice(1).map((high, cell) => ({
    sells: cell >= gap,
    ticks: cell < gap ? (lines[cell] as number) : high,
    lots: BigInt(lots),
  }));
  const held = BigInt(startLots);
  return {
    contract,
    tickLotUnits: 100,
    cashUnits: quoteUnits,
    lots: held,
    costUnits: held * BigInt(P) * 100n,
    orders,
    lines,
  };
}

describe("where a running futures grid is liquidated", () => {
  it.each(["neutral", "long", "short"] as const)("[GRID-1] %s is at the planned value just after the start", (kind) => {
    const { lots, lines } = planned(kind, 5);
    const worst = { kind, lines, lots, priceTicks: P, quoteUnits, tickLotUnits: 100, contract };
    expect(heldPrices(started(kind, 5))).toEqual(worstPrices(worst));
    const [long, short] = heldPrices(started(kind, 5));
    if (kind !== "short") expect(long).toBeLessThan(950_000);
    if (kind !== "long") expect(short).toBeGreaterThan(1_050_000);
    expect([long === undefined, short === undefined]).toEqual([kind === "short", kind === "long"]);
  });

  it("[GRID-1] counts its losses and withdrawals", () => {
    const fresh = started("long", 5);
    const [before] = heldPrices(fresh);
    const less = { ...fresh, cashUnits: fresh.cashUnits - 2_000_000_000n };
    expect(heldPrices(less)[0]).toBeGreaterThan(before as number);
    expect(heldDiesInside(fresh, fresh.lines)).toBe(false);
    expect(heldDiesInside({ ...fresh, cashUnits: fresh.cashUnits / 8n }, fresh.lines)).toBe(true);
  });
});
