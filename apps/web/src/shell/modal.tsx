// A modal surface on the browser's own dialog: focus is kept inside, Escape closes, the page behind is inert. For panels
// of the frame that must not bring a component library with them.
import { type ReactNode, type RefObject, useEffect, useRef } from "react";

export interface ModalProps {
  readonly label: string;
  readonly className: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Modal({ label, className, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useOpen(dialog);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by the dialog's own cancel event
    <dialog
      ref={dialog}
      aria-label={label}
      className={`m-0 max-h-none max-w-none overscroll-contain bg-raised text-text backdrop:bg-scrim ${className}`}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      {children}
    </dialog>
  );
}

function useOpen(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open) return;
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, [dialog]);
}
