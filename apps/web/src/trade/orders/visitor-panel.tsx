// Replaces own orders for visitors who are not signed in: a link to log in.
import { useLocation } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { loginPath } from "#session/login-path.ts";
import { useTradeText } from "#trade/trade-text.ts";

export function VisitorPanel() {
  const text = useTradeText();
  const { pathname, search } = useLocation();
  return (
    <section
      aria-label={text("orders")}
      className="flex h-full min-h-24 items-center justify-center p-4 text-label text-muted"
    >
      <p>
        <a href={loginPath(pathname, pathname + search)} className="font-medium text-text underline underline-offset-2">
          {text("logIn")}
        </a>{" "}
        /{" "}
        <SiteLink to="/register-cw" className="font-medium text-text underline underline-offset-2">
          {text("signUp")}
        </SiteLink>{" "}
        {text("visitorOrders")}
      </p>
    </section>
  );
}
