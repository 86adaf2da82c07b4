// One of a few options behind a button. For long lists use search-select or combobox.

import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Popover as AriaPopover } from "react-aria-components/Popover";
import { Select as AriaSelect, type Key, SelectValue } from "react-aria-components/Select";
import { FieldHelp, FieldLabel, type FieldSize, type FieldTexts } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { type Option, OptionList } from "./list-box.tsx";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";
import { POPOVER_CLASS } from "./popover.tsx";

export interface SelectProps extends FieldTexts {
  readonly options: readonly Option[];
  readonly value: string | null;
  readonly onChange: (id: string) => void;
  readonly placeholder?: string | undefined;
  readonly size?: FieldSize | undefined;
  /** Without a box, as words that open a list. */
  readonly plain?: boolean | undefined;
  readonly name?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly className?: string | undefined;
}

const SIZES = {
  32: "h-8 px-2.5 text-[13px] leading-5",
  40: "h-10 px-3 text-ui",
  48: "h-12 px-3.5 text-[15px] leading-6",
} as const;

export function selectButtonClass(size: FieldSize, plain: boolean): string {
  if (plain)
    return "inline-flex items-center gap-1 rounded-xs font-medium text-text text-ui data-disabled:text-faint terminal:text-label";
  return cx(
    "flex w-full items-center gap-2 rounded-control border border-line2 bg-surface text-left text-text transition-[border-color,box-shadow] duration-[120ms] hover:border-faint data-disabled:border-line data-focus-visible:border-accent data-pressed:border-accent data-disabled:text-faint aria-expanded:border-accent aria-expanded:ring-1 aria-expanded:ring-accent",
    SIZES[size],
  );
}

function ChosenOption({
  options,
  value,
  placeholder,
}: Pick<SelectProps, "options" | "value" | "placeholder">): ReactNode {
  const option = options.find((one) => one.id === value);
  if (option === undefined) return <span className="text-muted">{placeholder}</span>;
  return (
    <span className="flex min-w-0 items-center gap-2">
      {option.glyph}
      <span className="truncate">{option.title}</span>
    </span>
  );
}

export function Select(props: SelectProps) {
  const { options, value, onChange, placeholder, size = 40, plain = false, name, isDisabled, className } = props;
  return (
    <AriaSelect
      value={value}
      onChange={(key: Key | null) => key !== null && onChange(String(key))}
      isInvalid={props.error !== undefined}
      {...given({ placeholder, name, isDisabled })}
      className={cx("flex flex-col gap-1", className)}
    >
      <FieldLabel {...props} labelHidden={props.labelHidden || plain} />
      <AriaButton className={selectButtonClass(size, plain)}>
        <SelectValue className={cx("min-w-0", !plain && "flex-1")}>
          {() => <ChosenOption options={options} value={value} placeholder={placeholder} />}
        </SelectValue>
        <Icon name="chevron-down" size={plain ? 12 : 14} className="text-muted" />
      </AriaButton>
      <FieldHelp {...props} />
      <AriaPopover offset={4} className={cx(POPOVER_CLASS, plain ? "min-w-40" : "min-w-(--trigger-width)")}>
        <OptionList options={options} />
      </AriaPopover>
    </AriaSelect>
  );
}
