// The header's panel with a visitor's choices. Opens under its button, closes on Escape, on a click elsewhere and when
// the focus leaves it.
import { type RefObject, useEffect, useRef } from "react";
import { useSiteText } from "#words/site-text.ts";
import { SettingsForm } from "./settings-form.tsx";

export interface SettingsPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

export function SettingsPanel({ anchor, onClose }: SettingsPanelProps) {
  const text = useSiteText();
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
      aria-label={text("settings.title")}
      className="absolute top-full right-0 z-popover mt-[22px] w-[360px] rounded-card bg-raised p-5 shadow-raised"
    >
      <SettingsForm />
    </div>
  );
}
