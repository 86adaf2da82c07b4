// Saves a part of the data page as CSV, with times in the zone the visitor chose and named by it. Loaded after the
// page, on demand.
import type { TimezoneName } from "@clockwork/kit/constants";
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Menu } from "@clockwork/ui/menu";
import { nameZone, useZone } from "#session/zone.ts";
import { type Sheet, saveSheet } from "#trade/orders/orders-export.ts";
import { useFuturesText } from "../model/futures-text.ts";
import type { FuturesData } from "./data-model.ts";
import { exactWorth } from "./exact-worth.ts";

/** Exact figures: what a program reads next. */
const SHEETS = {
  funding: ({ funding, pair }: FuturesData, zone: TimezoneName): Sheet => ({
    head: [
      `Settled, ${nameZone(zone)}`,
      "Rate",
      "Average premium",
      "Interest",
      "Mark",
      "Samples",
      "Positions",
      "Generated",
    ],
    rows: funding.map((entry) => [
      formatDateTime(entry.timeMs, zone),
      entry.rate,
      entry.premium,
      pair.interestRate,
      entry.mark,
      String(entry.samples),
      String(entry.positions),
      String(entry.isGenerated),
    ]),
  }),
  // Its days are UTC days, in any zone.
  fund: ({ fund }: FuturesData): Sheet => ({
    head: ["Day, UTC", "Coin", "Balance", "Inflow", "Paid out"],
    rows: (fund?.days ?? []).map((day) => [
      formatDateTime(day.dayMs, "UTC0").slice(0, 10),
      fund?.asset ?? "",
      day.balance,
      day.inflow,
      day.outflow,
    ]),
  }),
  ladder: ({ ladder, pair }: FuturesData): Sheet => ({
    head: ["Tier", `Position up to, ${pair.settle}`, "Leverage", "Maintenance", "Deduction"],
    rows: ladder.map((step) => [
      String(step.tier),
      step.maxNotional,
      String(step.maxLeverage),
      step.maintenanceRate,
      step.deduction,
    ]),
  }),
  interest: ({ interest }: FuturesData, zone: TimezoneName): Sheet => ({
    head: [`Hour, ${nameZone(zone)}`, "Open", "High", "Low", "Close"],
    rows: interest.map(({ timeMs, open, high, low, close }) => [formatDateTime(timeMs, zone), open, high, low, close]),
  }),
  liquidations: ({ liquidations, pair }: FuturesData, zone: TimezoneName): Sheet => ({
    head: [`Time, ${nameZone(zone)}`, "Side", "Size", "Price", `Value, ${pair.settle}`, "Outcome", "Report"],
    rows: liquidations.map(({ id, timeMs, side, quantity, price, outcome }) => [
      formatDateTime(timeMs, zone),
      side,
      quantity,
      price,
      exactWorth(pair.kind, quantity, price),
      outcome ?? "",
      id,
    ]),
  }),
} as const;
type SheetName = keyof typeof SHEETS;

export function CsvMenu({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const zone = useZone();
  const save = (name: SheetName) => void saveSheet(`${data.pair.pairCode}-${name}`, SHEETS[name](data, zone));
  const names = Object.keys(SHEETS) as SheetName[];
  return (
    <Menu
      label={text("data.csv")}
      placement="bottom end"
      trigger={
        <Button size={32} icon="download">
          CSV
        </Button>
      }
      groups={[{ entries: names.map((id) => ({ id, title: text(`data.tab.${id}`) })) }]}
      onAction={(id) => save(id as SheetName)}
    />
  );
}
