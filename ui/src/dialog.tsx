// A dialog: focus held inside, Esc closes, draggable by its head on desktop, always reachable again. On phones it is a sheet
// at the bottom edge, above the keyboard, that a swipe down ends; the widest ones are a page of their own there.

import { type ReactElement, type ReactNode, useRef } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Dialog as AriaDialog, DialogTrigger as AriaDialogTrigger, Heading } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useDialogDrag } from "./hooks/use-dialog-drag.ts";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";

export interface DialogProps {
  readonly title: string;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  /** Buttons, right below the content; the main one last. */
  readonly actions?: ReactNode | ((close: () => void) => ReactNode);
  /** The element that opens it; or drive it with isOpen. */
  readonly trigger?: ReactElement | undefined;
  readonly isOpen?: boolean | undefined;
  readonly onOpenChange?: ((isOpen: boolean) => void) | undefined;
  readonly size?: "small" | "medium" | "broad" | "large" | "wide" | undefined;
  /** An alert requires a decision: pressing outside does not close it. */
  readonly alert?: boolean | undefined;
  readonly undraggable?: boolean | undefined;
  readonly surface?: "terminal" | undefined;
}

const WIDTHS = {
  small: "w-[376px]",
  medium: "w-[480px]",
  broad: "w-[584px]",
  large: "w-[720px]",
  wide: "w-[1064px]",
} as const;

/** On phones: most of what is left of the screen above a keyboard, or all of it. */
const SHEET_HEIGHT = "max-md:max-h-[calc(var(--visual-viewport-height)*0.88)]";
const PAGE_HEIGHT = "max-md:h-(--visual-viewport-height) max-md:max-h-none";

function run(part: ReactNode | ((close: () => void) => ReactNode), close: () => void): ReactNode {
  return typeof part === "function" ? part(close) : part;
}

/** The cross at the head of dialogs and sheets. */
export function CloseButton() {
  const labels = useLabels();
  return (
    <AriaButton
      slot="close"
      aria-label={labels.closeDialog}
      className="-m-1.5 flex size-8 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text dark:hover:bg-active"
    >
      <Icon name="close" />
    </AriaButton>
  );
}

/** The inside of a dialog, also usable where a page shows a dialog in place. */
export function DialogFrame({
  title,
  children,
  actions,
  head,
  hasGrip = false,
}: Pick<DialogProps, "title"> & {
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly head?: object | undefined;
  /** A phone's sheet that a swipe ends shows where to take it. */
  readonly hasGrip?: boolean;
}) {
  return (
    <>
      <div
        {...head}
        className={cx("select-none px-5 pt-5 pb-3 max-md:px-4", hasGrip && "max-md:touch-none max-md:pt-2")}
      >
        {hasGrip && <span className="mx-auto mb-2 block h-1 w-9 rounded-full bg-line-strong md:hidden" />}
        <div className="flex items-center justify-between gap-4">
          <Heading slot="title" className="text-card text-text">
            {title}
          </Heading>
          <CloseButton />
        </div>
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-5 pb-5 max-md:px-4 max-md:pb-4">
        {children}
      </div>
      {actions !== undefined && <div className="flex gap-2 px-5 pb-5 *:flex-1 max-md:px-4 max-md:pb-4">{actions}</div>}
    </>
  );
}

function DialogModal(props: DialogProps) {
  const { title, children, actions, size = "small", alert = false, undraggable = false, surface } = props;
  const box = useRef<HTMLDivElement>(null);
  const isPage = size === "wide";
  const hasGrip = !alert && !isPage;
  const { reset, headOf } = useDialogDrag(box, { isFixed: undraggable, isSwiped: hasGrip });
  return (
    <ModalOverlay
      {...given({ isOpen: props.isOpen, onOpenChange: props.onOpenChange })}
      isDismissable={!alert}
      data-surface={surface}
      className="fixed inset-0 z-dialog flex items-center justify-center bg-scrim p-4 transition-opacity duration-150 data-entering:opacity-0 data-exiting:opacity-0 max-md:bottom-auto max-md:h-(--visual-viewport-height) max-md:items-end max-md:p-0"
    >
      <Modal
        ref={box}
        onEnter={reset}
        className={cx(
          "max-h-full max-w-full rounded-card bg-raised text-text dark:terminal:[--control:var(--active)] dark:terminal:[--track:var(--bg)] shadow-raised transition-[opacity,scale] duration-150 ease-tick data-entering:scale-[0.98] data-entering:opacity-0 data-exiting:opacity-0 max-md:w-full max-md:rounded-none max-md:transition-[translate] max-md:data-entering:translate-y-full max-md:data-exiting:translate-y-full max-md:data-entering:scale-100 max-md:data-exiting:opacity-100 max-md:data-entering:opacity-100",
          WIDTHS[size],
          !isPage && "max-md:rounded-t-[16px]",
        )}
      >
        <AriaDialog
          role={alert ? "alertdialog" : "dialog"}
          className={cx(
            "flex max-h-[calc(100dvh-32px)] flex-col outline-none max-md:pb-[env(safe-area-inset-bottom)]",
            isPage ? PAGE_HEIGHT : SHEET_HEIGHT,
          )}
        >
          {({ close }) => (
            <DialogFrame title={title} head={headOf(close)} hasGrip={hasGrip} actions={run(actions, close)}>
              {run(children, close)}
            </DialogFrame>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export function Dialog(props: DialogProps) {
  if (props.trigger === undefined) return <DialogModal {...props} />;
  return (
    <AriaDialogTrigger {...given({ isOpen: props.isOpen, onOpenChange: props.onOpenChange })}>
      {props.trigger}
      <DialogModal {...props} isOpen={undefined} onOpenChange={undefined} />
    </AriaDialogTrigger>
  );
}
