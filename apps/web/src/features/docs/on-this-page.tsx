// What is on a documentation page: its sections, the one in view marked, and the file it documents.
import { useEffect, useState } from "react";
import { useDocsText } from "./docs-text.ts";

export interface OnPage {
  readonly id: string;
  readonly title: string;
}

export function OnThisPage(props: { readonly entries: readonly OnPage[]; readonly source: string | undefined }) {
  const { entries, source } = props;
  const text = useDocsText();
  const current = useCurrent(entries);
  return (
    <div className="hidden w-[216px] shrink-0 xl:block">
      <div className="sticky top-[104px]">
        <nav aria-label={text("docs.onPage")}>
          <h2 className="text-label text-muted">{text("docs.onPage")}</h2>
          <ul className="mt-3 border-line border-l">
            {entries.map(({ id, title }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  aria-current={id === current ? "location" : undefined}
                  className="-ml-px flex border-transparent border-l-2 py-1 pl-4 text-[13px] text-muted leading-5 hover:text-text aria-[current=location]:border-accent aria-[current=location]:font-medium aria-[current=location]:text-text"
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {source !== undefined && (
          <aside aria-label={text("docs.source")}>
            <h2 className="mt-8 text-label text-muted">{text("docs.source")}</h2>
            <p className="mt-2 break-words text-[13px] text-muted">{source}</p>
          </aside>
        )}
      </div>
    </div>
  );
}

/** The last section whose heading has passed the top of the window. */
function useCurrent(entries: readonly OnPage[]): string | undefined {
  const [current, setCurrent] = useState(entries[0]?.id);
  useEffect(() => {
    const hasPassed = ({ id }: OnPage) => (document.getElementById(id)?.getBoundingClientRect().top ?? 999) < 140;
    const find = () => setCurrent((entries.findLast(hasPassed) ?? entries[0])?.id);
    window.addEventListener("scroll", find, { passive: true });
    return () => window.removeEventListener("scroll", find);
  }, [entries]);
  return current;
}
