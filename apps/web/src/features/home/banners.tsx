// The banners of the home page: current campaigns of the exchange, each a short text and a link.
import type { Campaign } from "@clockwork/growth/campaigns/contract";
import { Icon } from "@clockwork/ui/icon";
import { SiteLink } from "#boot/site-link.tsx";
import { useHomeText } from "#words/home-text.ts";

export function Banners({ banners }: { readonly banners: readonly Campaign[] }) {
  const text = useHomeText();
  if (banners.length === 0) return null;
  return (
    <section aria-label={text("home.banners")} className="container-read pt-8">
      <ul className="scrollbar-none -mx-4 flex snap-x snap-mandatory scroll-px-4 gap-4 overflow-x-auto px-4 lg:mx-0 lg:px-0">
        {banners.map((banner) => (
          <li
            key={banner.key}
            className="w-[280px] shrink-0 snap-start rounded-panel border border-line bg-surface sm:w-[340px] lg:min-w-[300px] lg:flex-1"
          >
            <Banner banner={banner} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const BOX = "group flex h-full flex-col rounded-panel px-5 py-4";

function Banner({ banner: { title, text, action, to } }: { readonly banner: Campaign }) {
  const inside = (
    <>
      <span className="font-semibold text-[15px] leading-6">{title}</span>
      <span className="mt-1 text-[13px] text-muted leading-5">{text}</span>
      {action !== "" && (
        <span className="mt-auto flex items-center gap-1 pt-3 font-medium text-[13px] group-hover:underline">
          {action}
          <Icon name="chevron-right" size={14} />
        </span>
      )}
    </>
  );
  if (to === "") return <div className={BOX}>{inside}</div>;
  if (to.startsWith("/")) {
    return (
      <SiteLink to={to} className={BOX}>
        {inside}
      </SiteLink>
    );
  }
  return (
    <a href={to} rel="noreferrer" target="_blank" className={BOX}>
      {inside}
    </a>
  );
}
