// The error page inside the site frame: 404 "Page Not Found: {path}", anything else 500 with its message, a way back.
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useRouteError } from "react-router";
import { type ErrorFacts, readError } from "#boot/error-facts.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useSiteText } from "#words/site-text.ts";
import { useText } from "#words/text.ts";
import { EscapeWheel } from "./escape-wheel.tsx";
import { PageHead } from "./page-head.tsx";

export interface ErrorViewProps extends ErrorFacts {
  /** Clears a global error and goes home; ordinary errors leave by their link. */
  readonly onLeave?: () => void;
}

export function ErrorPage() {
  return <ErrorView {...readError(useRouteError())} />;
}

export function ErrorView({ status, message, onLeave }: ErrorViewProps) {
  const frame = useText();
  const text = useSiteText();
  const missing = status === 404;
  const title = missing ? frame("error.title404") : frame("error.title500");
  // A message equal to the title is not repeated.
  const reply = message.startsWith(`${title}: `) ? message.slice(title.length + 2) : message === title ? "" : message;
  return (
    <main id="content" data-error={status} className="relative flex flex-1 items-center overflow-hidden">
      <PageHead title={missing ? message : title} noIndex />
      <EscapeWheel
        missingTooth={missing}
        className="-right-24 absolute top-1/2 hidden size-[784px] -translate-y-1/2 text-draw lg:block"
      />
      <div className="container-read relative py-24">
        <p className="text-muted text-read">{frame("error.label", { status })}</p>
        <h1 className="mt-2 text-hero-mobile sm:text-hero">
          {missing ? text("error.headline404") : text("error.headline500")}
        </h1>
        <p className="mt-4 max-w-[560px] break-words text-[17px] text-muted leading-[26px]">
          {reply === "" ? `${title}.` : `${title}: `}
          <span className="font-medium text-text">{reply}</span>
          <br />
          {missing ? text("error.elseRunning") : text("error.retryHint")}
        </p>
        <div className="mt-8 flex flex-wrap gap-2">
          <button
            type="button"
            className={buttonClass({ kind: "primary", size: 48 })}
            onClick={() => (missing ? history.back() : location.reload())}
          >
            {missing ? text("error.back") : text("error.retry")}
          </button>
          <SiteLink
            to="/"
            className={buttonClass({ kind: "neutral", size: 48 })}
            {...(onLeave ? { onClick: onLeave } : {})}
          >
            {frame("error.home")}
          </SiteLink>
        </div>
      </div>
    </main>
  );
}
