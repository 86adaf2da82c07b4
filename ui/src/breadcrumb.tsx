// The way to the current page. The last step is where one is and leads nowhere.

import { Link } from "react-aria-components/Link";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";

export interface Crumb {
  readonly title: string;
  readonly href?: string | undefined;
}

export function Breadcrumb({
  crumbs,
  className,
}: {
  readonly crumbs: readonly Crumb[];
  readonly className?: string | undefined;
}) {
  const labels = useLabels();
  return (
    <nav aria-label={labels.breadcrumb} className={className}>
      <ol className="flex flex-wrap items-center gap-1.5 text-[13px] text-muted leading-5">
        {crumbs.map((crumb, index) => {
          const isLast = index === crumbs.length - 1;
          return (
            <li key={crumb.title} className="flex items-center gap-1.5">
              {isLast || crumb.href === undefined ? (
                <span aria-current={isLast ? "page" : undefined} className={cx(isLast && "text-text")}>
                  {crumb.title}
                </span>
              ) : (
                <Link href={crumb.href} className="rounded-xs no-underline hover:text-text">
                  {crumb.title}
                </Link>
              )}
              {!isLast && <Icon name="chevron-right" size={12} className="text-faint" />}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
