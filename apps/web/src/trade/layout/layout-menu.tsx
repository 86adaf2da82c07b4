// The button of the layout's menu; what it opens is no part of the first load.
import { Icon } from "@clockwork/ui/icon";
import { Suspense } from "react";
import { lazy } from "#boot/timeout.ts";
import { Drop } from "#trade/drop.tsx";
import { useTerminalText } from "#trade/terminal-text.ts";

const LayoutChoices = lazy(() => import("./layout-choices.tsx").then((part) => ({ default: part.LayoutChoices })));

export function LayoutMenu() {
  const text = useTerminalText();
  return (
    <Drop
      label={text("layout")}
      align="end"
      buttonClass="t-button max-lg:hidden"
      className="w-[264px]"
      button={
        <>
          <Icon name="grid" size={14} /> {text("layout")}
        </>
      }
    >
      {(close) => (
        <Suspense fallback={<div className="h-[340px]" />}>
          <LayoutChoices close={close} />
        </Suspense>
      )}
    </Drop>
  );
}
