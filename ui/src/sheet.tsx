// A sheet from the bottom edge for phones: swipe down, press outside or Esc to close. Focus is held inside.

import type { ReactElement, ReactNode } from "react";
import { Heading } from "react-aria-components/Dialog";
import {
  Sheet as AriaSheet,
  SheetBackdrop,
  SheetContent,
  SheetOverlay,
  SheetTrigger,
} from "react-aria-components/Sheet";
import { CloseButton } from "./dialog.tsx";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";

export interface SheetProps {
  readonly title: string;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly trigger?: ReactElement | undefined;
  readonly isOpen?: boolean | undefined;
  readonly onOpenChange?: ((isOpen: boolean) => void) | undefined;
  /** From the bottom on phones; from the right for side panels on wide screens. */
  readonly position?: "bottom" | "right" | "left" | undefined;
  readonly surface?: "terminal" | undefined;
}

/** The library slides the sheet by native scrolling, so size and shape are all there is to say. */
const PLACES = {
  bottom: "max-h-[88dvh] w-full max-w-[560px] rounded-t-[16px]",
  right: "h-dvh w-[400px] max-w-[88vw]",
  left: "h-dvh w-[320px] max-w-[88vw]",
} as const;

function SheetPanel({ title, children, position = "bottom", surface, isOpen, onOpenChange }: SheetProps) {
  return (
    <SheetOverlay {...given({ isOpen, onOpenChange })} position={position} data-surface={surface} className="z-dialog">
      <SheetBackdrop className="absolute inset-0 bg-scrim transition-opacity duration-[180ms] data-entering:opacity-0 data-exiting:opacity-0" />
      <AriaSheet className={cx("flex flex-col bg-raised text-text shadow-raised", PLACES[position])}>
        <SheetContent className="flex min-h-0 flex-1 flex-col outline-none">
          {({ close }) => (
            <>
              {position === "bottom" && <span className="mx-auto mt-2 h-1 w-9 rounded-full bg-line-strong" />}
              <div className="flex items-center justify-between gap-4 px-4 pt-3 pb-2">
                <Heading slot="title" className="text-card">
                  {title}
                </Heading>
                <CloseButton />
              </div>
              <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-[max(16px,env(safe-area-inset-bottom))]">
                {typeof children === "function" ? children(close) : children}
              </div>
            </>
          )}
        </SheetContent>
      </AriaSheet>
    </SheetOverlay>
  );
}

export function Sheet(props: SheetProps) {
  if (props.trigger === undefined) return <SheetPanel {...props} />;
  return (
    <SheetTrigger {...given({ isOpen: props.isOpen, onOpenChange: props.onOpenChange })}>
      {props.trigger}
      <SheetPanel {...props} isOpen={undefined} onOpenChange={undefined} />
    </SheetTrigger>
  );
}
