// A raised panel beside what opened it. For content with its own controls; plain commands are a menu.

import type { ReactElement, ReactNode } from "react";
import { Dialog as AriaDialog, DialogTrigger } from "react-aria-components/Dialog";
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from "react-aria-components/Popover";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";

/** Base z-index of the product instead of the library's 100000. */
export const POPOVER_CLASS =
  "z-popover! overflow-auto rounded-control bg-raised text-text shadow-raised outline-none overlay-tick data-entering:opacity-0 data-exiting:opacity-0 data-[placement=bottom]:data-entering:-translate-y-1 data-[placement=top]:data-entering:translate-y-1";

export interface PopoverProps {
  readonly trigger: ReactElement;
  readonly label: string;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly placement?: AriaPopoverProps["placement"];
  readonly isOpen?: boolean | undefined;
  readonly onOpenChange?: ((isOpen: boolean) => void) | undefined;
  readonly surface?: "terminal" | undefined;
  readonly className?: string | undefined;
}

export function Popover({
  trigger,
  label,
  children,
  placement,
  isOpen,
  onOpenChange,
  surface,
  className,
}: PopoverProps) {
  return (
    <DialogTrigger {...given({ isOpen, onOpenChange })}>
      {trigger}
      <AriaPopover {...given({ placement })} data-surface={surface} className={cx(POPOVER_CLASS, className ?? "p-4")}>
        <AriaDialog aria-label={label} className="outline-none">
          {({ close }) => (typeof children === "function" ? children(close) : children)}
        </AriaDialog>
      </AriaPopover>
    </DialogTrigger>
  );
}
