// The error page inside the site frame: 404 "Page Not Found: {path}", anything else 500 with its message, a way back.
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { isChunkError } from "./chunk-guard.ts";
import { EscapeWheel } from "./escape-wheel.tsx";
import { PageHead } from "./page-head.tsx";
import { SiteLink } from "./site-link.tsx";
import { useText } from "./text.ts";

export interface ErrorFacts {
  readonly status: 404 | 500;
  readonly message: string;
}

export interface ErrorViewProps extends ErrorFacts {
  /** Clears a global error and goes home; ordinary errors leave by their link. */
  readonly onLeave?: () => void;
}

/** Any failure as one of the two pages. Only a refusal made on purpose has a message fit to show. */
export function readError(error: unknown): ErrorFacts {
  if (isRouteErrorResponse(error)) {
    const message = typeof error.data === "string" ? error.data : error.statusText;
    if (error.status === 404) return { status: 404, message: message || "Page Not Found" };
    return { status: 500, message: message || "Internal Server Error" };
  }
  if (isChunkError(error)) return { status: 500, message: "A part of this page could not be loaded" };
  return {
    status: 500,
    message: error instanceof Error && error.message !== "" ? error.message : "Internal Server Error",
  };
}

export function ErrorPage() {
  return <ErrorView {...readError(useRouteError())} />;
}

export function ErrorView({ status, message, onLeave }: ErrorViewProps) {
  const text = useText();
  const missing = status === 404;
  const title = missing ? text("error.title404") : text("error.title500");
  const path = message.startsWith(`${title}: `) ? message.slice(title.length + 2) : undefined;
  return (
    <main id="content" className="relative flex flex-1 items-center overflow-hidden">
      <PageHead title={missing ? message : title} noIndex />
      <EscapeWheel
        missingTooth={missing}
        className="-right-24 absolute top-1/2 hidden size-[784px] -translate-y-1/2 text-draw lg:block"
      />
      <div className="container-read relative py-24">
        <p className="text-muted text-read">{text("error.label", { status })}</p>
        <h1 className="mt-2 text-hero-mobile sm:text-hero">
          {missing ? text("error.headline404") : text("error.headline500")}
        </h1>
        <p className="mt-4 max-w-[560px] break-words text-[17px] text-muted leading-[26px]">
          {title}: <span className="font-medium text-text">{path ?? message}</span>
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
            {text("error.home")}
          </SiteLink>
        </div>
      </div>
    </main>
  );
}
