// `/operator/audit`: operators' actions and views, and whether the log is unaltered.
import { type Me, OPERATOR_CALLS, type AuditPage as Page } from "@clockwork/identity/operators/contract";
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { type Column, Table } from "@clockwork/ui/table";
import { type ReactNode, useState } from "react";
import { ConsoleFrame } from "#console/console-frame.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";

type Row = Page["rows"][number];

export interface AuditPageProps {
  readonly me: Me;
  /** Null while the second factor is missing, or when it failed. */
  readonly first: Page | null;
  readonly proof: ReactNode;
}

export function AuditPage({ me, first, proof }: AuditPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("audit.title")} lead={text("audit.lead")} proof={proof}>
      {first === null ? <FailedLine /> : <Log first={first} />}
    </ConsoleFrame>
  );
}

function listColumns(text: ConsoleText): readonly Column<Row>[] {
  return [
    {
      id: "time",
      title: text("audit.time"),
      kind: "time",
      className: "whitespace-nowrap",
      render: ({ atMs }) => formatDateTime(atMs),
    },
    { id: "operator", title: text("audit.operator"), read: ({ operator }) => operator },
    { id: "action", title: text("audit.action"), read: ({ action }) => action },
    { id: "subject", title: text("audit.subject"), read: ({ subject }) => subject },
    { id: "detail", title: text("audit.detail"), read: ({ detail }) => detail },
    { id: "address", title: text("audit.address"), read: ({ address }) => address },
  ];
}

function Log({ first }: { readonly first: Page }) {
  const text = useConsoleText();
  const calls = useCalls();
  const [pages, setPages] = useState<readonly Page[]>([first]);
  const before = pages.at(-1)?.nextBefore ?? null;
  const isWhole = first.tamperedAt === null;
  const more = async () => {
    if (before === null) return;
    const answer = await (await calls()).call(OPERATOR_CALLS.audit, { before });
    if (answer.ok) setPages([...pages, answer.data]);
  };
  return (
    <>
      <p data-audit-whole={isWhole} className={`mb-4 flex items-center gap-2 text-ui ${isWhole ? "" : "text-danger"}`}>
        <Icon name={isWhole ? "check" : "warning"} />
        {isWhole ? text("audit.whole") : text("audit.tampered", { id: first.tamperedAt ?? 0 })}
      </p>
      <Card flush className="overflow-x-auto">
        <Table
          label={text("audit.title")}
          columns={listColumns(text)}
          rows={pages.flatMap((page) => page.rows)}
          rowKey={({ id }) => String(id)}
          placeholder={first.rows.length === 0 ? <p className="p-6 text-muted">{text("audit.empty")}</p> : undefined}
        />
      </Card>
      {before !== null && (
        <div className="mt-4 flex justify-center">
          <Button size={36} onPress={() => void more()}>
            {text("label.more")}
          </Button>
        </div>
      )}
    </>
  );
}
