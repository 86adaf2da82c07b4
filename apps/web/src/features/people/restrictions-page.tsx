// `/operator/restrictions`: what is restricted for which users, the newest first; the part is in the address.
import { formatDateTime } from "@clockwork/kit/time";
import {
  RESTRICTION_CALLS,
  RESTRICTION_PARTS,
  type Restriction,
  type Restrictions,
} from "@clockwork/trading/restrictions/contract";
import type { Column } from "@clockwork/ui/table";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { SectionPanel } from "#console/section-panel.tsx";
import { LateSelect } from "#shell/late-fields.tsx";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";

export function RestrictionsPage({ me, proof }: { readonly me: ConsoleOperator; readonly proof: ReactNode }) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("restrict.title")} lead={text("restrict.lead")} proof={proof}>
      <List />
    </ConsoleFrame>
  );
}

function List() {
  const text = useConsoleText();
  const [search, setSearch] = useSearchParams();
  const part = RESTRICTION_PARTS.find((one) => one === search.get("part"));
  return (
    <SectionPanel<typeof RESTRICTION_CALLS.list, Restriction>
      title={text("restrict.all")}
      aside={
        <div className="w-40">
          <LateSelect
            label={text("restrict.partLabel")}
            labelHidden
            size={32}
            value={part ?? "all"}
            onChange={(one) => setSearch(one === "all" ? {} : { part: one }, { preventScrollReset: true })}
            options={[
              { id: "all", title: text("restrict.anyPart") },
              ...RESTRICTION_PARTS.map((id) => ({ id, title: text(`restrict.part.${id}`) })),
            ]}
          />
        </div>
      }
      source={{
        called: RESTRICTION_CALLS.list,
        input: part === undefined ? {} : { part },
        rowsOf: ({ restrictions }: Restrictions) => restrictions,
        nextOf: ({ nextBefore }) => (nextBefore === null ? undefined : { before: nextBefore }),
      }}
      columns={columnsOf(text)}
      rowKey={({ user, part: one }) => `${user} ${one}`}
      empty={text("restrict.none")}
    />
  );
}

function columnsOf(text: ConsoleText): readonly Column<Restriction>[] {
  return [
    {
      id: "user",
      title: text("users.id"),
      read: ({ user }) => user,
      render: ({ user }) => (
        <SiteLink to={`/operator/users/${user}`} className="figures font-medium hover:underline">
          {user}
        </SiteLink>
      ),
    },
    {
      id: "part",
      title: text("restrict.partLabel"),
      read: ({ part }) => part,
      render: ({ part }) => text(`restrict.part.${part}`),
    },
    { id: "reason", title: text("person.reason"), className: "[overflow-wrap:anywhere]", read: ({ reason }) => reason },
    { id: "by", title: text("audit.operator"), read: ({ by }) => by },
    {
      id: "time",
      title: text("audit.time"),
      kind: "time",
      className: "whitespace-nowrap text-muted",
      read: ({ setAtMs }) => formatDateTime(setAtMs),
    },
  ];
}
