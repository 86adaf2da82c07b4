// `/copy` and `/copy/spot`: leaders ranked by the ledger's figures, with filters, and the button to copy one.
import {
  COPY_CALLS,
  type CopyKind,
  LEADER_SORTS,
  type LeaderPage,
  type LeaderSort,
  type LeaderSummary,
  type LeadersQuery,
  WINDOW_TEXTS,
} from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Segmented } from "@clockwork/ui/segmented";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { ComponentLocale } from "#shell/component-locale.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { pathOf, useCopyAct, useFresh } from "./copy-calls.ts";
import { short, sumOf } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";
import { LeaderCard } from "./leader-card.tsx";
import { Risk } from "./risk.tsx";

const FollowDialog = latePart(async () => (await import("./follow-dialog.tsx")).FollowDialog);

export interface LeadersPageProps {
  readonly kind: CopyKind;
  readonly first: LeaderPage | null;
  readonly nowMs: number;
}

interface Filters {
  readonly window: (typeof WINDOW_TEXTS)[number];
  readonly sort: LeaderSort;
  readonly drawdown: string;
  readonly history: string;
  readonly open: boolean;
  readonly focused: boolean;
  readonly search: string;
}

const FIRST: Filters = {
  window: "30",
  sort: "roi",
  drawdown: "any",
  history: "any",
  open: false,
  focused: false,
  search: "",
};
export const LEADERS_SHOWN = 48;
const PAGES_MAX = 10;

export function leadersQuery(filters: Filters = FIRST, pages = 1): LeadersQuery {
  return {
    window: filters.window,
    sort: filters.sort,
    limit: LEADERS_SHOWN * pages,
    ...(filters.drawdown === "any" ? {} : { maxDrawdown: filters.drawdown }),
    ...(filters.history === "any" ? {} : { minDays: Number(filters.history) }),
    ...(filters.open ? { open: true } : {}),
    ...(filters.focused ? { focused: true } : {}),
    ...(filters.search === "" ? {} : { search: filters.search }),
  };
}

export function LeadersPage({ kind, first, nowMs }: LeadersPageProps) {
  const text = useCopyText();
  const [filters, setFilters] = useState(FIRST);
  const [pages, setPages] = useState(1);
  const { data, refresh } = useFresh(COPY_CALLS[kind].leaders, leadersQuery(filters, pages), first);
  const [copying, setCopying] = useState<LeaderSummary>();
  const { act } = useCopyAct();
  const change = (more: Partial<Filters>) => setFilters({ ...filters, ...more });
  const focus = async ({ leaderId, isFocused }: LeaderSummary) => {
    await act(COPY_CALLS[kind].focus, { leaderId, isOn: !isFocused });
    await refresh();
  };
  const notify = async ({ leaderId }: LeaderSummary) => {
    await act(COPY_CALLS[kind].focus, { leaderId, isOn: true, tellPlace: true });
    await refresh();
  };
  return (
    <ComponentLocale>
      <main id="content" className="mx-auto w-full min-w-0 max-w-[1680px] flex-1 px-4 py-7 lg:px-8">
        <PageHead title={text(kind === "spot" ? "spotTitle" : "title")} />
        <Head kind={kind} />
        {data !== null && (data.total > 0 || filters !== FIRST) && <Sums leaders={data.leaders} total={data.total} />}
        <Tabs kind={kind} />
        <Filter filters={filters} shown={data} onChange={change} />
        {data === null && <p className="py-10 text-center text-muted">{text("failed")}</p>}
        {data !== null && data.leaders.length === 0 && (
          <p className="py-10 text-center text-muted">{text(filters === FIRST ? "empty" : "none")}</p>
        )}
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
          {(data?.leaders ?? []).map((leader) => (
            <LeaderCard
              key={leader.leaderId}
              leader={leader}
              nowMs={nowMs}
              onFocus={() => void focus(leader)}
              onCopy={() => setCopying(leader)}
              onNotify={() => void notify(leader)}
            />
          ))}
        </div>
        {data !== null && data.leaders.length < data.total && pages < PAGES_MAX && (
          <p className="mt-5 text-center">
            <Button size={40} onPress={() => setPages(pages + 1)}>
              {text("showMore")}
            </Button>
          </p>
        )}
        <Risk />
        {copying !== undefined && (
          <FollowDialog
            kind={kind}
            leader={copying}
            onClose={() => setCopying(undefined)}
            onDone={() => {
              setCopying(undefined);
              void refresh();
            }}
          />
        )}
      </main>
    </ComponentLocale>
  );
}

