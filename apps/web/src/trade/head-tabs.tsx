// The row of tabs at the top of a panel. Arrow keys go from tab to tab; the panels below are named by them.
import type { KeyboardEvent, ReactNode } from "react";

export interface HeadTab {
  readonly id: string;
  readonly title: string;
}

export interface HeadTabsProps {
  readonly label: string;
  /** Prefix of the ids of tabs and panels. */
  readonly name: string;
  readonly tabs: readonly HeadTab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  readonly aside?: ReactNode;
}

export function tabPanelProps(name: string, id: string) {
  return { role: "tabpanel", id: `${name}-panel-${id}`, "aria-labelledby": `${name}-tab-${id}` } as const;
}

export function HeadTabs({ label, name, tabs, selected, onSelect, aside }: HeadTabsProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const now = tabs.findIndex((tab) => tab.id === selected);
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    document.getElementById(`${name}-tab-${next.id}`)?.focus();
  };
  return (
    <div className="t-head">
      <div role="tablist" aria-label={label} className="flex h-full gap-4" onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${name}-tab-${tab.id}`}
            aria-selected={tab.id === selected}
            aria-controls={`${name}-panel-${tab.id}`}
            tabIndex={tab.id === selected ? 0 : -1}
            data-tab={tab.id}
            onClick={() => onSelect(tab.id)}
            className="t-tab"
          >
            {tab.title}
          </button>
        ))}
      </div>
      {aside}
    </div>
  );
}
