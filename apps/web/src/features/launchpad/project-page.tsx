// `/launchpad/:project`: the launch's state, its rounds, the visitor's part, the draw and the vesting of coins.
import {
  LAUNCH_CALLS,
  type LaunchDraw,
  type LaunchOwn,
  type LaunchProject,
  type LaunchRound,
} from "@clockwork/earning/launchpad/contract";
import { formatCountdown, formatMinute } from "@clockwork/kit/time";
import { Card } from "@clockwork/ui/card";
import { Countdown } from "@clockwork/ui/countdown";
import { Icon } from "@clockwork/ui/icon";
import { Badge } from "@clockwork/ui/pill";
import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { Latest } from "#live/latest.ts";
import { useCalls } from "#session/auth-context.ts";
import { PageHead } from "#shell/page-head.tsx";
import { formatShortDay } from "#words/day-text.ts";
import { useEarnText } from "#words/earn-text.ts";
import { DrawCard } from "./draw-card.tsx";
import { doneShare, formatAmount, supplyShare } from "./launch-model.ts";
import { OwnCard } from "./own-card.tsx";
import { VestingChart } from "./vesting-chart.tsx";

export interface ProjectPageProps {
  readonly project: LaunchProject;
  readonly own: LaunchOwn | null;
  readonly draws: readonly LaunchDraw[];
  readonly nowMs: number;
}

const POLL_MS = 3_000;

/** The visitor's part, requested again while the page is visible: a place in the queue moves. */
function useOwn({ project, own: served }: ProjectPageProps) {
  const calls = useCalls();
  const [own, setOwn] = useState(served);
  const [latest] = useState(() => new Latest());
  const isSignedIn = served !== null;
  useEffect(() => {
    if (!isSignedIn) return;
    const ask = async () => {
      if (document.visibilityState !== "visible") return;
      const answer = await latest.ask(async () => (await calls()).call(LAUNCH_CALLS.status, { id: project.projectId }));
      if (answer?.ok === true) setOwn(answer.data);
    };
    const timer = setInterval(() => void ask(), POLL_MS);
    return () => clearInterval(timer);
  }, [calls, latest, isSignedIn, project.projectId]);
  /** The answer to an action overrides earlier requests. */
  const take = (next: LaunchOwn) => {
    latest.drop();
    setOwn(next);
  };
  return { own, setOwn: take };
}

/** The current launch; once a round has changed, the page is read again with its draws. */
function useProject({ project: served }: ProjectPageProps, onStep: () => void): LaunchProject {
  const calls = useCalls();
  const [project, setProject] = useState(served);
  const states = served.rounds.map(({ state }) => state).join();
  useEffect(() => setProject(served), [served]);
  useEffect(() => {
    if (OVER.has(served.state)) return;
    const ask = async () => {
      if (document.visibilityState !== "visible") return;
      const answer = await (await calls()).call(LAUNCH_CALLS.project, { id: served.projectId });
      if (!answer.ok) return;
      setProject(answer.data);
      if (answer.data.rounds.map(({ state }) => state).join() !== states) onStep();
    };
    const timer = setInterval(() => void ask(), POLL_MS);
    return () => clearInterval(timer);
  }, [calls, served.projectId, served.state, states, onStep]);
  return project;
}

export function ProjectPage(props: ProjectPageProps) {
  const text = useEarnText();
  const { nowMs } = props;
  const { revalidate } = useRevalidator();
  const project = useProject(props, revalidate);
  const { own, setOwn } = useOwn(props);
  const current = project.rounds.find(({ state }) => state !== "DISTRIBUTED") ?? project.rounds[0];
  return (
    <main id="content" className="mx-auto w-full min-w-0 max-w-[1232px] flex-1 px-4 py-7">
      <PageHead title={project.name} description={project.summary} />
      <nav aria-label={text("launch.title")} className="mb-3 text-label text-muted">
        <SiteLink to="/earn">{text("title")}</SiteLink> › <SiteLink to="/launchpad">{text("launch.title")}</SiteLink> ›{" "}
        {project.name}
      </nav>
      <header className="mb-5">
        <h1 className="flex flex-wrap items-center gap-3 text-section">
          {project.name} <Badge tone="outline">{project.asset}</Badge>
          <Badge tone={project.state === "CANCELLED" ? "warn" : "accent"}>
            {project.rounds.length < 2 || current === undefined || OVER.has(project.state)
              ? text(`launch.state.${project.state}`)
              : text("launch.roundOf", {
                  number: current.number,
                  rounds: project.rounds.length,
                  state: text(`launch.state.${project.state}`),
                })}
          </Badge>
          {project.isSimulated ? <Badge tone="outline">{text("simulated")}</Badge> : null}
        </h1>
        <p className="mt-1 text-muted text-ui">{project.summary}</p>
      </header>
      {current === undefined ? null : <Rail project={project} round={current} />}
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_380px]">
        <div className="grid min-w-0 gap-4">
          <RoundsCard project={project} nowMs={nowMs} />
          {props.draws.map((draw) => (
            <DrawCard key={draw.roundId} draw={draw} own={own} isOver={OVER.has(project.state)} />
          ))}
        </div>
        <div className="grid gap-4">
          <OwnCard project={project} own={own} setOwn={setOwn} />
          <Card title={text("launch.vesting")}>
            <VestingChart project={project} nowMs={nowMs} />
          </Card>
        </div>
      </div>
    </main>
  );
}

