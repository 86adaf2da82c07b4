// The versions of a document at its end, newest first: when, and which sections. Readable without JavaScript and printed
// with the document.
import type { ArticleChanges } from "@clockwork/site/articles/contract";
import { formatDay } from "#words/day-text.ts";
import { usePublicText } from "#words/public-text.ts";

export const CHANGES_ID = "changes";

type Version = ArticleChanges["versions"][number];

export function DocumentChanges({ versions }: { readonly versions: readonly Version[] }) {
  const text = usePublicText();
  if (versions.length === 0) return null;
  return (
    <section aria-labelledby={CHANGES_ID} className="mt-12 border-line border-t pt-6">
      <h2 id={CHANGES_ID} className="scroll-mt-24 font-semibold text-[16px] leading-6">
        {text("public.changes.title")}
      </h2>
      <ul className="mt-3 grid gap-3">
        {versions.map((entry) => (
          <li key={entry.version} className="text-[13px] leading-5">
            <p>
              {text("public.changes.version", { version: entry.version })}
              <span className="text-muted"> · {formatDay(entry.changedAtMs)}</span>
            </p>
            <VersionText version={entry} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function VersionText({ version: { isFirst, sections, removedCount } }: { readonly version: Version }) {
  const text = usePublicText();
  const parts = [
    isFirst && text("public.changes.first"),
    sections.length > 0 && text("public.changes.sections", { sections: sections.join(", ") }),
    removedCount > 0 && text("public.changes.removed", { count: removedCount }),
  ].filter((part) => part !== false);
  return <p className="text-muted">{parts.length > 0 ? parts.join(" ") : text("public.changes.none")}</p>;
}
