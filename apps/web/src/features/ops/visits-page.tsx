// `/operator/visits`: how often pages were visited, per day, and by which campaign. Labels and counts without names.
import { OPS_CALLS, type VisitPage, type VisitTotals } from "@clockwork/site/ops/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { writeCsv } from "@clockwork/ui/logic/csv";
import { type Column, Table } from "@clockwork/ui/table";
import { type ReactNode, useState } from "react";
import { Form } from "react-router";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { useCalls } from "#session/auth-context.ts";
import { LateDateField } from "#shell/late-fields.tsx";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";
import { sumDays } from "./visit-days.ts";

export interface VisitRange {
  readonly from: string;
  readonly to: string;
}

export interface VisitsPageProps {
  readonly me: ConsoleOperator;
  readonly range: VisitRange;
  readonly totals: VisitTotals | null;
  readonly rows: VisitPage | null;
  readonly proof: ReactNode;
}

type Row = VisitPage["rows"][number];

export function VisitsPage({ me, range, totals, rows, proof }: VisitsPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("visits.title")} lead={text("visits.lead")} proof={proof}>
      <RangeForm range={range} />
      {totals === null || rows === null ? (
        <p className="text-muted">{text("visits.failed")}</p>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Days totals={totals} />
          <Rows key={`${range.from}${range.to}`} range={range} first={rows} />
        </div>
      )}
    </ConsoleFrame>
  );
}

/** The form sends what is chosen; the calendar arrives after the page. */
function DayField({ name, first }: { readonly name: "from" | "to"; readonly first: string }) {
  const text = useConsoleText();
  const [day, setDay] = useState<string | null>(first);
  return (
    <>
      <LateDateField label={text(`visits.${name}`)} value={day} onChange={setDay} />
      <input type="hidden" name={name} value={day ?? ""} />
    </>
  );
}

function RangeForm({ range }: { readonly range: VisitRange }) {
  const text = useConsoleText();
  return (
    <Form method="get" className="mb-4 flex flex-wrap items-end gap-3">
      {(["from", "to"] as const).map((name) => (
        <DayField key={`${name}${range[name]}`} name={name} first={range[name]} />
      ))}
      <button type="submit" className={buttonClass({ size: 36 })}>
        {text("visits.show")}
      </button>
    </Form>
  );
}

function Days({ totals }: { readonly totals: VisitTotals }) {
  const text = useConsoleText();
  const days = sumDays(totals);
  const most = Math.max(1, ...days.map(({ count }) => count));
  return (
    <Card title={text("visits.days")}>
      {days.length === 0 && <p className="text-muted text-ui">{text("visits.none")}</p>}
      <ul>
        {days.map(({ day, count, mobile }) => (
          <li key={day} className="flex items-center gap-4 py-1 text-ui">
            <span className="figures w-[92px] shrink-0">{day}</span>
            <span aria-hidden="true" className="h-3 min-w-px flex-1">
              <span className="block h-full rounded-check bg-info" style={{ width: `${(100 * count) / most}%` }} />
            </span>
            <span className="figures w-[72px] shrink-0 text-right max-sm:w-auto">{count}</span>
            <span className="figures w-[120px] shrink-0 text-right text-[13px] text-muted max-sm:w-auto">
              {text("visits.mobile", { count: mobile })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Rows({ range, first }: { readonly range: VisitRange; readonly first: VisitPage }) {
  const text = useConsoleText();
  const calls = useCalls();
  const [pages, setPages] = useState<readonly VisitPage[]>([first]);
  const rows = pages.flatMap((page) => page.rows);
  const offset = pages.at(-1)?.nextOffset ?? null;
  const more = async () => {
    if (offset === null) return;
    const answer = await (await calls()).call(OPS_CALLS.rows, { ...range, offset });
    if (answer.ok) setPages([...pages, answer.data]);
  };
  const columns = listColumns(text);
  const save = async () => {
    const { saveCsv } = await import("@clockwork/ui/hooks/use-table");
    const lines = rows.map((row) => columns.map(({ read }) => String(read?.(row) ?? "")));
    saveCsv(
      text("visits.title"),
      writeCsv(
        columns.map(({ title }) => title),
        lines,
      ),
      Date.now(),
    );
  };
  if (rows.length === 0) return null;
  return (
    <>
      <Card flush className="overflow-x-auto">
        <Table label={text("visits.campaigns")} columns={columns} rows={rows} rowKey={(row) => JSON.stringify(row)} />
      </Card>
      <div className="flex justify-center gap-3">
        {offset !== null && (
          <Button size={36} onPress={() => void more()}>
            {text("label.more")}
          </Button>
        )}
        <Button size={36} icon="download" onPress={() => void save()}>
          {text("label.csv")}
        </Button>
      </div>
    </>
  );
}

function listColumns(text: ConsoleText): readonly Column<Row>[] {
  return [
    { id: "day", title: text("visits.day"), kind: "time", className: "whitespace-nowrap", read: ({ day }) => day },
    { id: "event", title: text("visits.event"), read: ({ event }) => event },
    { id: "type", title: text("visits.type"), read: ({ type }) => type },
    { id: "source", title: text("visits.source"), read: ({ source }) => source },
    { id: "utmSource", title: "utm_source", read: ({ utmSource }) => utmSource },
    { id: "utmMedium", title: "utm_medium", read: ({ utmMedium }) => utmMedium },
    { id: "utmCampaign", title: "utm_campaign", read: ({ utmCampaign }) => utmCampaign },
    { id: "utmTerm", title: "utm_term", read: ({ utmTerm }) => utmTerm },
    { id: "utmContent", title: "utm_content", read: ({ utmContent }) => utmContent },
    { id: "utmId", title: "utm_id", read: ({ utmId }) => utmId },
    { id: "count", title: text("visits.count"), kind: "number", read: ({ count }) => count },
  ];
}