/** No draw follows any more. */
const OVER: ReadonlySet<string> = new Set(["DISTRIBUTED", "CANCELLED"]);
const ORDER = ["UPCOMING", "PREHEAT", "SUBSCRIBE", "CALCULATING", "PAY", "DISTRIBUTED"] as const;

function Rail({ project, round }: { readonly project: LaunchProject; readonly round: LaunchRound }) {
  const text = useEarnText();
  const at = project.state === "CANCELLED" ? -1 : ORDER.indexOf(project.state);
  // Once coins are given out nothing is left to wait for.
  const isDone = (index: number): boolean => index < at || project.state === "DISTRIBUTED";
  const steps: readonly (readonly [string, string])[] = [
    [text("launch.rail.announced"), formatShortDay(project.announcedAtMs)],
    [text("launch.rail.snapshots"), formatShortDay(round.preheatAtMs)],
    [text("launch.rail.tickets"), describeMinute(round.opensAtMs)],
    [text("launch.rail.draw"), describeMinute(round.drawAtMs)],
    [text("launch.rail.pay"), describeMinute(round.payUntilMs)],
    [text("launch.rail.tokens"), describeMinute(project.listingAtMs)],
  ];
  return (
    <ol className="grid grid-cols-2 gap-y-4 rounded-xl border border-line p-4 sm:grid-cols-3 lg:grid-cols-6">
      {steps.map(([title, date], index) => (
        <li key={title} aria-current={index === at && !isDone(index) ? "step" : undefined}>
          <span aria-hidden="true" className="mb-2 flex items-center">
            <RailDot state={isDone(index) ? "done" : index === at ? "now" : "later"} />
            <span className={`h-0.5 flex-1 ${index === steps.length - 1 ? "" : index < at ? "bg-text" : "bg-line2"}`} />
          </span>
          <span className={`block text-ui ${index === at && !isDone(index) ? "text-accent" : ""}`}>{title}</span>
          <span className="figures text-label text-muted">{date}</span>
        </li>
      ))}
    </ol>
  );
}

const DOTS = {
  done: "bg-text text-bg",
  now: "border-2 border-accent",
  later: "border border-line2",
} as const;

function RailDot({ state }: { readonly state: keyof typeof DOTS }) {
  return (
    <span className={`flex size-5 shrink-0 items-center justify-center rounded-full ${DOTS[state]}`}>
      {state === "done" ? <Icon name="check" size={12} /> : null}
      {state === "now" ? <span className="size-2 rounded-full bg-accent" /> : null}
    </span>
  );
}

/** 15 Nov 12:00 */
const describeMinute = (timeMs: number): string => `${formatShortDay(timeMs)} ${formatMinute(timeMs).slice(-5)}`;

const describeListing = ({ listingAtMs, asset }: LaunchProject): string =>
  `${formatMinute(listingAtMs).slice(-5)} UTC, ${asset}/USDT`;

