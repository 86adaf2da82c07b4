// One of many options behind a button: the list opens with a search field on top and draws only visible rows. Nothing
// of the list exists while it is closed, so a page may hold many of these.

import { type ReactNode, useId, useMemo, useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Button as AriaButton } from "react-aria-components/Button";
import { Dialog as AriaDialog, DialogTrigger } from "react-aria-components/Dialog";
import { Input } from "react-aria-components/Input";
import { Popover as AriaPopover } from "react-aria-components/Popover";
import { SearchField } from "react-aria-components/SearchField";
import type { FieldSize } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { type Option, VirtualOptionList } from "./list-box.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";
import { matchesWords } from "./logic/sort-rows.ts";
import { POPOVER_CLASS } from "./popover.tsx";
import { type SelectProps, selectButtonClass } from "./select.tsx";

export interface SearchSelectProps extends Omit<SelectProps, "name"> {
  readonly searchLabel?: string | undefined;
  /** What the closed button shows, where it is not the option's title. */
  readonly shown?: ReactNode;
  readonly buttonClassName?: string | undefined;
  /** How far below the button the list opens. */
  readonly offsetPx?: number | undefined;
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

interface PanelProps {
  readonly label: string;
  readonly searchLabel: string;
  readonly options: readonly Option[];
  readonly value: string | null;
  readonly onPick: (id: string) => void;
}

function Panel({ label, searchLabel, options, value, onPick }: PanelProps) {
  return (
    <AriaDialog aria-label={label} className="outline-none">
      <Autocomplete filter={matchesWords}>
        <SearchBox label={searchLabel} />
        <VirtualOptionList label={label} options={options} selected={value} onPick={onPick} />
      </Autocomplete>
    </AriaDialog>
  );
}

function Chosen({
  option,
  placeholder,
}: {
  readonly option: Option | undefined;
  readonly placeholder?: string | undefined;
}) {
  return (
    <span className={cx("flex min-w-0 items-center gap-2", option === undefined && "text-muted")}>
      {option?.glyph}
      <span className="truncate">{option?.title ?? placeholder}</span>
    </span>
  );
}

export function SearchSelect(props: SearchSelectProps) {
  const { label, options, value, onChange, placeholder, size = 40, plain = false, isDisabled, error, help } = props;
  const labels = useLabels();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const chosen = useMemo(() => options.find((option) => option.id === value), [options, value]);
  const note = error ?? help;
  const pick = (next: string) => {
    setOpen(false);
    if (next !== value) onChange(next);
  };
  return (
    <div className={cx("flex flex-col gap-1", props.className)}>
      <span id={`${id}-label`} className={props.labelHidden || plain ? "sr-only" : "text-text text-ui"}>
        {label}
      </span>
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <AriaButton
          {...given({ isDisabled })}
          aria-labelledby={`${id}-label ${id}-value`}
          {...(note === undefined ? {} : { "aria-describedby": `${id}-note` })}
          className={props.buttonClassName ?? selectButtonClass(size as FieldSize, plain)}
        >
          <span id={`${id}-value`} className={cx("min-w-0", !plain && "flex-1")}>
            {props.shown ?? <Chosen option={chosen} placeholder={placeholder} />}
          </span>
          <Icon name="chevron-down" size={14} className="text-muted" />
        </AriaButton>
        <AriaPopover
          offset={props.offsetPx ?? 4}
          placement="bottom start"
          className={cx(POPOVER_CLASS, "w-[max(280px,var(--trigger-width))]")}
        >
          <Panel
            label={label}
            searchLabel={props.searchLabel ?? labels.search}
            options={options}
            value={value}
            onPick={pick}
          />
        </AriaPopover>
      </DialogTrigger>
      {note !== undefined && (
        <span id={`${id}-note`} className={cx("text-label", error === undefined ? "text-muted" : "text-danger")}>
          {note}
        </span>
      )}
    </div>
  );
}
