// Tabs with the 2 px accent underline on the hairline. Panels are optional: routes may draw their own below.

import type { ReactNode } from "react";
import {
  Tab as AriaTab,
  TabList as AriaTabList,
  TabPanel as AriaTabPanel,
  Tabs as AriaTabs,
  type Key,
} from "react-aria-components/Tabs";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";

export interface TabItem {
  readonly id: string;
  readonly title: ReactNode;
  /** A small figure next to the title. */
  readonly count?: number | undefined;
  readonly panel?: ReactNode;
  readonly isDisabled?: boolean | undefined;
}

export interface TabsProps {
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly selected?: string | undefined;
  readonly onSelect?: ((id: string) => void) | undefined;
  /** What the selected tab shows, where the items bring no panels of their own. Needs `selected`. */
  readonly children?: ReactNode;
  /** At the right end of the row of tabs. */
  readonly aside?: ReactNode;
  readonly className?: string | undefined;
  readonly panelClassName?: string | undefined;
}

const TAB = "tab-look";

function TabCount({ count }: { readonly count: number }) {
  return <span className="figures rounded-xs bg-active px-1 text-axis text-muted">{count}</span>;
}

export function Tabs({ label, items, selected, onSelect, children, aside, className, panelClassName }: TabsProps) {
  const choose = onSelect && ((key: Key) => onSelect(String(key)));
  return (
    <AriaTabs
      {...given({ selectedKey: selected, onSelectionChange: choose })}
      className={cx("flex min-w-0 flex-col", className)}
    >
      <div className="flex items-center border-line border-b">
        <AriaTabList
          aria-label={label}
          className="scrollbar-none -mb-px flex min-w-0 flex-1 gap-6 overflow-x-auto overflow-y-hidden pb-px terminal:gap-4"
        >
          {items.map((item) => (
            <AriaTab key={item.id} id={item.id} {...given({ isDisabled: item.isDisabled })} className={TAB}>
              {item.title}
              {item.count !== undefined && <TabCount count={item.count} />}
            </AriaTab>
          ))}
        </AriaTabList>
        {aside}
      </div>
      {items.map((item) => (
        <AriaTabPanel key={item.id} id={item.id} className={cx("outline-offset-2", panelClassName ?? "pt-4")}>
          {item.panel ?? children}
        </AriaTabPanel>
      ))}
    </AriaTabs>
  );
}
