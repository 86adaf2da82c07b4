// `/operator/users`: users, the newest first, by filters that are in the address. Names are masked; the search finds one.
import { COUNTRIES } from "@clockwork/kit/countries";
import { formatDateTime } from "@clockwork/kit/time";
import { PEOPLE_CALLS, type People, type PersonRow } from "@clockwork/site/people/contract";
import { Badge } from "@clockwork/ui/pill";
import type { Column } from "@clockwork/ui/table";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { SectionPanel } from "#console/section-panel.tsx";
import { LateSearchSelect, LateSelect } from "#shell/late-fields.tsx";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";

export function PeoplePage({ me, proof }: { readonly me: ConsoleOperator; readonly proof: ReactNode }) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("nav.users")} lead={text("users.lead")} proof={proof}>
      <List />
    </ConsoleFrame>
  );
}

const COUNTRY_OPTIONS = COUNTRIES.map(({ code, name }) => ({ id: code, title: name }));

function List() {
  const text = useConsoleText();
  const [search, setSearch] = useSearchParams();
  const status = (["active", "frozen"] as const).find((one) => one === search.get("status"));
  const country = /^[A-Z]{2}$/.exec(search.get("country") ?? "")?.[0];
  const filter = (name: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(name);
    else next.set(name, value);
    setSearch(next, { preventScrollReset: true });
  };
  return (
    <SectionPanel<typeof PEOPLE_CALLS.list, PersonRow>
      title={text("users.newest")}
      aside={
        <>
          <div className="w-36">
            <LateSelect
              label={text("users.status")}
              labelHidden
              size={32}
              value={status ?? "all"}
              onChange={(one) => filter("status", one === "all" ? "" : one)}
              options={["all", "active", "frozen"].map((id) => ({
                id,
                title: text(`users.state.${id as "all" | "active" | "frozen"}`),
              }))}
            />
          </div>
          <div className="w-44 max-sm:hidden">
            <LateSearchSelect
              label={text("users.country")}
              labelHidden
              placeholder={text("users.anyCountry")}
              size={32}
              options={[{ id: "", title: text("users.anyCountry") }, ...COUNTRY_OPTIONS]}
              value={country ?? ""}
              onChange={(one) => filter("country", one)}
            />
          </div>
        </>
      }
      source={{
        called: PEOPLE_CALLS.list,
        input: { ...(status === undefined ? {} : { status }), ...(country === undefined ? {} : { country }) },
        rowsOf: ({ people }: People) => people,
        nextOf: ({ nextBefore }) => (nextBefore === null ? undefined : { before: nextBefore }),
      }}
      columns={columnsOf(text)}
      rowKey={({ user }) => user}
      empty={text("users.none")}
    />
  );
}

function columnsOf(text: ConsoleText): readonly Column<PersonRow>[] {
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
    { id: "name", title: text("users.name"), read: ({ nickname }) => nickname },
    { id: "contact", title: text("users.contact"), className: "text-muted", read: ({ contact }) => contact },
    { id: "country", title: text("users.country"), read: ({ country }) => country },
    {
      id: "status",
      title: text("users.status"),
      read: ({ status }) => status,
      render: ({ status, role }) => (
        <span className="flex gap-1">
          <Badge tone={status === "frozen" ? "danger" : "neutral"}>
            {text(status === "frozen" ? "users.state.frozen" : "users.state.active")}
          </Badge>
          {role === "operator" && <Badge tone="info">{text("person.operator")}</Badge>}
        </span>
      ),
    },
    {
      id: "since",
      title: text("users.since"),
      kind: "time",
      className: "whitespace-nowrap text-muted",
      read: ({ createdAtMs }) => formatDateTime(createdAtMs),
    },
  ];
}
