// On or off, taking effect at once. Neutral in both states.

import type { ReactNode } from "react";
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from "react-aria-components/Switch";
import { cx } from "./logic/class-names.ts";

export interface SwitchProps extends Omit<AriaSwitchProps, "children" | "className" | "style" | "render"> {
  readonly children?: ReactNode;
  readonly className?: string | undefined;
}

export function Switch({ children, className, ...rest }: SwitchProps) {
  return (
    <AriaSwitch
      {...rest}
      className={cx(
        "group relative inline-flex min-h-6 cursor-pointer select-none items-center gap-2 text-text text-ui data-disabled:cursor-not-allowed data-disabled:text-faint terminal:text-label",
        className,
      )}
    >
      <span className="fc-switch flex h-4 w-7 shrink-0 items-center rounded-full bg-line-strong p-0.5 transition-colors duration-[120ms] group-hover:bg-faint group-data-focus-visible:outline-2 group-data-focus-visible:outline-accent group-data-focus-visible:outline-offset-2 group-data-disabled:bg-line group-data-selected:bg-text">
        <span className="size-3 rounded-full bg-knob shadow-card transition-transform duration-[120ms] ease-tick group-data-selected:translate-x-3 group-data-selected:bg-on-text" />
      </span>
      {children}
    </AriaSwitch>
  );
}
