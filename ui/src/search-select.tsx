// One of many options behind a button: the list opens with a search field on top and draws only what is in sight.

import { type ReactNode, useMemo } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Button as AriaButton } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import { Popover as AriaPopover } from "react-aria-components/Popover";
import { SearchField } from "react-aria-components/SearchField";
import { Select as AriaSelect, type Key, SelectValue } from "react-aria-components/Select";
import { FieldHelp, FieldLabel, type FieldSize } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { VirtualOptionList } from "./list-box.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";
import { foldText } from "./logic/sort-rows.ts";
import { POPOVER_CLASS } from "./popover.tsx";
import { type SelectProps, selectButtonClass } from "./select.tsx";

export interface SearchSelectProps extends SelectProps {
  readonly searchLabel?: string | undefined;
  /** What the closed button shows, where it is not the option's title. */
  readonly shown?: ReactNode;
  readonly buttonClassName?: string | undefined;
}

/** Every word typed must be found, in any order; accents and case do not matter. */
export function matchesWords(text: string, query: string): boolean {
  const folded = foldText(text);
  return foldText(query)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

function SearchBox({ label }: { readonly label: string }) {
  return (
    <SearchField aria-label={label} autoFocus className="flex h-10 items-center gap-2 border-line border-b px-3">
      <Icon name="search" className="text-muted" />
      <Input
        placeholder={label}
        className="h-full min-w-0 flex-1 bg-transparent text-text text-ui outline-none placeholder:text-muted [&::-webkit-search-cancel-button]:hidden"
      />
    </SearchField>
  );
}

export function SearchSelect(props: SearchSelectProps) {
  const { options, value, onChange, placeholder, size = 40, plain = false, name, isDisabled, className } = props;
  const labels = useLabels();
  const chosen = useMemo(() => options.find((option) => option.id === value), [options, value]);
  return (
    <AriaSelect
      value={value}
      onChange={(key: Key | null) => key !== null && onChange(String(key))}
      isInvalid={props.error !== undefined}
      {...given({ placeholder, name, isDisabled })}
      className={cx("flex flex-col gap-1", className)}
    >
      <FieldLabel {...props} labelHidden={props.labelHidden || plain} />
      <AriaButton className={props.buttonClassName ?? selectButtonClass(size as FieldSize, plain)}>
        <SelectValue className={cx("min-w-0", !plain && "flex-1")}>
          {() =>
            props.shown ?? (
              <span className={cx("flex min-w-0 items-center gap-2", chosen === undefined && "text-muted")}>
                {chosen?.glyph}
                <span className="truncate">{chosen?.title ?? placeholder}</span>
              </span>
            )
          }
        </SelectValue>
        <Icon name="chevron-down" size={14} className="text-muted" />
      </AriaButton>
      <FieldHelp {...props} />
      <AriaPopover
        offset={4}
        placement="bottom start"
        className={cx(POPOVER_CLASS, "w-[max(280px,var(--trigger-width))]")}
      >
        <Autocomplete filter={matchesWords}>
          <SearchBox label={props.searchLabel ?? labels.search} />
          <VirtualOptionList options={options} />
        </Autocomplete>
      </AriaPopover>
    </AriaSelect>
  );
}
