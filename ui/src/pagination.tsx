// Page numbers with their neighbours. The place marked is the current one; nothing loads in here.

import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import { listPages } from "./logic/page-list.ts";

export interface PaginationProps {
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
  readonly onPage: (page: number) => void;
  /** "1 to 18 of 26". */
  readonly summary?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly className?: string | undefined;
}

const CELL = "page-cell";

export function Pagination({ page, pageCount, onPage, summary, isDisabled = false, className }: PaginationProps) {
  const labels = useLabels();
  return (
    <nav aria-label={labels.pages} className={cx("flex flex-wrap items-center justify-between gap-3", className)}>
      <span className="figures text-label text-muted">{summary}</span>
      <span className="flex items-center gap-0.5 sm:gap-1.5">
        <button
          type="button"
          className={CELL}
          aria-label={labels.previousPage}
          disabled={isDisabled || page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <Icon name="chevron-left" size={14} />
        </button>
        {listPages(page, pageCount).map((entry) =>
          typeof entry === "number" ? (
            <button
              key={entry}
              type="button"
              className={CELL}
              aria-label={`${labels.page} ${entry}`}
              aria-current={entry === page ? "page" : undefined}
              disabled={isDisabled}
              onClick={() => onPage(entry)}
            >
              {entry}
            </button>
          ) : (
            <span key={entry} className="w-4 text-center text-muted sm:w-6">
              …
            </span>
          ),
        )}
        <button
          type="button"
          className={CELL}
          aria-label={labels.nextPage}
          disabled={isDisabled || page >= pageCount}
          onClick={() => onPage(page + 1)}
        >
          <Icon name="chevron-right" size={14} />
        </button>
      </span>
    </nav>
  );
}
