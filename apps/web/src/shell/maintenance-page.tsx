// Replaces a page whose part of the product is paused: why, until when, and where to go instead. The rest of the site
// is unaffected.
import { readTimezone, timezoneLabel, timezoneOffsetMinutes } from "@clockwork/kit/timezone";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { usePageFlags } from "#boot/page-flags.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { useSiteText } from "#words/site-text.ts";
import { useText } from "#words/text.ts";
import { EscapeWheel } from "./escape-wheel.tsx";
import { PageHead } from "./page-head.tsx";

/** To the minute in the visitor's zone, the same on the server and in the browser. */
function formatEnd(endsAt: string, timezone: string): string {
  const zone = readTimezone(timezone);
  const shifted = new Date(Date.parse(endsAt) + timezoneOffsetMinutes(zone) * 60_000).toISOString();
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 16)} ${timezoneLabel(zone)}`;
}

/** The part is back: its page is requested anew, whether this one was open at the pause or loaded during it. */
function useReturn(isDown: boolean): void {
  const wasDown = useRef(isDown);
  useEffect(() => {
    if (wasDown.current && !isDown) location.reload();
    wasDown.current = isDown;
  }, [isDown]);
}

export function MaintenancePage() {
  const frame = useText();
  const text = useSiteText();
  const page = usePageFlags();
  const down = useGlobal((state) => state.modulesDown.find(({ module }) => module === page?.module));
  const timezone = useGlobal((state) => state.timezone);
  const revalidator = useRevalidator();
  useReturn(down !== undefined);
  const title = text("maintenance.title", { page: page?.title ?? frame("site.name") });
  return (
    <main id="content" className="relative flex flex-1 items-center overflow-hidden" data-maintenance={page?.module}>
      <PageHead title={title} noIndex />
      <EscapeWheel className="-right-24 -translate-y-1/2 absolute top-1/2 hidden size-[784px] text-draw lg:block" />
      <div className="container-read relative py-24">
        <p className="text-muted text-read">{text("maintenance.label")}</p>
        <h1 className="mt-2 text-hero-mobile sm:text-hero">{title}</h1>
        <p className="mt-4 max-w-[560px] break-words text-[17px] text-muted leading-[26px]">
          {down !== undefined && down.reason !== "" && <span className="font-medium text-text">{down.reason} </span>}
          {text("maintenance.else")}
        </p>
        <p className="figures mt-4 text-muted text-ui">
          {typeof down?.endsAt === "string"
            ? text("maintenance.until", { time: formatEnd(down.endsAt, timezone) })
            : text("maintenance.open")}
        </p>
        <div className="mt-8 flex flex-wrap gap-2">
          <button
            type="button"
            className={buttonClass({ kind: "primary", size: 48 })}
            onClick={() => void revalidator.revalidate()}
          >
            {text("maintenance.retry")}
          </button>
          <SiteLink to="/" className={buttonClass({ kind: "neutral", size: 48 })}>
            {frame("error.home")}
          </SiteLink>
        </div>
      </div>
    </main>
  );
}
