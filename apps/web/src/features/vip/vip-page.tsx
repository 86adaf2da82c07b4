// `/vip`: the user's level, what is missing to the next one, its cost and savings, and all levels. A visitor sees only
// the levels.
import type { VipMeasure, VipStanding, VipTier } from "@clockwork/growth/vip/contract";
import { formatDecimal } from "@clockwork/kit/format";
import { formatDuration } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import type { IconName } from "@clockwork/ui/logic/icon-paths";
import { Badge } from "@clockwork/ui/pill";
import { useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { AccountFrame } from "#shell/account-frame.tsx";
import { ComponentLocale } from "#shell/component-locale.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { formatDay, formatShortDay } from "#words/day-text.ts";
import { type ProgrammeText, useProgrammeText } from "#words/programme-text.ts";
import { LevelGauge } from "./level-dial.tsx";
import { LevelTable } from "./level-table.tsx";

const HistoryDialog = latePart(async () => (await import("./history-dialog.tsx")).HistoryDialog);

const money = (amount: string): string => formatDecimal(amount, { grouped: true });
const whole = (amount: string): string => formatDecimal(amount, { grouped: true, decimals: 0 });

export interface VipPageProps {
  readonly standing: VipStanding | null;
  readonly levels: readonly VipTier[];
  readonly isSignedIn: boolean;
}

export function VipPage({ standing, levels, isSignedIn }: VipPageProps) {
  const text = useProgrammeText();
  const [isOpen, setOpen] = useState(false);
  if (!isSignedIn) return <PublicLevels levels={levels} />;
  if (standing === null) {
    return (
      <AccountFrame title={text("vip.title")}>
        <FailedLine />
      </AccountFrame>
    );
  }
  const left = formatDuration(Math.max(0, standing.nextCountMs - standing.timeMs));
  return (
    <AccountFrame
      title={text("vip.title")}
      lead={`${text("vip.lead")} ${text("vip.next", { time: left })}`}
      aside={
        <Button size={40} icon="clock" onPress={() => setOpen(true)}>
          {text("vip.history")}
        </Button>
      }
    >
      <Notes standing={standing} />
      <div className="mb-4 grid grid-cols-[minmax(0,1fr)] items-stretch gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(320px,1fr)]">
        <ProgressCard standing={standing} />
        <FeesCard standing={standing} />
      </div>
      <LevelTable levels={standing.levels} held={standing.level} />
      <Benefits />
      {isOpen && <HistoryDialog onClose={() => setOpen(false)} />}
    </AccountFrame>
  );
}

/** What every visitor may read. */
function PublicLevels({ levels }: { readonly levels: readonly VipTier[] }) {
  const text = useProgrammeText();
  return (
    <ComponentLocale>
      <PageHead title={text("vip.title")} description={text("vip.description")} />
      <main id="content" className="mx-auto flex w-full max-w-[1200px] flex-1 flex-col px-8 py-7 max-md:px-4">
        <header className="mb-5 flex flex-wrap items-center justify-between gap-4">
          <div>
            <h1 className="text-app text-text">{text("vip.title")}</h1>
            <p className="mt-1 text-muted text-ui">{text("vip.lead")}</p>
          </div>
          <div className="flex flex-wrap items-center gap-3 text-muted text-ui">
            {text("vip.signIn")}
            <SiteLink to="/login?redirectUrl=%2Fvip" className={buttonClass({ kind: "neutral", size: 40 })}>
              {text("vip.logIn")}
            </SiteLink>
          </div>
        </header>
        <LevelTable levels={levels} held={undefined} />
        <Benefits />
      </main>
    </ComponentLocale>
  );
}

/** A temporary level, or one about to fall. */
function Notes({ standing }: { readonly standing: VipStanding }) {
  const text = useProgrammeText();
  const { trial, falling } = standing;
  return (
    <>
      {trial !== null && (
        <Note look="bg-info-soft text-text">
          {text("vip.trial", { level: trial.level, date: formatDay(trial.untilMs) })}
        </Note>
      )}
      {falling !== null && (
        <Note look="bg-warn-soft text-warn">
          {text("vip.falling", { level: falling.toLevel, date: formatDay(falling.atMs) })}
        </Note>
      )}
    </>
  );
}

function Note({ look, children }: { readonly look: string; readonly children: string }) {
  return (
    <p className={`mb-4 flex items-start gap-2 rounded-control px-4 py-3 text-ui ${look}`}>
      <Icon name="info" className="mt-0.5 shrink-0" />
      {children}
    </p>
  );
}

function ProgressCard({ standing }: { readonly standing: VipStanding }) {
  const text = useProgrammeText();
  const { level, nextLevel, measures, windowToMs, levels } = standing;
  return (
    <Card className="flex gap-8 max-md:flex-col">
      <LevelGauge level={level} max={levels.length - 1} />
      <div className="min-w-0 flex-1">
        <header className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 className="text-card text-text">
            {nextLevel === null ? text("vip.top") : text("vip.toward", { level: nextLevel })}
          </h2>
          <span className="text-label text-muted">{text("vip.window", { date: formatShortDay(windowToMs) })}</span>
        </header>
        <ul className="divide-y divide-line">
          {measures.map((one) => (
            <MeasureRow key={one.measure} measure={one} level={level} nextLevel={nextLevel} />
          ))}
        </ul>
      </div>
    </Card>
  );
}

interface MeasureRowProps {
  readonly measure: VipMeasure;
  readonly level: number;
  readonly nextLevel: number | null;
}

/** The progress, with a brass mark where the current level starts. */
function MeasureRow({ measure, level, nextLevel }: MeasureRowProps) {
  const text = useProgrammeText();
  const { usdt, heldUsdt, nextUsdt, reachedLevel, progress } = measure;
  const name = text(`vip.measure.${measure.measure}`);
  const share = `${(Math.floor(progress / 10) / 10).toFixed(1)}%`;
  const mark = heldUsdt === null || nextUsdt === null ? undefined : (Number(heldUsdt) / Number(nextUsdt)) * 100;
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-ui">
        <span className="flex items-center gap-2">
          {name}
          {reachedLevel > 0 && <Badge>{text("vip.reached", { level: reachedLevel })}</Badge>}
        </span>
        <span className="figures font-medium">
          {money(usdt)}{" "}
          {nextUsdt !== null && (
            <span className="font-normal text-muted">{text("vip.ofBar", { amount: whole(nextUsdt) })}</span>
          )}
        </span>
      </p>
      <div
        role="progressbar"
        aria-label={nextLevel === null ? name : text("vip.progress", { measure: name, share, level: nextLevel })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(progress / 100)}
        className="relative my-1.5 h-1.5 rounded-full bg-active"
      >
        <span
          className={`block h-full rounded-full bg-text ${progress > 0 ? "min-w-1" : ""}`}
          style={{ width: `${progress / 100}%` }}
        />
        {mark !== undefined && (
          <span className="absolute -top-1 h-3.5 w-0.5 bg-brass" style={{ left: `${mark}%` }} aria-hidden="true" />
        )}
      </div>
      <p className="figures flex justify-between text-label text-muted">
        <span>{heldUsdt === null ? "" : text("vip.heldAt", { level, amount: whole(heldUsdt) })}</span>
        <span>{share}</span>
      </p>
    </li>
  );
}

