// A menu of commands, of one choice or of several, with sections, icons, right-hand details and links.

import type { ReactElement, ReactNode } from "react";
import {
  Menu as AriaMenu,
  Header,
  type Key,
  MenuItem,
  type MenuItemProps,
  MenuSection,
  MenuTrigger,
} from "react-aria-components/Menu";
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from "react-aria-components/Popover";
import { Icon } from "./icon.tsx";
import { given } from "./logic/given.ts";
import type { IconName } from "./logic/icon-paths.ts";
import { POPOVER_CLASS } from "./popover.tsx";

export interface MenuEntry {
  readonly id: string;
  readonly title: string;
  /** A second, quieter line. */
  readonly note?: string | undefined;
  /** At the right: a short code, a hotkey. */
  readonly detail?: ReactNode;
  readonly icon?: IconName | undefined;
  readonly href?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly onAction?: (() => void) | undefined;
}

export interface MenuGroup {
  readonly title?: string | undefined;
  readonly entries: readonly MenuEntry[];
}

export interface MenuProps {
  readonly trigger: ReactElement;
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  /** The chosen entry, where the menu is a choice. */
  readonly selected?: string | undefined;
  /** The chosen entries, for a choice of several; the menu remains open during it. */
  readonly chosen?: readonly string[] | undefined;
  readonly onChosen?: ((ids: readonly string[]) => void) | undefined;
  readonly onAction?: ((id: string) => void) | undefined;
  readonly placement?: AriaPopoverProps["placement"];
  readonly surface?: "terminal" | undefined;
}

const ITEM = "group option-row py-1";

function EntryItem({ entry }: { readonly entry: MenuEntry }) {
  const props: MenuItemProps = { id: entry.id, textValue: entry.title, className: ITEM };
  return (
    <MenuItem {...props} {...given({ href: entry.href, isDisabled: entry.isDisabled, onAction: entry.onAction })}>
      {({ isSelected, selectionMode }) => (
        <>
          {entry.icon && <Icon name={entry.icon} className="text-muted" />}
          <span className="flex min-w-0 flex-1 flex-col">
            {entry.title}
            {entry.note && <span className="font-normal text-label text-muted">{entry.note}</span>}
          </span>
          {entry.detail !== undefined && <span className="pl-4 font-normal text-muted">{entry.detail}</span>}
          {selectionMode !== "none" && (
            <span className="flex w-4 justify-end">
              {isSelected && <Icon name="check" size={14} className="text-accent" />}
            </span>
          )}
        </>
      )}
    </MenuItem>
  );
}

function choiceOf({
  groups,
  selected,
  chosen,
  onChosen,
}: Pick<MenuProps, "groups" | "selected" | "chosen" | "onChosen">) {
  if (selected !== undefined) return { selectionMode: "single" as const, selectedKeys: [selected] };
  if (chosen === undefined) return {};
  const all = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
  const onSelectionChange = (keys: "all" | Set<Key>) => onChosen?.(all.filter((id) => keys === "all" || keys.has(id)));
  return { selectionMode: "multiple" as const, selectedKeys: chosen, onSelectionChange };
}

/** The list alone, for places that bring their own overlay. */
export function MenuList(props: Omit<MenuProps, "trigger" | "placement" | "surface">) {
  const { label, groups, onAction } = props;
  const choice = choiceOf(props);
  const act = onAction && ((key: Key) => onAction(String(key)));
  return (
    <AriaMenu aria-label={label} {...choice} {...given({ onAction: act })} className="min-w-[200px] p-1 outline-none">
      {groups.map((group, index) => (
        <MenuSection
          key={group.title ?? index}
          {...given({ "aria-label": group.title === undefined ? label : undefined })}
          className="not-first:mt-1 not-first:border-line not-first:border-t not-first:pt-1"
        >
          {group.title !== undefined && <Header className="px-2 pt-2 pb-1 text-label text-muted">{group.title}</Header>}
          {group.entries.map((entry) => (
            <EntryItem key={entry.id} entry={entry} />
          ))}
        </MenuSection>
      ))}
    </AriaMenu>
  );
}

export function Menu({ trigger, placement, surface, ...list }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <AriaPopover {...given({ placement })} offset={4} data-surface={surface} className={POPOVER_CLASS}>
        <MenuList {...list} />
      </AriaPopover>
    </MenuTrigger>
  );
}
