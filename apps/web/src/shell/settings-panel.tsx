// The header's panels with a visitor's choices. Each opens under its button, closes on Escape, on a click elsewhere and when
// the focus leaves it.
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useSiteText } from "#words/site-text.ts";
import { SettingsForm, ThemeChoices } from "./settings-form.tsx";

export interface SettingsPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

export function SettingsPanel({ anchor, onClose }: SettingsPanelProps) {
  const text = useSiteText();
  return (
    <Panel anchor={anchor} onClose={onClose} label={text("settings.title")} className="w-[360px]">
      <SettingsForm />
    </Panel>
  );
}

/** The theme's own small panel. */
export function ThemePanel({ anchor, onClose }: SettingsPanelProps) {
  const text = useSiteText();
  return (
    <Panel anchor={anchor} onClose={onClose} label={text("settings.theme")} className="w-[300px]">
      <ThemeChoices />
    </Panel>
  );
}

interface PanelProps extends SettingsPanelProps {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}

function Panel({ anchor, onClose, label, className, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>("input:checked")?.focus();
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && onClose();
    const onPointer = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!panel.current?.contains(target) && !anchor.current?.contains(target)) onClose();
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onPointer);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onPointer);
    };
  }, [anchor, onClose]);
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={label}
      className={`absolute top-full right-0 z-popover mt-[22px] rounded-card bg-raised p-5 shadow-raised ${className}`}
    >
      {children}
    </div>
  );
}
