// This month's profit day by day, for the wallet's overview.
import type { Profit } from "@clockwork/trading/profit/contract";
import { useState } from "react";
import { ProfitCalendar } from "./profit-calendar.tsx";
import { type Month, monthOf } from "./profit-model.ts";

export function OverviewCalendar({ profit }: { readonly profit: Profit }) {
  const todayMs = profit.days.at(-1)?.dayMs ?? 0;
  const [month, setMonth] = useState<Month>(() => monthOf(todayMs));
  return <ProfitCalendar days={profit.days} month={month} todayMs={todayMs} onMonth={setMonth} isSmall />;
}
