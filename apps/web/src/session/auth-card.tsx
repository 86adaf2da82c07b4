// One step on one centred card: where in the flow it is, its title, its content, and other ways below a line. Contains
// no call and no rule.
import { Icon } from "@clockwork/ui/icon";
import type { IconName } from "@clockwork/ui/logic/icon-paths";
import type { ReactNode } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useAuthText } from "#words/auth-text.ts";

export interface AuthCardProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Right of the title. */
  readonly aside?: ReactNode;
  readonly step?: { readonly at: number; readonly of: number };
  /** Shown as a way back above the progress. */
  readonly onBack?: (() => void) | undefined;
  readonly children: ReactNode;
  /** Other ways, below a line. */
  readonly ways?: ReactNode;
}

export function AuthCard({ title, lead, aside, step, onBack, children, ways }: AuthCardProps) {
  const text = useAuthText();
  return (
    <section
      aria-labelledby="auth-title"
      className="relative w-full max-w-[440px] overflow-hidden rounded-panel border-line bg-bg sm:border sm:shadow-[0_8px_24px_rgb(20_23_28/0.06)] dark:bg-surface max-sm:dark:bg-bg"
    >
      <div className="px-1 py-6 sm:px-10 sm:py-8">
        {onBack !== undefined && (
          <button
            type="button"
            onClick={onBack}
            className="-ml-1 mb-4 flex h-6 items-center gap-2 rounded-xs text-[13px] text-muted hover:text-text"
          >
            <Icon name="chevron-left" />
            {text("step.back")}
          </button>
        )}
        {step !== undefined && <Progress {...step} />}
        <div className="flex min-h-8 items-center justify-between gap-4">
          <h1 id="auth-title" className="text-app text-text">
            {title}
          </h1>
          {aside}
        </div>
        {lead !== undefined && <p className="mt-2 text-muted text-ui leading-[22px]">{lead}</p>}
        <div className="mt-6">{children}</div>
      </div>
      {ways !== undefined && <div className="border-line border-t px-1 py-2 sm:px-10">{ways}</div>}
    </section>
  );
}

function Progress({ at, of }: { readonly at: number; readonly of: number }) {
  const text = useAuthText();
  const words = text("step.of", { step: at, steps: of });
  return (
    <div className="mb-6 flex items-center gap-1">
      {Array.from({ length: of }, (_, index) => index + 1).map((bar) => (
        <span
          key={bar}
          className={`h-[3px] flex-1 rounded-full ${bar < at ? "bg-text" : bar === at ? "bg-accent" : "bg-line"}`}
        />
      ))}
      <span className="pl-2 text-label text-muted">{words}</span>
    </div>
  );
}

const WAY =
  "flex h-11 w-full items-center gap-3 rounded-xs text-left text-text text-ui hover:text-accent dark:hover:text-text dark:hover:opacity-80";

export interface AuthWayProps {
  readonly icon: IconName;
  readonly children: ReactNode;
  /** A bare path; or a press. */
  readonly to?: string;
  readonly onPress?: () => void;
  readonly isOpen?: boolean;
}

/** Another way to continue: a row with its icon and an arrow. */
export function AuthWay({ icon, children, to, onPress, isOpen }: AuthWayProps) {
  const inside = (
    <>
      <Icon name={icon} />
      <span className="flex-1">{children}</span>
      <Icon name={isOpen === true ? "chevron-down" : "chevron-right"} className="text-muted" />
    </>
  );
  if (to !== undefined) {
    return (
      <SiteLink to={to} className={WAY}>
        {inside}
      </SiteLink>
    );
  }
  return (
    <button
      type="button"
      onClick={onPress}
      className={WAY}
      {...(isOpen === undefined ? {} : { "aria-expanded": isOpen })}
    >
      {inside}
    </button>
  );
}

/** The line with a word in its middle. */
export function AuthOr() {
  const text = useAuthText();
  return (
    <div className="my-5 flex items-center gap-3 text-[13px] text-muted">
      <span className="h-px flex-1 bg-line" />
      {text("step.or")}
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}
