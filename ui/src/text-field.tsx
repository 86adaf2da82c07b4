// One line of text. Errors are passed in by the form's model; this only shows them.

import type { ReactNode, Ref } from "react";
import { Input } from "react-aria-components/Input";
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from "react-aria-components/TextField";
import { IconButton } from "./button.tsx";
import { FieldHelp, FieldLabel, type FieldSize, type FieldTexts, fieldBoxClass, inputClass } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";
import type { IconName } from "./logic/icon-paths.ts";

export interface TextFieldProps
  extends FieldTexts,
    Omit<AriaTextFieldProps, "children" | "className" | "style" | "isInvalid" | "render"> {
  readonly size?: FieldSize | undefined;
  readonly icon?: IconName | undefined;
  readonly prefix?: ReactNode;
  readonly suffix?: ReactNode;
  readonly placeholder?: string | undefined;
  /** Shows a cross that empties the field; needs value and onChange. */
  readonly clearable?: boolean | undefined;
  readonly className?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

function splitProps(props: TextFieldProps) {
  const { label, labelHidden, labelAside, help, helpAside, error, reserveHelp, ...rest } = props;
  return { texts: { label, labelHidden, labelAside, help, helpAside, error, reserveHelp }, rest };
}

export function TextField(props: TextFieldProps) {
  const { texts, rest } = splitProps(props);
  const { size, icon, prefix, suffix, placeholder, clearable, className, inputRef, ...field } = rest;
  const labels = useLabels();
  const canClear = clearable && field.value !== undefined && field.value !== "" && !field.isDisabled;
  return (
    <AriaTextField {...field} isInvalid={texts.error !== undefined} className={cx("flex flex-col gap-1", className)}>
      <FieldLabel {...texts} />
      <div className={fieldBoxClass(size)}>
        {icon && <Icon name={icon} className="text-muted" />}
        {prefix}
        <Input {...given({ ref: inputRef, placeholder })} className={inputClass(size)} />
        {canClear && (
          <IconButton
            icon="close"
            label={labels.clear}
            size={24}
            iconSize={14}
            excludeFromTabOrder
            onPress={() => field.onChange?.("")}
          />
        )}
        {suffix}
      </div>
      <FieldHelp {...texts} />
    </AriaTextField>
  );
}
