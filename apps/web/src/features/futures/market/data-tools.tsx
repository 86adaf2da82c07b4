// What stands above the parts of the data page: where each part is, its rows as CSV, and where programs get the same.
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Menu } from "@clockwork/ui/menu";
import { useLocation } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { type Sheet, saveSheet } from "#trade/orders/orders-export.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { type FuturesData, worthOf } from "./data-model.ts";

const SECTIONS = ["overview", "funding", "index", "fund", "ladder", "interest", "liquidations"] as const;

/** Each part has an address of its own; the one that was asked for is marked. */
export function DataTabs() {
  const text = useFuturesText();
  const { hash } = useLocation();
  const asked = SECTIONS.find((section) => `#${section}` === hash) ?? "overview";
  return (
    <nav aria-label={text("data.parts")} className="flex gap-6 overflow-x-auto border-line border-b">
      {SECTIONS.map((section) => (
        <a
          key={section}
          href={`#${section}`}
          aria-current={section === asked ? "location" : undefined}
          className="-mb-px whitespace-nowrap border-transparent border-b-2 py-2.5 font-medium text-muted hover:text-text aria-[current]:border-accent aria-[current]:text-text"
        >
          {text(`data.tab.${section}`)}
        </a>
      ))}
    </nav>
  );
}

const time = (timeMs: number): string => formatDateTime(timeMs, "UTC0");

/** Exact figures and UTC: what a program reads next. */
export const SHEETS = {
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
    head: ["Time, UTC", "Side", "Size", "Price", `Value, ${pair.settle}`, "Report"],
    rows: liquidations.map(({ id, timeMs, side, quantity, price }) => [
      time(timeMs),
      side,
      quantity,
      price,
      worthOf(pair.kind, quantity, price).toFixed(pair.kind === "linear" ? 2 : 8),
      id,
    ]),
  }),
} as const;
type SheetName = keyof typeof SHEETS;

export function DataTools({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const save = (name: SheetName) => void saveSheet(`${data.pair.pairCode}-${name}`, SHEETS[name](data));
  return (
    <span className="flex items-center gap-2">
      <Menu
        label={text("data.csv")}
        placement="bottom end"
        trigger={
          <Button size={32} icon="download">
            CSV
          </Button>
        }
        groups={[
          { entries: (Object.keys(SHEETS) as SheetName[]).map((id) => ({ id, title: text(`data.tab.${id}`) })) },
        ]}
        onAction={(id) => save(id as SheetName)}
      />
      <SiteLink
        to="/api-docs"
        className="flex h-8 items-center rounded-control border border-line2 px-3 font-medium text-ui hover:bg-hover"
      >
        API
      </SiteLink>
    </span>
  );
}
