// One leader on the list: return and curve first, then risk, then how many follow, and the way to copy.
import type { LeaderSummary } from "@clockwork/strategies/copy/contract";
import { Avatar } from "@clockwork/ui/avatar";
import { Button } from "@clockwork/ui/button";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Badge } from "@clockwork/ui/pill";
import { Sparkline } from "@clockwork/ui/sparkline";
import type { ReactNode } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { pathOf } from "./copy-calls.ts";
import { gain, gainPercent, percent, short, toneOf } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";

export interface LeaderCardProps {
  readonly leader: LeaderSummary;
  readonly nowMs: number;
  readonly onFocus: () => void;
  readonly onCopy: () => void;
  /** Subscribes to a notice when there is capacity. */
  readonly onNotify: () => void;
}

export function LeaderCard({ leader, nowMs, onFocus, onCopy, onNotify }: LeaderCardProps) {
  const text = useCopyText();
  const { figures, nickname } = leader;
  const page = pathOf(leader.kind, `/${leader.leaderId}`);
  const days = Math.max(0, Math.floor((nowMs - leader.sinceMs) / 86_400_000));
  return (
    <article
      data-leader={leader.leaderId}
      className="flex flex-col rounded-panel border border-line bg-panel p-5 transition-shadow hover:shadow-pop"
    >
      <header className="flex items-center gap-3">
        <Avatar name={nickname} size={40} />
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold text-[15px]">
            <SiteLink to={page} className="hover:underline">
              {nickname}
            </SiteLink>
          </h2>
          <p className="flex flex-wrap gap-x-2 text-label text-muted">
            {text("level", { level: leader.level })}
            {leader.isSimulated && <span title={text("simulatedNote")}>{text("simulated")}</span>}
          </p>
        </div>
        <FocusButton leader={leader} onFocus={onFocus} />
      </header>
      <div className="mt-4 flex items-end justify-between gap-3">
        <Figure label={text("roi", { days: figures.days })}>
          <span className={`figures font-semibold text-[24px] leading-8 ${toneOf(figures.roi)}`}>
            {gainPercent(figures.roi)}
          </span>
        </Figure>
        <Figure label={text("pnl", { days: figures.days })} end>
          <span className={`figures text-ui ${toneOf(figures.pnl)}`}>{gain(figures.pnl, 0)}</span>
        </Figure>
      </div>
      <Sparkline
        values={leader.curve.map(Number)}
        label={text("curveLabel", { name: nickname, days: leader.curve.length - 1 })}
        tone={figures.roi.startsWith("-") ? "down" : "up"}
        width={290}
        height={56}
        className="mt-3 h-14 w-full"
      />
      <dl className="mt-4 grid grid-cols-3 gap-y-3 border-line border-t pt-4 text-[13px]">
        <Cell label={text("drawdownShort")}>{percent(figures.drawdown)}</Cell>
        <Cell label={text("winRate")}>{percent(figures.winRate, 1)}</Cell>
        <Cell label={text("sharpe")} end>
          {figures.sharpe?.replace("-", "−") ?? "–"}
        </Cell>
        <Cell label={text("aumShort")}>{short(leader.aum)}</Cell>
        <Cell label={text("leading")}>{days}</Cell>
        <Cell label={text("share")} end>
          {percent(leader.shareRate, 0)}
        </Cell>
      </dl>
      <footer className="mt-4 flex items-center gap-3">
        <Places leader={leader} />
        <CopyButton leader={leader} onCopy={onCopy} onNotify={onNotify} />
      </footer>
    </article>
  );
}

export function FocusButton({ leader, onFocus }: Pick<LeaderCardProps, "leader" | "onFocus">) {
  const text = useCopyText();
  const label = text(leader.isFocused ? "focusOff" : "focusOn", { name: leader.nickname });
  return (
    <Button kind="ghost" size={32} aria-label={label} aria-pressed={leader.isFocused} onPress={onFocus}>
      <Icon name="star" className={leader.isFocused ? "text-brass" : "text-muted"} />
    </Button>
  );
}

/** The current actions, each with its reason. */
export function CopyButton({
  leader,
  onCopy,
  onNotify,
  isMain = false,
}: Pick<LeaderCardProps, "leader" | "onCopy" | "onNotify"> & {
  /** The one main action of its page; on the list there are many. */
  readonly isMain?: boolean;
}) {
  const text = useCopyText();
  const isSignedIn = useGlobal((state) => state.topInfo.id != null);
  const name = leader.nickname;
  const page = pathOf(leader.kind, `/${leader.leaderId}`);
  if (leader.isOwn)
    return (
      <SiteLink to={pathOf(leader.kind, "/lead")} className={buttonClass({ kind: "neutral", size: 36 })}>
        {text("own")}
      </SiteLink>
    );
  if (leader.isFollowed)
    return (
      <SiteLink to={pathOf(leader.kind, "/mine")} className={buttonClass({ kind: "neutral", size: 36 })}>
        <Icon name="check" /> {text("copying")}
      </SiteLink>
    );
  if (leader.state !== "ACTIVE") return <Badge>{text("paused")}</Badge>;
  if (leader.followers >= leader.followersMax && isSignedIn)
    return leader.isAwaited ? (
      <Badge>{text("awaited")}</Badge>
    ) : (
      <Button size={36} aria-label={`${text("notify")}: ${name}`} onPress={onNotify}>
        {text("notify")}
      </Button>
    );
  if (leader.followers >= leader.followersMax) return <Badge>{text("full")}</Badge>;
  if (!isSignedIn)
    return (
      <SiteLink
        to={`/login?redirectUrl=${encodeURIComponent(page)}`}
        className={buttonClass({ kind: "neutral", size: 36 })}
      >
        {text(isMain ? "logIn" : "copy")}
      </SiteLink>
    );
  return (
    <Button
      kind={isMain ? "primary" : "neutral"}
      size={isMain ? 40 : 36}
      aria-label={`${text("copy")} ${name}`}
      onPress={onCopy}
    >
      {isMain ? `${text("copy")} ${name}` : text("copy")}
    </Button>
  );
}

export function Places({ leader: { followers, followersMax } }: Pick<LeaderCardProps, "leader">) {
  const text = useCopyText();
  const part = Math.min(100, (followers / Math.max(1, followersMax)) * 100);
  return (
    <div className="min-w-0 flex-1">
      <p className="flex justify-between text-label">
        <span className="text-muted">{text("followers")}</span>
        <span className="figures">
          {followers}
          <span className="text-muted">/{followersMax}</span>
        </span>
      </p>
      <div className="mt-1.5 h-[3px] rounded-full bg-line" aria-hidden="true">
        <div className="h-full rounded-full bg-accent" style={{ width: `${part}%` }} />
      </div>
    </div>
  );
}

function Figure({
  label,
  end,
  children,
}: {
  readonly label: string;
  readonly end?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={end === true ? "text-right" : ""}>
      <p className="text-label text-muted">{label}</p>
      {children}
    </div>
  );
}

function Cell({
  label,
  end,
  children,
}: {
  readonly label: string;
  readonly end?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={end === true ? "text-right" : ""}>
      <dt className="text-label text-muted">{label}</dt>
      <dd className="figures">{children}</dd>
    </div>
  );
}
