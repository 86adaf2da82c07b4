// The two columns beside a document: where it stands among others, and what is on it.
import { useEffect, useState } from "react";
import { usePublicText } from "#frame/public-text.ts";
import { SiteLink } from "#frame/site-link.tsx";

export interface SideLink {
  readonly to: string;
  readonly title: string;
  readonly isCurrent: boolean;
}

const ITEM =
  "-ml-px flex border-transparent border-l-2 py-1.5 pl-4 text-[13px] text-muted leading-5 hover:text-text aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-text";

export function SideNav({ title, links }: { readonly title: string; readonly links: readonly SideLink[] }) {
  return (
    <nav aria-label={title} className="hidden w-[200px] shrink-0 lg:block">
      <div className="sticky top-[104px]">
        <h2 className="text-label text-muted">{title}</h2>
        <ul className="mt-3 border-line border-l">
          {links.map(({ to, title: name, isCurrent }) => (
            <li key={to}>
              <SiteLink to={to} aria-current={isCurrent ? "page" : undefined} className={ITEM}>
                {name}
              </SiteLink>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

/** The last heading that has passed the top of the window. */
function useCurrent(entries: readonly { readonly id: string }[]): string | undefined {
  const [current, setCurrent] = useState(entries[0]?.id);
  useEffect(() => {
    const find = () => {
      let found = entries[0]?.id;
      for (const { id } of entries) {
        const top = document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
        if (top < 140) found = id;
      }
      setCurrent(found);
    };
    find();
    window.addEventListener("scroll", find, { passive: true });
    return () => window.removeEventListener("scroll", find);
  }, [entries]);
  return current;
}

export function Contents({
  entries,
}: {
  readonly entries: readonly { readonly id: string; readonly title: string }[];
}) {
  const text = usePublicText();
  const current = useCurrent(entries);
  if (entries.length < 2) return null;
  return (
    <nav aria-label={text("public.onThisPage")}>
      <h2 className="text-label text-muted">{text("public.onThisPage")}</h2>
      <ul className="mt-3 border-line border-l">
        {entries.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? "location" : undefined} className={ITEM}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
