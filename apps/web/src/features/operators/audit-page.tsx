// `/operator/audit`: operators' actions and views, and whether the log is unaltered.
import { type Me, OPERATOR_CALLS, type AuditPage as Page } from "@clockwork/identity/operators/contract";
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Icon } from "@clockwork/ui/icon";
import type { Column } from "@clockwork/ui/table";
import { TextField } from "@clockwork/ui/text-field";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { ConsoleFrame } from "#console/console-frame.tsx";
import { SectionPanel } from "#console/section-panel.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";

type Row = Page["rows"][number];
const USER_NUMBER = /^[1-9]\d{8,9}$/;

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
    {
      id: "operator",
      title: text("audit.operator"),
      className: "font-medium",
      read: ({ operatorName }) => operatorName,
    },
    { id: "action", title: text("audit.action"), read: ({ action }) => action },
    {
      id: "subject",
      title: text("audit.subject"),
      read: ({ subject }) => subject,
      render: ({ subject }) =>
        USER_NUMBER.test(subject) ? (
          <SiteLink to={`/operator/users/${subject}`} className="figures hover:underline">
            {subject}
          </SiteLink>
        ) : (
          subject
        ),
    },
    { id: "detail", title: text("audit.detail"), read: ({ detail }) => detail },
    { id: "address", title: text("audit.address"), read: ({ address }) => address },
  ];
}

function Log({ first }: { readonly first: Page }) {
  const text = useConsoleText();
  const [search, setSearch] = useSearchParams();
  const action = search.get("action") ?? "";
  const subject = search.get("subject") ?? "";
  const isWhole = first.tamperedAt === null;
  const filter = (form: FormData) => {
    const entries = ["action", "subject"].map((name) => [name, String(form.get(name) ?? "").trim()] as const);
    setSearch(Object.fromEntries(entries.filter(([, value]) => value !== "")), { preventScrollReset: true });
  };
  return (
    <>
      <p data-audit-whole={isWhole} className={`mb-3 flex items-center gap-2 text-ui ${isWhole ? "" : "text-danger"}`}>
        <Icon name={isWhole ? "check" : "warning"} />
        {isWhole ? text("audit.whole") : text("audit.tampered", { id: first.tamperedAt ?? 0 })}
      </p>
      <form
        key={`${action} ${subject}`}
        className="mb-3 flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          filter(new FormData(event.currentTarget));
        }}
      >
        <TextField label={text("audit.action")} size={32} name="action" defaultValue={action} maxLength={40} />
        <TextField label={text("audit.subject")} size={32} name="subject" defaultValue={subject} maxLength={64} />
        <Button type="submit" size={32}>
          {text("audit.filter")}
        </Button>
      </form>
      <SectionPanel<typeof OPERATOR_CALLS.audit, Row>
        title={text("audit.title")}
        source={{
          called: OPERATOR_CALLS.audit,
          input: { ...(action === "" ? {} : { action }), ...(subject === "" ? {} : { subject }) },
          rowsOf: ({ rows }) => rows,
          nextOf: ({ nextBefore }) => (nextBefore === null ? undefined : { before: nextBefore }),
        }}
        columns={listColumns(text)}
        rowKey={({ id }) => String(id)}
        empty={text("audit.empty")}
      />
    </>
  );
}
