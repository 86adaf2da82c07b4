// The ordinary frame: header, page, footer, and what floats above them, each as the route's flags and the shell allow.
import { Outlet, useNavigate } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { usePageFlags } from "#boot/page-flags.ts";
import { useSitePath } from "#boot/site-link.tsx";
import { clearApplicationError, useGlobal, useGlobalStore } from "#boot/state.ts";
import { SiteHeader } from "#shell/site-header.tsx";
import { useText } from "#words/text.ts";

const BottomBar = latePart(async () => (await import("#shell/bottom-bar.tsx")).BottomBar);
const ChatBubble = latePart(async () => (await import("../features/chat/bubble.tsx")).ChatBubble);
const ErrorView = latePart(async () => (await import("#shell/error-page.tsx")).ErrorView);
const IdentityPopup = latePart(async () => (await import("../features/kyc/identity-popup.tsx")).IdentityPopup);
const LiveNotices = latePart(async () => (await import("#shell/live-notices.tsx")).LiveNotices);
const MobileHeader = latePart(async () => (await import("#shell/mobile-header.tsx")).MobileHeader);
const Notice = latePart(async () => (await import("#shell/notice.tsx")).Notice);
const SiteFooter = latePart(async () => (await import("#shell/site-footer.tsx")).SiteFooter);
const SystemBanner = latePart(async () => (await import("#shell/system-banner.tsx")).SystemBanner);
const UndecidedBanner = latePart(async () => (await import("#shell/undecided-banner.tsx")).UndecidedBanner);

export default function DefaultLayout() {
  const text = useText();
  const shell = useGlobal((state) => state.shell);
  const systemOut = useGlobal((state) => state.systemOut);
  const undecided = useGlobal((state) => state.undecided);
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  const identityPopup = useGlobal((state) => state.identityPopup);
  const page = usePageFlags();
  const inShell = shell !== undefined;
  const mobileHeader = page?.mobileHeader === true;
  // A terminal brings its own bars on narrow screens.
  const isTerminal = page?.surface === "terminal";
  // Operators answer chats in their console; they open none from there.
  const isDesk = page?.path.startsWith("/operator") === true;
  // Sign-in and sign-up have one task; a bar would cover their buttons.
  const isEntry = page?.signedOut === true;
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-bar focus:rounded-control focus:bg-raised focus:px-4 focus:py-2 focus:shadow-raised"
      >
        {text("site.skip")}
      </a>
      {systemOut && <SystemBanner />}
      {undecided && <UndecidedBanner />}
      {!inShell && mobileHeader && <MobileHeader title={page.title} noReturn={page.noReturn === true} />}
      {!inShell && <SiteHeader hideOnMobile={mobileHeader || isTerminal} />}
      {!inShell && isTerminal && <Notice isBar />}
      <Content />
      {!inShell && page?.footer !== false && <SiteFooter />}
      {!inShell && !isTerminal && !isEntry && <BottomBar />}
      {isSignedIn && !inShell && !isTerminal && !isDesk && <ChatBubble />}
      {!inShell && !isTerminal && <Notice />}
      {identityPopup && <IdentityPopup />}
      {isSignedIn && <LiveNotices hasOwnPlace={isTerminal} />}
    </>
  );
}

/** The page, or the global application error in its place until it is cleared. */
function Content() {
  const error = useGlobal((state) => state.applicationError);
  const store = useGlobalStore();
  const navigate = useNavigate();
  const home = useSitePath()("/");
  if (error === undefined) return <Outlet />;
  const leave = () => clearApplicationError(store, () => void navigate(home));
  return <ErrorView status={error.status === 404 ? 404 : 500} message={error.message} onLeave={leave} />;
}