function Head({ kind }: { readonly kind: CopyKind }) {
  const text = useCopyText();
  const isSignedIn = useGlobal((state) => state.topInfo.id != null);
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-3">
      <div>
        <h1 className="text-section">{text(kind === "spot" ? "spotTitle" : "title")}</h1>
        <p className="mt-1 text-muted text-ui">{text("lead")}</p>
      </div>
      {isSignedIn && (
        <div className="flex gap-2">
          <SiteLink to={pathOf(kind, "/mine")} className={buttonClass({ kind: "neutral", size: 40 })}>
            {text("mine")}
          </SiteLink>
          <SiteLink to={pathOf(kind, "/lead")} className={buttonClass({ kind: "neutral", size: 40 })}>
            {text("become")}
          </SiteLink>
        </div>
      )}
    </header>
  );
}

/** Of the leaders shown: how many there are, how many follow and with how much. */
function Sums({ leaders, total }: { readonly leaders: readonly LeaderSummary[]; readonly total: number }) {
  const text = useCopyText();
  const followers = leaders.reduce((sum, one) => sum + one.followers, 0);
  const assets = sumOf(leaders.map(({ aum }) => aum));
  const winning = leaders.filter(({ figures }) => Number(figures.roi) > 0).length;
  const figure = (label: string, value: string) => (
    <div>
      <dt className="text-label text-muted">{label}</dt>
      <dd className="figures font-semibold text-[18px]">{value}</dd>
    </div>
  );
  return (
    <dl className="mb-5 flex flex-wrap gap-x-10 gap-y-3 rounded-panel border border-line px-5 py-4">
      {figure(text("sum.leaders"), String(total))}
      {figure(text("followers"), String(followers))}
      {figure(text("sum.assets"), short(assets))}
      {figure(text("sum.winning"), `${winning} / ${leaders.length}`)}
    </dl>
  );
}

function Tabs({ kind }: { readonly kind: CopyKind }) {
  const text = useCopyText();
  const tab = (of: CopyKind, title: string) => (
    <SiteLink
      to={pathOf(of)}
      aria-current={of === kind ? "page" : undefined}
      className={`border-b-2 pb-2.5 text-ui ${of === kind ? "border-accent font-medium" : "border-transparent text-muted"}`}
    >
      {title}
    </SiteLink>
  );
  return (
    <nav aria-label={text("title")} className="mb-4 flex gap-6 border-line border-b">
      {tab("futures", text("futuresLeaders"))}
      {tab("spot", text("spotLeaders"))}
    </nav>
  );
}

interface FilterProps {
  readonly filters: Filters;
  readonly shown: LeaderPage | null;
  readonly onChange: (more: Partial<Filters>) => void;
}

function Filter({ filters, shown, onChange }: FilterProps) {
  const text = useCopyText();
  const isSignedIn = useGlobal((state) => state.topInfo.id != null);
  const drawdowns = [
    { id: "any", title: text("drawdown.any") },
    { id: "0.1", title: text("drawdown.10") },
    { id: "0.2", title: text("drawdown.20") },
  ];
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2.5">
      <Segmented
        label={text("window")}
        segments={WINDOW_TEXTS.map((days) => ({ id: days, title: text("days", { days }) }))}
        value={filters.window}
        onChange={(window) => onChange({ window: window as Filters["window"] })}
      />
      <LateSelect
        label={text("sort")}
        labelHidden
        size={32}
        options={LEADER_SORTS.map((id) => ({ id, title: text(`sort.${id}`) }))}
        value={filters.sort}
        onChange={(sort) => onChange({ sort: sort as Filters["sort"] })}
        className="w-44"
      />
      <LateSelect
        label={text("drawdownFilter")}
        labelHidden
        size={32}
        options={drawdowns}
        value={filters.drawdown}
        onChange={(drawdown) => onChange({ drawdown })}
        className="w-40"
      />
      <LateSelect
        label={text("historyFilter")}
        labelHidden
        size={32}
        options={(["any", "30", "90"] as const).map((id) => ({ id, title: text(`history.${id}`) }))}
        value={filters.history}
        onChange={(history) => onChange({ history })}
        className="w-44"
      />
      <Checkbox isSelected={filters.open} onChange={(open) => onChange({ open })}>
        {text("hasPlaces")}
      </Checkbox>
      {isSignedIn && (
        <Checkbox isSelected={filters.focused} onChange={(focused) => onChange({ focused })}>
          {text("focusList")}
        </Checkbox>
      )}
      <span className="flex-1" />
      {shown !== null && (
        <span className="text-[13px] text-muted">
          {text("shown", { count: shown.leaders.length, total: shown.total })}
        </span>
      )}
      <TextField
        label={text("find")}
        labelHidden
        size={32}
        icon="search"
        placeholder={text("find")}
        value={filters.search}
        onChange={(search) => onChange({ search: search.slice(0, 40) })}
        className="w-52 max-sm:w-full"
      />
    </div>
  );
}
