// The calculator's figures are those of the rules' worked example.
import { expect, test } from "vitest";
import { type ContractRules, readContract, writeLots, writePrice, writeUnits } from "../model/contract.ts";
import { type CalculatorInput, calculate, exampleSize, liquidationCurve } from "./calculator.ts";

const RULES: ContractRules = {
  pairCode: "BTC_USDT",
  kind: "linear",
  base: "BTC",
  quote: "USDT",
  settle: "USDT",
  settleScale: 6,
  tickSize: "0.1",
  stepSize: "0.001",
  priceDecimals: 1,
  quantityDecimals: 3,
  liquidationRate: "0.0006",
  baseScale: 8,
  quoteScale: 6,
};
const contract = readContract(RULES, [
  { tier: 1, maxNotional: "250000", maxLeverage: 125, maintenanceRate: "0.004", deduction: "0" },
]);
if (contract === undefined) throw new Error("the contract did not read");

const INPUT: CalculatorInput = {
  isLong: true,
  leverage: 20,
  entry: "64100",
  size: "0.25",
  added: "",
  exit: "65800",
  roePercent: "30",
  balance: "1000",
  rate: "0.01",
  secondEntry: "62000",
  secondSize: "0.25",
};
const base = { contract, input: INPUT, feeRate: "0.0006" };

test("[FUT-1] profit after both fees, margin, liquidation, bankruptcy and target of a long of 0.25 at 64,100, 20×", () => {
  const result = calculate(base);
  if (result === undefined) throw new Error("nothing was worked out");
  expect(writeUnits(contract, result.margin)).toBe("801.25");
  expect(result.liquidation && writePrice(contract, result.liquidation)).toBe("61176.4");
  expect(result.bankruptcy && writePrice(contract, result.bankruptcy)).toBe("60931.5");
  expect(writeUnits(contract, result.profit ?? 0n)).toBe("425.00");
  expect(writeUnits(contract, result.openFee, "ceil")).toBe("9.62");
  expect(writeUnits(contract, result.closeFee ?? 0n, "ceil")).toBe("9.87");
  expect(writeUnits(contract, result.net ?? 0n)).toBe("405.51");
  expect(result.target && writePrice(contract, result.target)).toBe("65061.5");
  expect(writeUnits(contract, result.funding ?? 0n, "ceil")).toBe("1.61");
  expect(result.average && writePrice(contract, result.average)).toBe("63050.0");
  // 1,000 ÷ (1/20 + 0.0006) ÷ 64,100
  expect(writeLots(contract, result.mostLots ?? 0n)).toBe("0.308");
});

test("[FUT-1] more leverage brings liquidation nearer, and incomplete input gives no result", () => {
  const prices = liquidationCurve(base, [2, 10, 50, 125]).map(({ liquidation }) =>
    liquidation === undefined ? 0 : Number(writePrice(contract, liquidation)),
  );
  expect(prices).toEqual([...prices].sort((left, right) => left - right));
  expect(calculate({ ...base, input: { ...INPUT, size: "" } })).toBeUndefined();
  expect(calculate({ ...base, input: { ...INPUT, exit: "", roePercent: "" } })).toMatchObject({
    profit: undefined,
    net: undefined,
    target: undefined,
  });
});

test("[FUT-3] the calculator starts with an example of whole steps", () => {
  const linear = { kind: "linear", stepSize: "0.001", quantityDecimals: 3 } as const;
  expect(exampleSize(linear, "64000.0")).toBe("0.156");
  expect(exampleSize({ ...linear, stepSize: "1", quantityDecimals: 0 }, "99999999")).toBe("1");
  expect(exampleSize(linear, null)).toBe("");
  expect(exampleSize({ kind: "inverse", stepSize: "10", quantityDecimals: 0 }, null)).toBe("10000");
});
