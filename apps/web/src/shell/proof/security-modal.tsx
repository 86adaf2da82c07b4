// The surface of a security change: a title, its content, and a way out. Opens over the page and keeps the focus.
import { Icon } from "@clockwork/ui/icon";
import { type ReactNode, useEffect, useRef } from "react";
import { Modal } from "#shell/modal.tsx";
import { useAccountText } from "#words/account-text.ts";

export interface SecurityModalProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** For a form of many fields. */
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function SecurityModal({ title, lead, wide, onClose, children }: SecurityModalProps) {
  const text = useAccountText();
  const content = useRef<HTMLDivElement>(null);
  // Opening puts the focus on the cross; the input comes first.
  useEffect(() => content.current?.querySelector<HTMLElement>("input")?.focus(), []);
  return (
    <Modal
      label={title}
      onClose={onClose}
      className={`m-auto max-h-[calc(100dvh-32px)]! max-w-[calc(100vw-32px)]! overflow-y-auto rounded-panel shadow-raised ${wide ? "w-[560px]" : "w-[440px]"}`}
    >
      <div ref={content} className="p-6">
        <header className={`flex ${wide ? "mb-4" : "mb-1"} items-start justify-between gap-4`}>
          <h2 className="text-[20px] text-text leading-7 [font-weight:620]">{title}</h2>
          <button
            type="button"
            aria-label={text("label.close")}
            onClick={onClose}
            className="-m-1.5 flex size-9 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text"
          >
            <Icon name="close" />
          </button>
        </header>
        {lead !== undefined && <p className="mb-5 text-muted text-ui leading-[22px]">{lead}</p>}
        {children}
      </div>
    </Modal>
  );
}
