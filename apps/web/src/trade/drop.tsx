// A panel or menu that drops from a button, in the browser's top layer: light dismissal, Escape and the way back of the
// focus are the browser's own. Small on purpose: the terminal's first load has no room for more.
import { Icon } from "@clockwork/ui/icon";
import { cx } from "@clockwork/ui/logic/class-names";
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";

const EDGE_PX = 8;
const GAP_PX = 4;

/** Below the button where there is room, else above; never past the screen's edges. */
function placeBeside(panel: HTMLElement, button: HTMLElement, align: "start" | "end"): void {
  const at = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const wanted = align === "start" ? at.left : at.right - width;
  const left = Math.max(EDGE_PX, Math.min(wanted, innerWidth - width - EDGE_PX));
  const below = at.bottom + GAP_PX;
  const top = below + height <= innerHeight - EDGE_PX ? below : Math.max(EDGE_PX, at.top - GAP_PX - height);
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
}

export interface DropProps {
  readonly label: string;
  readonly button: ReactNode;
  readonly buttonClass: string;
  readonly children: (close: () => void) => ReactNode;
  readonly align?: "start" | "end" | undefined;
  readonly kind?: "menu" | "dialog" | undefined;
  readonly className?: string | undefined;
  /** For buttons that show an icon alone. */
  readonly buttonLabel?: string | undefined;
}

export function Drop({
  label,
  button,
  buttonClass,
  children,
  align = "start",
  kind,
  className,
  buttonLabel,
}: DropProps) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (!isOpen || panel.current === null || trigger.current === null) return;
    const [box, button] = [panel.current, trigger.current];
    const settle = () => {
      placeBeside(box, button, align);
      const first = box.querySelector<HTMLElement>("[aria-checked=true], [autofocus], input, button, a");
      first?.focus({ preventScroll: true });
      if (first !== null) late.disconnect();
    };
    // What is inside may arrive a moment after the panel.
    const late = new MutationObserver(settle);
    late.observe(box, { childList: true, subtree: true });
    settle();
    return () => late.disconnect();
  }, [isOpen, align]);
  const close = () => panel.current?.hidePopover();
  return (
    <>
      <button
        ref={trigger}
        type="button"
        popoverTarget={id}
        aria-haspopup={kind ?? "dialog"}
        aria-expanded={isOpen}
        aria-label={buttonLabel}
        title={buttonLabel}
        className={buttonClass}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        {...(kind === "menu" ? {} : { role: "dialog", "aria-label": label })}
        onToggle={(event) => setOpen(event.newState === "open")}
        className={cx("t-drop", className)}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
}

export interface MenuChoice {
  readonly id: string;
  readonly title: string;
  readonly detail?: string | undefined;
  /** Shows more while the pointer rests on it. */
  readonly hint?: string | undefined;
}

function stepFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role^=menuitem]")];
  const now = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items[(to + items.length) % items.length]?.focus();
}

export interface ChoiceListProps {
  readonly label: string;
  readonly choices: readonly MenuChoice[];
  readonly selected?: string | undefined;
  readonly onChoose: (id: string) => void;
}

export function ChoiceList({ label, choices, selected, onChoose }: ChoiceListProps) {
  return (
    <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={stepFocus} className="flex flex-col p-1">
      {choices.map((choice) => (
        <button
          key={choice.id}
          type="button"
          role="menuitemradio"
          aria-checked={choice.id === selected}
          title={choice.hint}
          onClick={() => onChoose(choice.id)}
          className="t-choice"
        >
          <span className="flex-1 text-left">{choice.title}</span>
          {choice.detail !== undefined && <span className="figures text-muted">{choice.detail}</span>}
          {choice.id === selected && <Icon name="check" size={14} className="text-accent" />}
        </button>
      ))}
    </div>
  );
}

export interface ChoiceDropProps extends ChoiceListProps, Pick<DropProps, "button" | "buttonClass" | "align"> {
  readonly buttonLabel?: string | undefined;
}

export function ChoiceDrop({ button, buttonClass, align, buttonLabel, onChoose, ...list }: ChoiceDropProps) {
  return (
    <Drop
      label={list.label}
      kind="menu"
      button={button}
      buttonClass={buttonClass}
      align={align}
      buttonLabel={buttonLabel}
    >
      {(close) => (
        <ChoiceList
          {...list}
          onChoose={(id) => {
            close();
            onChoose(id);
          }}
        />
      )}
    </Drop>
  );
}