function FeesCard({ standing }: { readonly standing: VipStanding }) {
  const text = useProgrammeText();
  const { rates, level, nextLevel, withdrawalFactor } = standing;
  const rows: readonly (readonly [string, string])[] = [
    [text("vip.spot"), `${rates.spotMaker}% / ${rates.spotTaker}%`],
    [text("vip.futures"), `${rates.futuresMaker}% / ${rates.futuresTaker}%`],
    [text("vip.limit"), text("vip.timesFrom", { factor: withdrawalFactor })],
  ];
  return (
    <Card title={text("vip.fees")} aside={<span className="text-label text-muted">{text("vip.makerTaker")}</span>}>
      <dl className="divide-y divide-line">
        {rows.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4 py-2 text-ui first:pt-0">
            <dt className="text-muted">{name}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
      <Paid paid={standing.paid} level={level} nextLevel={nextLevel} text={text} />
    </Card>
  );
}

interface PaidProps {
  readonly paid: VipStanding["paid"];
  readonly level: number;
  readonly nextLevel: number | null;
  readonly text: ProgrammeText;
}

function Paid({ paid, level, nextLevel, text }: PaidProps) {
  return (
    <dl className="mt-4 rounded-control bg-surface px-4 py-3 text-[13px] dark:bg-active">
      <Line name={text("vip.paid")} value={`${money(paid.paidUsdt)} USDT`} isStrong />
      <Line name={text("vip.asBase")} value={money(paid.asBaseUsdt)} />
      {nextLevel !== null && paid.asNextUsdt !== null && (
        <Line name={text("vip.asNext", { level: nextLevel })} value={money(paid.asNextUsdt)} />
      )}
      {level > 0 && (
        <div className="mt-2 border-line border-t pt-2">
          <Line name={text("vip.saved", { level })} value={`${money(paid.savedUsdt)} USDT`} isStrong />
        </div>
      )}
    </dl>
  );
}

function Line({ name, value, isStrong }: { readonly name: string; readonly value: string; readonly isStrong?: true }) {
  return (
    <div className="flex justify-between gap-4 py-0.5">
      <dt className="text-muted">{name}</dt>
      <dd className={`figures ${isStrong === true ? "font-semibold" : ""}`}>{value}</dd>
    </div>
  );
}

const BENEFITS: readonly (readonly [IconName, "contact" | "calls" | "late" | "coupons"])[] = [
  ["users", "contact"],
  ["terminal", "calls"],
  ["clock", "late"],
  ["percent", "coupons"],
];

function Benefits() {
  const text = useProgrammeText();
  return (
    <ul className="mt-4 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {BENEFITS.map(([icon, name]) => (
        <li key={name} className="rounded-card border border-line bg-bg p-5 dark:bg-surface">
          <h2 className="mb-1 flex items-center gap-2 font-semibold text-ui">
            <Icon name={icon} />
            {text(`vip.${name}`)}
          </h2>
          <p className="text-[13px] text-muted">{text(`vip.${name}.note`)}</p>
        </li>
      ))}
    </ul>
  );
}
