// What order forms have around their fields: keys, the line that prompts a visitor to log in, errors of the whole form.
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { loginPath } from "#session/login-path.ts";
import { useOwnHotkey } from "#trade/own-keys.ts";
import type { TradeSide } from "#trade/trade-order.ts";
import { useTradeText } from "#trade/trade-text.ts";

export interface FormKeys {
  readonly setSide: (side: TradeSide) => void;
  readonly submit: () => void;
}

interface KeysState {
  /** The form is covered. */
  readonly isCovered: boolean;
  readonly isSignedIn: boolean;
}

/**
 * The user's keys choose the side. Enter sends also where no field has the focus; inside one the browser's own Enter
 * does.
 */
export function useFormHotkeys(form: FormKeys, { isCovered, isSignedIn }: KeysState): void {
  useOwnHotkey("buy", () => form.setSide("buy"), { isDisabled: isCovered });
  useOwnHotkey("sell", () => form.setSide("sell"), { isDisabled: isCovered });
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  const isListening = isSignedIn && !isCovered;
  useEffect(() => {
    if (!isListening) return;
    const listen = (event: KeyboardEvent) => {
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (event.key === "Enter" && isFree && !event.defaultPrevented) latest.current.submit();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isListening]);
}

/** The field's input is found by its name: fields are many and each kind has others. */
export function focusField(field: string | undefined): void {
  if (field === undefined) return;
  document.querySelector<HTMLInputElement>(`[data-order-form] [name="${field}"]`)?.focus();
}

interface FormProblemProps {
  readonly problem: string | undefined;
  /** The order would go to a market that may be elsewhere by now. */
  readonly isStale: boolean;
}

/** Refusals that belong to no single field, and warnings before sending. */
export function FormProblem({ problem, isStale }: FormProblemProps) {
  const text = useTradeText();
  return (
    <div aria-live="polite" className="empty:-mt-2">
      {problem !== undefined && (
        <p className="flex items-start gap-1.5 text-danger">
          <Icon name="warning" size={13} className="mt-[1.5px]" />
          {problem}
        </p>
      )}
      {isStale && <p className="text-warn">{text("staleMarket")}</p>}
    </div>
  );
}

export function VisitorLine() {
  const text = useTradeText();
  const { pathname, search } = useLocation();
  return (
    <div className="flex flex-col gap-2">
      <a
        href={loginPath(pathname, pathname + search)}
        className={buttonClass({ kind: "primary", size: 40, wide: true })}
      >
        {text("visitor")}
      </a>
      <p className="text-center text-muted">
        <SiteLink to="/register-cw" className="font-medium text-text underline underline-offset-2">
          {text("signUp")}
        </SiteLink>{" "}
        {text("visitorNote")}
      </p>
    </div>
  );
}
