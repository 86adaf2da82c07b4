// The distance of an exit from the entry. Pure.
import { type Decimal, divideFloor, multiply, readTyped, subtract } from "./exact.ts";

/** Per cent with two decimals; negative below the entry. */
export function exitDistance(exitText: string, entryText: string): Decimal | undefined {
  const exit = readTyped(exitText);
  const entry = readTyped(entryText);
  if (exit === undefined || entry === undefined || entry.units === 0n) return undefined;
  return divideFloor(multiply(subtract(exit, entry), { units: 100n, scale: 0 }), entry, 2);
}
