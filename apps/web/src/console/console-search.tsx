// One search for anything, in the bar of the console. Ctrl K focuses it, Enter searches, arrow keys choose, Enter opens,
// Escape closes. The call is fetched with the first search.
import { FrameIcon } from "@clockwork/ui/frame-icon";
import { useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { useConsoleText } from "#words/console-text.ts";
import type { FoundPlace } from "./search-places.ts";

const LENGTH_MIN = 4;
type Found = { readonly query: string; readonly hits: readonly FoundPlace[] | "failed" };

export function ConsoleSearch({ permissions }: { readonly permissions: readonly string[] }) {
  const text = useConsoleText();
  const calls = useCalls();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Found>();
  const [at, setAt] = useState(0);
  useHotkey("mod+k", () => field.current?.select(), { whileTyping: true });
  useHotkey("/", () => field.current?.select());
  useEffect(() => {
    if (found === undefined) return;
    const close = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setFound(undefined);
    };
    document.addEventListener("pointerdown", close);
    return () => document.removeEventListener("pointerdown", close);
  }, [found]);
  const typed = query.trim();
  const search = async () => {
    if (typed.length < LENGTH_MIN) return;
    const { findPlaces } = await import("./search-places.ts");
    const hits = await findPlaces(await calls(), typed, permissions);
    setAt(0);
    setFound({ query: typed, hits: hits ?? "failed" });
  };
  const hits = found === undefined || found.hits === "failed" ? [] : found.hits;
  const open = (hit: FoundPlace) => {
    setFound(undefined);
    setQuery("");
    field.current?.blur();
    void navigate(sitePath(hit.path));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") setFound(undefined);
    else if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setAt((at + step + hits.length) % hits.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const hit = found?.query === typed ? hits[at] : undefined;
      if (hit === undefined) void search();
      else open(hit);
    }
  };
  return (
    <div ref={box} className="relative min-w-0 max-w-[360px] flex-1">
      <div className="flex h-8 items-center gap-2 rounded-control border border-line bg-surface px-2.5 focus-within:border-accent">
        <FrameIcon name="search" className="text-muted" />
        <input
          ref={field}
          type="search"
          role="combobox"
          aria-label={text("search.label")}
          aria-expanded={found !== undefined}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={hits.length > 0 ? `${list}-${at}` : undefined}
          placeholder={text("search.hint")}
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 bg-transparent text-[13px] outline-none placeholder:text-muted"
        />
        <kbd className="rounded-[4px] border border-line2 px-1 font-sans text-axis text-muted max-lg:hidden">
          Ctrl K
        </kbd>
      </div>
      {found !== undefined && (
        <div className="absolute inset-x-0 top-9 z-popover rounded-control bg-raised p-1 shadow-raised max-sm:fixed max-sm:inset-x-2 max-sm:top-12">
          {hits.length === 0 && (
            <p role="status" className="p-3 text-muted">
              {text(found.hits === "failed" ? "search.failed" : "search.none", { query: found.query })}
            </p>
          )}
          <div id={list} role="listbox" aria-label={text("search.label")}>
            {hits.map((hit, index) => (
              <button
                key={`${hit.kind}${hit.id}`}
                id={`${list}-${index}`}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onPointerMove={() => setAt(index)}
                onClick={() => open(hit)}
                className="flex w-full items-center gap-3 rounded-control px-2.5 py-1.5 text-left aria-selected:bg-hover"
              >
                <span className="w-24 shrink-0 text-label text-muted">{text(`search.kind.${hit.kind}`)}</span>
                <span className="min-w-0 flex-1">
                  <span className="figures block truncate font-medium">{hit.id}</span>
                  <span className="block truncate text-label text-muted">{hit.detail}</span>
                </span>
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
