// Beside an amount that is more than there is: one press for test funds, where the exchange has them. Light; the press
// itself is loaded when it is wanted.
import { compareDecimals, parseDecimal } from "@clockwork/kit/decimal";
import { Suspense } from "react";
import { lazy } from "#boot/patience.ts";
import { useGlobal } from "#boot/state.ts";
import type { TestFundsProps } from "./test-funds.tsx";

const TestFunds = lazy(() => import("./test-funds.tsx").then((part) => ({ default: part.TestFunds })));

/** Nothing is there at all, or less than is wanted. What is no number yet wants nothing. */
export function isShort(free: string, wanted: string): boolean {
  const there = parseDecimal(free);
  if (!there.ok) return false;
  const requested = parseDecimal(wanted);
  return there.value.units === 0n || (requested.ok && compareDecimals(requested.value, there.value) > 0);
}

interface ShortFundsProps extends TestFundsProps {
  /** Nothing before it is known. */
  readonly free: string | undefined;
  readonly wanted: string;
}

export function ShortFunds({ free, wanted, ...rest }: ShortFundsProps) {
  const hasTestFunds = useGlobal((state) => state.hasTestFunds);
  if (!hasTestFunds || free === undefined || !isShort(free, wanted)) return null;
  return (
    <Suspense fallback={null}>
      <TestFunds {...rest} />
    </Suspense>
  );
}
