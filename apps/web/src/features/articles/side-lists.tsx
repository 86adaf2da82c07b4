// The column next to a document: the related documents.
import { SiteLink } from "#boot/site-link.tsx";

export interface SideLink {
  readonly to: string;
  readonly title: string;
  readonly isCurrent: boolean;
}

export const ITEM =
  "-ml-px flex border-transparent border-l-2 py-1.5 pl-4 text-[13px] text-muted leading-5 hover:text-text aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-text";

export function SideNav({ title, links }: { readonly title: string; readonly links: readonly SideLink[] }) {
  return (
    <nav aria-label={title} className="hidden w-[232px] shrink-0 lg:block">
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