function RoundsCard({ project, nowMs }: { readonly project: LaunchProject; readonly nowMs: number }) {
  const text = useEarnText();
  const supply = formatAmount(project.supply, { decimals: 0 });
  const facts: readonly (readonly [label: string, value: string, under: string])[] = [
    [text("launch.forSale"), formatAmount(project.forSale, { decimals: 0 }), project.asset],
    [text("launch.raise"), formatAmount(project.raiseMost, { decimals: 0 }), "USDT"],
    [text("launch.share"), supplyShare(project), text("launch.ofSupply", { supply })],
    [text("launch.listing"), formatShortDay(project.listingAtMs), describeListing(project)],
  ];
  return (
    <Card
      title={text("launch.rounds")}
      aside={<span className="figures text-label text-muted">{`${text("launch.price")} ${project.price} USDT`}</span>}
    >
      <ul className="grid gap-3 md:grid-cols-3">
        {project.rounds.map((round) => (
          <RoundBox key={round.roundId} round={round} project={project} nowMs={nowMs} />
        ))}
      </ul>
      <dl className="mt-4 grid grid-cols-2 rounded-lg border border-line bg-surface sm:grid-cols-4 sm:divide-x sm:divide-line">
        {facts.map(([label, value, under]) => (
          <div key={label} className="px-4 py-3">
            <dt className="text-label text-muted">{label}</dt>
            <dd className="figures text-card">{value}</dd>
            <dd className="figures text-label text-muted">{under}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** What a round waits for, and when that is. */
function nextOf(round: LaunchRound) {
  switch (round.state) {
    case "UPCOMING":
    case "PREHEAT":
      return { label: "launch.opens", atMs: round.opensAtMs } as const;
    case "SUBSCRIBE":
      return { label: "launch.closes", atMs: round.closesAtMs } as const;
    case "CALCULATING":
      // Drawn at once, there is nothing to wait for.
      return round.drawAtMs === round.closesAtMs
        ? undefined
        : ({ label: "launch.drawAt", atMs: round.drawAtMs } as const);
    case "PAY":
      return { label: "launch.payUntil", atMs: round.payUntilMs } as const;
    default:
      return undefined;
  }
}

function RoundBox({
  round,
  project,
  nowMs,
}: {
  readonly round: LaunchRound;
  readonly project: LaunchProject;
  readonly nowMs: number;
}) {
  const text = useEarnText();
  const isOpen = round.state === "SUBSCRIBE";
  const soon = nextOf(round);
  const rows: readonly (readonly [string, string])[] =
    round.kind === "lottery"
      ? [
          [text("launch.tickets"), formatAmount(String(round.tickets), { decimals: 0 })],
          [text("launch.winning"), formatAmount(String(round.winners), { decimals: 0 })],
          [text("launch.paid"), formatAmount(String(round.paid), { decimals: 0 })],
        ]
      : round.kind === "subscription"
        ? [
            [text("launch.committed"), `${formatAmount(round.committed)} USDT`],
            [text("launch.cap"), `${formatAmount(round.cap ?? "0", { decimals: 0 })} ${project.asset}`],
          ]
        : [
            [text("launch.left"), `${formatAmount(round.left ?? "0", { decimals: 0 })} ${project.asset}`],
            [text("launch.paid"), String(round.paid)],
          ];
  return (
    <li className={`rounded-lg border p-3 ${isOpen || round.state === "PAY" ? "border-text" : "border-line"}`}>
      <p className="flex justify-between gap-2 text-ui">
        <span className="font-medium">{`${round.number}. ${text(`launch.${round.kind}`)}`}</span>
        <span className={`text-label ${isOpen || round.state === "PAY" ? "text-accent" : "text-muted"}`}>
          {text(`launch.state.${round.state}`)}
        </span>
      </p>
      <p className="text-label text-muted">
        {text(`launch.${round.kind}.note`, { lot: formatAmount(round.lot, { decimals: 0 }), coin: project.asset })}
      </p>
      <p className="figures my-2 text-card">{`${formatAmount(round.stock, { decimals: 0 })} ${project.asset}`}</p>
      <dl className="grid gap-1 text-label">
        {rows.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-2">
            <dt className="text-muted">{label}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
        {soon === undefined ? null : (
          <div className="flex justify-between gap-2">
            <dt className="text-muted">{text(soon.label)}</dt>
            <dd className="figures">
              <Countdown key={soon.atMs} untilMs={soon.atMs} nowMs={nowMs} format={formatCountdown} />
            </dd>
          </div>
        )}
      </dl>
      <span aria-hidden="true" className="mt-3 block h-1 overflow-hidden rounded-full bg-line">
        <span className="block h-full bg-text" style={{ width: `${doneShare(round, project)}%` }} />
      </span>
    </li>
  );
}
