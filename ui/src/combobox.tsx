// Typing narrows a long list; the list draws only visible rows.

import { useMemo, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { ComboBox as AriaComboBox, type Key } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { Popover as AriaPopover } from "react-aria-components/Popover";
import { FieldHelp, FieldLabel, type FieldSize, type FieldTexts, fieldBoxClass, inputClass } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { type Option, VirtualOptionList } from "./list-box.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";
import { matchesWords } from "./logic/sort-rows.ts";
import { POPOVER_CLASS } from "./popover.tsx";

export interface ComboBoxProps extends FieldTexts {
  readonly options: readonly Option[];
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly placeholder?: string | undefined;
  readonly size?: FieldSize | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly className?: string | undefined;
}

const EDGE_PX = 13;

export function ComboBox(props: ComboBoxProps) {
  const { options, value, onChange, placeholder, size, isDisabled, className } = props;
  const labels = useLabels();
  const [isOpen, setOpen] = useState(false);
  // While closed only the chosen option is needed; building thousands for a closed list would slow every page with one.
  const held = useMemo(
    () => (isOpen ? options : options.filter((option) => option.id === value)),
    [isOpen, options, value],
  );
  return (
    <AriaComboBox
      defaultItems={held}
      onOpenChange={setOpen}
      value={value}
      onChange={(key: Key | null) => onChange(key === null ? null : String(key))}
      defaultFilter={matchesWords}
      allowsEmptyCollection
      menuTrigger="focus"
      isInvalid={props.error !== undefined}
      {...given({ isDisabled })}
      className={cx("flex flex-col gap-1", className)}
    >
      <FieldLabel {...props} />
      <div className={fieldBoxClass(size)}>
        <Input {...given({ placeholder })} className={inputClass(size)} />
        <AriaButton aria-label={labels.show} className="flex size-6 items-center justify-center text-muted">
          <Icon name="chevron-down" size={14} />
        </AriaButton>
      </div>
      <FieldHelp {...props} />
      {/* The library measures the input; the list should be as wide as the box around it. */}
      <AriaPopover
        offset={8}
        crossOffset={-EDGE_PX}
        placement="bottom start"
        style={{ width: `calc(var(--trigger-width) + ${EDGE_PX * 2}px)` }}
        className={POPOVER_CLASS}
      >
        <VirtualOptionList />
      </AriaPopover>
    </AriaComboBox>
  );
}
