// What is on a document: its headings, the one being read marked.
import { useEffect, useState } from "react";
import { whenIdle } from "#boot/idle.ts";
import { usePublicText } from "#words/public-text.ts";
import { ITEM } from "./side-lists.tsx";

interface Heading {
  readonly id: string;
  readonly title: string;
}

/** The last heading that has passed the top of the window. */
function useCurrent(entries: readonly Heading[]): string | undefined {
  const [current, setCurrent] = useState(entries[0]?.id);
  const ids = entries.map(({ id }) => id).join(" ");
  useEffect(() => {
    const all = ids.split(" ");
    // Where the list is hidden the headings are not observed, and the page is not measured.
    const shown = window.matchMedia("(min-width: 80rem)");
    const find = () => {
      if (!shown.matches) return;
      let found = all[0];
      for (const id of all) {
        const top = document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
        if (top < 140) found = id;
      }
      setCurrent(found);
    };
    const cancel = whenIdle(find);
    window.addEventListener("scroll", find, { passive: true });
    return () => {
      cancel();
      window.removeEventListener("scroll", find);
    };
  }, [ids]);
  return current;
}

export function Contents({ entries }: { readonly entries: readonly Heading[] }) {
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
