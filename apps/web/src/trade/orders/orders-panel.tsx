// The orders panel of the spot terminal. Visitors see where to log in; everybody else's orders wake after the page.
import { useLocation } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { loginPath } from "#session/login-path.ts";
import { useSpotText } from "../../features/spot/spot-text.ts";

const OwnOrders = latePart(async () => (await import("./own-orders.tsx")).OwnOrders);

export function OrdersPanel() {
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  return isSignedIn ? <OwnOrders /> : <VisitorPanel />;
}

function VisitorPanel() {
  const text = useSpotText();
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
