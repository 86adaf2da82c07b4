// Next to an amount above the balance: one click for test funds, where the exchange has them. Light; the action itself
// is loaded on demand.
import { compareDecimals, parseDecimal } from "@clockwork/kit/decimal";
import { Suspense } from "react";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import type { TestFundsProps } from "./test-funds.tsx";

const TestFunds = lazy(() => import("./test-funds.tsx").then((part) => ({ default: part.TestFunds })));

/** The balance is zero, or below the requested amount. Input that is no number yet requests nothing. */
export function isShort(free: string, wanted: string): boolean {
  const there = parseDecimal(free);
  if (!there.ok) return false;
  const requested = parseDecimal(wanted);
  return there.value.units === 0n || (requested.ok && compareDecimals(requested.value, there.value) > 0);
}

interface ShortFundsProps extends TestFundsProps {
  /** Nothing before it is loaded. */
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
