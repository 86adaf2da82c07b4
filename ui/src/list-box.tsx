// The options inside selects and comboboxes, optionally virtual so that thousands open at once.

import type { ReactNode } from "react";
import { type Key, ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { ListLayout, Virtualizer } from "react-aria-components/Virtualizer";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";

export interface Option {
  readonly id: string;
  readonly title: string;
  /** Before the title: a glyph, a code. */
  readonly glyph?: ReactNode;
  /** At the right, quieter. */
  readonly detail?: ReactNode;
  /** More words that a search finds. */
  readonly keywords?: string | undefined;
  readonly isDisabled?: boolean | undefined;
}

const ITEM = "option-row";

export function OptionItem({ option }: { readonly option: Option }) {
  return (
    <ListBoxItem
      id={option.id}
      textValue={option.keywords ? `${option.title} ${option.keywords}` : option.title}
      isDisabled={option.isDisabled ?? false}
      className={ITEM}
    >
      {({ isSelected }) => (
        <>
          {option.glyph}
          <span className="min-w-0 flex-1 truncate">{option.title}</span>
          {option.detail !== undefined && (
            <span className="figures shrink-0 pl-3 font-normal text-muted">{option.detail}</span>
          )}
          <span className="flex w-4 shrink-0 justify-end">
            {isSelected && <Icon name="check" size={14} className="text-accent" />}
          </span>
        </>
      )}
    </ListBoxItem>
  );
}

function NoMatch() {
  const labels = useLabels();
  return <div className="px-2 py-6 text-center text-label text-muted">{labels.noMatchingData}</div>;
}

export interface OptionListProps {
  readonly options?: readonly Option[] | undefined;
  readonly label?: string | undefined;
}

/** For short lists; options grow the panel up to its height. */
export function OptionList({ options, label }: OptionListProps) {
  return (
    <ListBox
      {...(options ? { items: options } : {})}
      {...(label === undefined ? {} : { "aria-label": label })}
      renderEmptyState={NoMatch}
      className="max-h-[min(320px,50dvh)] overflow-auto p-1 outline-none"
    >
      {(option: Option) => <OptionItem option={option} />}
    </ListBox>
  );
}

const ROW_PX = 36;

export interface VirtualOptionListProps extends OptionListProps {
  /** Where the list is not inside a select that provides these. */
  readonly selected?: string | null | undefined;
  readonly onPick?: ((id: string) => void) | undefined;
}

/** For long lists; only visible rows are drawn. */
export function VirtualOptionList({ options, label, selected, onPick }: VirtualOptionListProps) {
  const choice =
    onPick === undefined
      ? {}
      : {
          selectionMode: "single" as const,
          selectedKeys: selected === null || selected === undefined ? [] : [selected],
          // Picking the chosen one again empties the set: that is a pick too, and closes the list.
          onSelectionChange: (keys: "all" | Set<Key>) => onPick(String([...keys][0] ?? selected ?? "")),
        };
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_PX, padding: 4 }}>
      <ListBox
        {...(options ? { items: options } : {})}
        {...(label === undefined ? {} : { "aria-label": label })}
        {...choice}
        renderEmptyState={NoMatch}
        className="max-h-[min(292px,50dvh)] w-full overflow-auto outline-none"
      >
        {(option: Option) => <OptionItem option={option} />}
      </ListBox>
    </Virtualizer>
  );
}
