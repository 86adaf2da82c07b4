// The button that names the pair and opens the list of all pairs. The list is loaded on first use.

import { Icon } from "@clockwork/ui/icon";
import { Suspense, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { lazy } from "#boot/timeout.ts";
import { frames } from "#live/frame-loop.ts";
import { useOwnHotkey } from "#trade/own-keys.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";

const PairDrawer = lazy(() => import("./pair-drawer.tsx").then((module) => ({ default: module.PairDrawer })));

export function PairPicker() {
  const text = useTerminalText();
  const { pair } = useTerminalData();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const navigate = useNavigate();
  const sitePath = useSitePath();
  useOwnHotkey("pairs", () => setOpen(true));
  const { words, path } = useProduct();
  const name = words.nameOf(pair.pairCode);
  const close = () => {
    setOpen(false);
    // After the dialog has given the focus back: a changed pair must not lose the keyboard's place.
    frames.draw(() => button.current?.focus());
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={text("pick", { pair: name })}
        className="t-pair"
        onClick={() => setOpen(true)}
      >
        {name}
        <Icon name="chevron-down" />
      </button>
      <Suspense fallback={null}>
        {isOpen && (
          <PairDrawer
            current={pair.pairCode}
            onClose={close}
            onChoose={(pairCode) => {
              close();
              void navigate(sitePath(`${path}/${pairCode}`));
            }}
          />
        )}
      </Suspense>
    </>
  );
}
