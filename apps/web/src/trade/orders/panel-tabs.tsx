// The tabs of the orders panel: arrow keys move, Home and End jump, the panel is named by its tab.
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

export interface PanelTab {
  readonly id: string;
  readonly title: string;
  readonly count: number | undefined;
}

export interface PanelTabsProps {
  readonly label: string;
  readonly tabs: readonly PanelTab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  readonly aside: ReactNode;
  readonly children: ReactNode;
}

export function PanelTabs({ label, tabs, selected, onSelect, aside, children }: PanelTabsProps) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === selected);
    const places: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[places[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center border-line border-b px-3">
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          className="scrollbar-none -mb-px flex min-w-0 flex-1 gap-4 overflow-x-auto overflow-y-hidden pb-px"
        >
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${base}-${tab.id}`}
              data-tab={tab.id}
              data-selected={tab.id === selected ? "" : undefined}
              aria-selected={tab.id === selected}
              aria-controls={`${base}-panel`}
              tabIndex={tab.id === selected ? 0 : -1}
              className="tab-look"
              onClick={() => onSelect(tab.id)}
              onKeyDown={move}
            >
              {tab.title}
              {tab.count !== undefined && (
                <span className="figures rounded-xs bg-active px-1 text-axis text-muted">{tab.count}</span>
              )}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${selected}`}
        className="flex min-h-0 flex-1 flex-col"
      >
        {children}
      </div>
    </div>
  );
}
