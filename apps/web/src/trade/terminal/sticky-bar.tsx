// The two buttons at the bottom edge of a phone. The form decides what is below the names.
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useLocation } from "react-router";
import { useGlobal } from "#boot/state.ts";
import { loginPath } from "#session/login-path.ts";
import { useProduct } from "#trade/product.ts";
import { useLinked, useTerminalLink } from "#trade/terminal-link.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";

export function StickyBar() {
  const text = useTerminalText();
  const link = useTerminalLink();
  const { pair } = useTerminalData();
  const { sides } = useProduct();
  const notes = useLinked(link.formNotes);
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  const { pathname, search } = useLocation();
  if (!isSignedIn) {
    return (
      <div className="t-sticky t-only-narrow">
        <a
          href={loginPath(pathname, pathname + search)}
          className={buttonClass({ kind: "primary", size: 48, wide: true })}
        >
          {text("logInToTrade")}
        </a>
      </div>
    );
  }
  return (
    <div className="t-sticky t-only-narrow">
      <button type="button" className="bg-up-solid text-on-up" onClick={() => link.pressSide("buy")}>
        {sides?.buy ?? text("buy", { asset: pair.base })}
        {notes.buy !== "" && <small>{notes.buy}</small>}
      </button>
      <button type="button" className="bg-down-solid text-on-down" onClick={() => link.pressSide("sell")}>
        {sides?.sell ?? text("sell", { asset: pair.base })}
        {notes.sell !== "" && <small>{notes.sell}</small>}
      </button>
    </div>
  );
}
