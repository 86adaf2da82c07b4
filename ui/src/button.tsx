// Buttons on the accessible base: press, keyboard, busy. The look is shared with links through logic/button-style.

import type { ReactNode, Ref } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { type ButtonLook, buttonClass } from "./logic/button-style.ts";
import { cx } from "./logic/class-names.ts";
import type { IconName } from "./logic/icon-paths.ts";
import { Spinner } from "./spinner.tsx";

export interface ButtonProps
  extends Omit<AriaButtonProps, "className" | "children" | "style" | "isPending">,
    ButtonLook {
  readonly children?: ReactNode;
  readonly icon?: IconName | undefined;
  /** Shows the spinner in the same width; presses do nothing until it ends. */
  readonly busy?: boolean | undefined;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

export function Button({ kind, size, wide, square, icon, busy = false, className, children, ...rest }: ButtonProps) {
  const labels = useLabels();
  return (
    <AriaButton {...rest} isPending={busy} className={cx(buttonClass({ kind, size, wide, square }), className)}>
      <span className={cx("inline-flex items-center gap-2", busy && "invisible")}>
        {icon && <Icon name={icon} />}
        {children}
      </span>
      {busy && (
        <span className="absolute inset-0 flex items-center justify-center">
          <Spinner label={labels.loading} />
        </span>
      )}
    </AriaButton>
  );
}

export interface IconButtonProps extends Omit<AriaButtonProps, "className" | "children" | "style"> {
  readonly icon: IconName;
  readonly label: string;
  readonly size?: 24 | 28 | 32 | 36 | 40 | undefined;
  readonly iconSize?: number | undefined;
  readonly className?: string | undefined;
}

const SQUARE = { 24: "size-6", 28: "size-7", 32: "size-8", 36: "size-9", 40: "size-10" } as const;

/** An icon alone; the label is for screen readers. */
export function IconButton({ icon, label, size = 32, iconSize = 16, className, ...rest }: IconButtonProps) {
  return (
    <AriaButton
      {...rest}
      aria-label={label}
      className={cx(
        "inline-flex shrink-0 items-center justify-center rounded-control text-muted transition-colors duration-[120ms] hover:bg-hover hover:text-text data-disabled:cursor-not-allowed data-pressed:bg-active data-disabled:text-faint",
        SQUARE[size],
        className,
      )}
    >
      <Icon name={icon} size={iconSize} />
    </AriaButton>
  );
}
