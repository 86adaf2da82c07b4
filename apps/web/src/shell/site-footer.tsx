// The footer: brand and risk, the served list of links, and a base row with the state of the exchange.
import { readTimezone, timezoneLabel } from "@clockwork/kit/timezone";
import { Icon } from "@clockwork/ui/icon";
import { Mark } from "@clockwork/ui/mark";
import { useRouteLoaderData } from "react-router";
import type { FooterColumn } from "#boot/footer-list.ts";
import type { RootData } from "#boot/root-data.ts";
import { hasPage } from "#boot/route-table.ts";
import type { SocialLink } from "#boot/served.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { useSiteText } from "#words/site-text.ts";
import { useText } from "#words/text.ts";

export function SiteFooter() {
  const frame = useText();
  const text = useSiteText();
  const root = useRouteLoaderData<RootData>("root");
  const columns = root?.footer ?? [];
  return (
    <footer className="mt-auto border-line border-t bg-surface">
      <div className="container-read">
        <div className="flex flex-col gap-10 py-12 lg:flex-row lg:justify-between">
          <div className="max-w-[260px]">
            <span className="flex items-center gap-2.5 font-semibold text-[16px] tracking-[-0.02em]">
              <Mark size={20} />
              {frame("site.name")}
            </span>
            <p className="mt-4 text-label text-muted leading-5">
              {text("footer.risk")}{" "}
              {hasPage("/risk-disclosure") && (
                <SiteLink to="/risk-disclosure" className="underline underline-offset-2">
                  {text("footer.riskLink")}
                </SiteLink>
              )}
            </p>
          </div>
          <nav
            aria-label={text("footer.label")}
            className="grid grid-cols-2 gap-x-6 gap-y-8 sm:grid-cols-3 lg:flex lg:gap-12"
          >
            {columns.map((column) => (
              <Column key={column.title} column={column} />
            ))}
          </nav>
        </div>
        <SocialRow links={root?.social ?? []} />
        <BaseRow version={root?.version ?? ""} company={root?.legalName ?? ""} />
      </div>
    </footer>
  );
}

function Column({ column }: { readonly column: FooterColumn }) {
  return (
    <section className="min-w-[120px]">
      <h2 className="font-semibold text-[13px] leading-5">{column.title}</h2>
      <ul className="mt-2">
        {column.links.map(({ title, to }) => (
          <li key={to}>
            {to.startsWith("/") ? (
              <SiteLink to={to} className={LINK}>
                {title}
              </SiteLink>
            ) : (
              <a href={to} rel="noreferrer" target="_blank" className={LINK}>
                {title}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const LINK = "inline-block py-1 lg:whitespace-nowrap text-[13px] text-muted leading-5 hover:text-text";

function SocialRow({ links }: { readonly links: readonly SocialLink[] }) {
  const text = useSiteText();
  if (links.length === 0) return null;
  return (
    <ul aria-label={text("footer.social")} className="flex flex-wrap gap-x-6 border-line border-t py-3">
      {links.map(({ title, url }) => (
        <li key={url}>
          <a href={url} rel="noreferrer" target="_blank" className={LINK}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

function BaseRow({ version, company }: { readonly version: string; readonly company: string }) {
  const frame = useText();
  const text = useSiteText();
  const language = useGlobal((state) => state.language.name);
  const currency = useGlobal((state) => state.currency);
  const resting = useGlobal((state) => state.modulesDown.length);
  const zone = useGlobal((state) => timezoneLabel(readTimezone(state.timezone)));
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-6 gap-y-2 border-line border-t py-4 text-label text-muted">
      <span>{text("footer.copyright", { company: company === "" ? frame("site.name") : company })}</span>
      <span className="flex items-center gap-1.5 sm:ml-auto">
        <span aria-hidden="true" className={`size-1.5 rounded-full ${resting === 0 ? "bg-text" : "bg-warn"}`} />
        {resting === 0 ? text("footer.running") : text("footer.resting", { count: resting })}
      </span>
      <span>{frame("site.version", { version })}</span>
      <span className="flex items-center gap-1.5">
        <Icon name="globe" size={14} />
        {language} · {currency} · {zone}
      </span>
    </div>
  );
}
