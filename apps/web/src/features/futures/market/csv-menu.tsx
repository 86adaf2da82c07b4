// Saves a part of the data page as CSV. Comes after the page: nobody saves what he has not seen.
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Menu } from "@clockwork/ui/menu";
import { type Sheet, saveSheet } from "#trade/orders/orders-export.ts";
import { useFuturesText } from "../model/futures-text.ts";
import type { FuturesData } from "./data-model.ts";
import { exactWorth } from "./exact-worth.ts";

const time = (timeMs: number): string => formatDateTime(timeMs, "UTC0");

/** Exact figures and UTC: what a program reads next. */
const SHEETS = {
  funding: ({ funding, pair }: FuturesData): Sheet => ({
    head: ["Settled, UTC", "Rate", "Average premium", "Interest", "Mark", "Samples", "Positions", "Generated"],
    rows: funding.map((entry) => [
      time(entry.timeMs),
      entry.rate,
      entry.premium,
      pair.interestRate,
      entry.mark,
      String(entry.samples),
      String(entry.positions),
      String(entry.isGenerated),
    ]),
  }),
  fund: ({ fund }: FuturesData): Sheet => ({
    head: ["Day, UTC", "Coin", "Balance", "Inflow", "Paid out"],
    rows: (fund?.days ?? []).map((day) => [
      time(day.dayMs).slice(0, 10),
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
  interest: ({ interest }: FuturesData): Sheet => ({
    head: ["Hour, UTC", "Open", "High", "Low", "Close"],
    rows: interest.map(({ timeMs, open, high, low, close }) => [time(timeMs), open, high, low, close]),
  }),
  liquidations: ({ liquidations, pair }: FuturesData): Sheet => ({
    head: ["Time, UTC", "Side", "Size", "Price", `Value, ${pair.settle}`, "Outcome", "Report"],
    rows: liquidations.map(({ id, timeMs, side, quantity, price, outcome }) => [
      time(timeMs),
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
  const save = (name: SheetName) => void saveSheet(`${data.pair.pairCode}-${name}`, SHEETS[name](data));
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
