// The corner of a header: the panel of language, currency and looks, and the theme's switch.
import { FrameIcon } from "@clockwork/ui/frame-icon";
import { Suspense, useRef, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { useText } from "#words/text.ts";

const SettingsPanel = lazy(() => import("./settings-panel.tsx").then((module) => ({ default: module.SettingsPanel })));
const ThemePanel = lazy(() => import("./settings-panel.tsx").then((module) => ({ default: module.ThemePanel })));

export const QUIET = "flex h-9 items-center gap-1.5 rounded-control px-2.5 text-muted hover:bg-hover hover:text-text";

export interface SettingsCornerProps {
  /** Where the width does not allow the currency next to the language. */
  readonly short?: boolean;
  /** Which widths the panel's button, and the theme's, are shown at. */
  readonly panelClass: string;
  readonly themeClass: string;
}

export function SettingsCorner({ short = false, panelClass, themeClass }: SettingsCornerProps) {
  return (
    <>
      <PanelButton short={short} className={panelClass} />
      <ThemeButton className={themeClass} />
    </>
  );
}

function PanelButton({ short, className }: { readonly short: boolean; readonly className: string }) {
  const text = useText();
  const language = useGlobal((state) => state.language.lang.slice(0, 2).toUpperCase());
  const currency = useGlobal((state) => state.currency);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className={`relative ${className}`}>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-label={text("settings.button", { language, currency })}
        className={`${QUIET} text-[13px]`}
        onClick={() => setOpen(!open)}
      >
        <FrameIcon name="globe" />
        {short ? language : `${language} · ${currency}`}
      </button>
      <Suspense fallback={null}>{open && <SettingsPanel anchor={button} onClose={close} />}</Suspense>
    </div>
  );
}

/** One switch with all there is to choose; what it offers comes when it is opened. */
export function ThemeButton({ className }: { readonly className: string }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className={`relative ${className}`}>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-label={text("theme.choose")}
        className={QUIET}
        onClick={() => setOpen(!open)}
      >
        {/* Both are drawn and the theme shows one, independent of the server. */}
        <FrameIcon name="sun" size={18} className="dark:hidden" />
        <FrameIcon name="moon" size={18} className="hidden dark:block" />
      </button>
      <Suspense fallback={null}>{open && <ThemePanel anchor={button} onClose={close} />}</Suspense>
    </div>
  );
}
