// Several lines of text, growing with what is typed where the browser can.

import { TextArea as AriaTextArea } from "react-aria-components/TextArea";
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from "react-aria-components/TextField";
import { FieldHelp, FieldLabel, type FieldTexts } from "./field.tsx";
import { cx } from "./logic/class-names.ts";

export interface TextAreaProps
  extends FieldTexts,
    Omit<AriaTextFieldProps, "children" | "className" | "style" | "isInvalid" | "type" | "render"> {
  readonly rows?: number | undefined;
  readonly placeholder?: string | undefined;
  readonly className?: string | undefined;
}

export function TextArea(props: TextAreaProps) {
  const {
    label,
    labelHidden,
    labelAside,
    help,
    helpAside,
    error,
    reserveHelp,
    rows,
    placeholder,
    className,
    ...field
  } = props;
  const texts = { label, labelHidden, labelAside, help, helpAside, error, reserveHelp };
  return (
    <AriaTextField {...field} isInvalid={error !== undefined} className={cx("flex flex-col gap-1", className)}>
      <FieldLabel {...texts} />
      <AriaTextArea
        rows={rows ?? 4}
        placeholder={placeholder}
        className="field-sizing-content min-h-20 w-full resize-y rounded-control border border-line2 bg-surface px-3 py-2.5 text-text text-ui outline-none transition-[border-color,box-shadow] duration-[120ms] placeholder:text-muted hover:border-faint disabled:text-faint data-focused:border-accent data-invalid:border-danger data-focused:ring-1 data-focused:ring-accent data-invalid:ring-1 data-invalid:ring-danger max-md:text-[16px]"
      />
      <FieldHelp {...texts} />
    </AriaTextField>
  );
}
