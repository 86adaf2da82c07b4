// A checkbox and a group of them. Checked is neutral: colour is kept for movement and the main action.

import type { ReactNode } from "react";
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from "react-aria-components/Checkbox";
import { Icon } from "./icon.tsx";
import { cx } from "./logic/class-names.ts";

export interface CheckboxProps extends Omit<AriaCheckboxProps, "children" | "className" | "style" | "render"> {
  readonly children?: ReactNode;
  readonly className?: string | undefined;
}

const TICK =
  "fc-tick flex size-4 shrink-0 items-center justify-center rounded-check border border-faint bg-transparent text-transparent transition-colors duration-[120ms] group-hover:border-muted group-data-focus-visible:outline-2 group-data-focus-visible:outline-accent group-data-focus-visible:outline-offset-2 group-data-selected:border-text group-data-selected:bg-text group-data-selected:text-on-text group-data-indeterminate:border-text group-data-indeterminate:bg-text group-data-indeterminate:text-on-text group-data-invalid:border-danger terminal:size-3.5";

export function Checkbox({ children, className, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...rest}
      className={cx(
        "group relative inline-flex min-h-6 cursor-pointer select-none items-center gap-2 text-text text-ui data-disabled:cursor-not-allowed data-disabled:text-faint terminal:text-label",
        className,
      )}
    >
      {({ isIndeterminate }) => (
        <>
          <span className={TICK}>
            <Icon name={isIndeterminate ? "minus" : "check"} size={11} className="[stroke-width:2.2]" />
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}
