// The frame of a dialog about one position: its name in the head, a notice when the position ends while it is open.
import type { FuturesPosition } from "@clockwork/trading/positions/contract";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { Icon } from "@clockwork/ui/icon";
import { SkeletonRows } from "@clockwork/ui/skeleton";
import type { ReactNode } from "react";
import { useProduct } from "#trade/product.ts";
import { useFuturesText } from "../model/futures-text.ts";

interface PositionDialogProps {
  readonly title: string;
  readonly position: FuturesPosition | undefined;
  readonly onClose: () => void;
  readonly size?: "small" | "medium" | "broad";
  readonly action?: {
    readonly label: string;
    readonly kind?: "primary" | "buy" | "sell";
    readonly isBusy: boolean;
    readonly isDisabled?: boolean;
    readonly onPress: () => void;
  };
  readonly children: ReactNode;
}

export function PositionDialog({ title, position, onClose, size = "small", action, children }: PositionDialogProps) {
  const text = useFuturesText();
  const { words } = useProduct();
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      surface="terminal"
      size={size}
      actions={
        <>
          <Button size={36} onPress={onClose} autoFocus={action?.kind === "sell" || action?.kind === "buy"}>
            {text("back")}
          </Button>
          {action !== undefined && (
            <Button
              kind={action.kind ?? "primary"}
              size={36}
              busy={action.isBusy}
              isDisabled={action.isDisabled === true}
              onPress={action.onPress}
            >
              {action.label}
            </Button>
          )}
        </>
      }
    >
      {position === undefined ? (
        <SkeletonRows rows={4} />
      ) : (
        <>
          <p className="figures text-label text-muted">
            {words.nameOf(position.pairCode)} {text(position.side)} {position.quantity} ·{" "}
            {text("times", { leverage: position.leverage })} {text(position.mode)}
          </p>
          {children}
        </>
      )}
    </Dialog>
  );
}

interface FactBoxProps {
  /** Above and below the facts: a list of facts holds nothing else. */
  readonly head?: ReactNode;
  readonly foot?: ReactNode;
  readonly indented?: boolean;
  readonly children: ReactNode;
}

export function FactBox({ head, foot, indented = false, children }: FactBoxProps) {
  return (
    <div className="rounded-control border border-line bg-surface px-3 py-2 text-label dark:bg-bg">
      {head}
      <dl className={indented ? "pl-7" : undefined}>{children}</dl>
      {foot}
    </div>
  );
}

export function Moved({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <>
      <span className="font-normal text-muted">{before} → </span>
      {after}
    </>
  );
}

export function Hint({
  tone = "info",
  children,
}: {
  readonly tone?: "info" | "warn" | "danger";
  readonly children: ReactNode;
}) {
  const look = { info: "text-muted", warn: "text-warn", danger: "text-danger" }[tone];
  return (
    <p role={tone === "danger" ? "alert" : undefined} className={`flex items-start gap-1.5 text-label ${look}`}>
      <Icon name={tone === "info" ? "info" : "warning"} size={13} className="mt-[1.5px] shrink-0" />
      <span>{children}</span>
    </p>
  );
}
