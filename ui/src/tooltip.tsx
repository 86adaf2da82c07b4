// A short word about what the pointer or the keyboard is on. Never holds anything one must be able to press.

import type { ReactElement, ReactNode } from "react";
import {
  Tooltip as AriaTooltip,
  type TooltipProps as AriaTooltipProps,
  OverlayArrow,
  TooltipTrigger,
} from "react-aria-components/Tooltip";
import { given } from "./logic/given.ts";

const OPEN_DELAY_MS = 400;

export interface TooltipProps {
  readonly text: ReactNode;
  /** One pressable or focusable element. */
  readonly children: ReactElement;
  readonly placement?: AriaTooltipProps["placement"];
}

export function TooltipBubble({ text, placement }: Pick<TooltipProps, "text" | "placement">) {
  return (
    <AriaTooltip
      {...given({ placement })}
      offset={8}
      className="z-tooltip! max-w-60 rounded-[4px] bg-tooltip px-2 py-1.5 text-label text-on-tooltip overlay-tick data-entering:opacity-0 data-exiting:opacity-0"
    >
      <OverlayArrow>
        {({ placement: side }) => (
          <svg
            width={10}
            height={5}
            viewBox="0 0 10 5"
            aria-hidden="true"
            className={side === "bottom" ? "block rotate-180 fill-tooltip" : "block fill-tooltip"}
          >
            <path d="M0 0L5 5L10 0" />
          </svg>
        )}
      </OverlayArrow>
      {text}
    </AriaTooltip>
  );
}

export function Tooltip({ text, children, placement }: TooltipProps) {
  return (
    <TooltipTrigger delay={OPEN_DELAY_MS} closeDelay={80}>
      {children}
      <TooltipBubble text={text} placement={placement} />
    </TooltipTrigger>
  );
}
