// The avatar at the header's end: the button of the account menu. Its panel is fetched when a pointer or the focus comes
// near, so that a page which nobody signs out of carries none of it.
import { Avatar } from "@clockwork/ui/avatar";
import { lazy, Suspense, useCallback, useId, useRef, useState } from "react";
import { avatarName } from "./avatar-name.ts";
import { useSiteText } from "./site-text.ts";
import { useGlobal } from "./state.ts";

const load = () => import("./account-menu.tsx");
const AccountMenu = lazy(() => load().then((module) => ({ default: module.AccountMenu })));

export function AccountAvatar() {
  const text = useSiteText();
  const id = useId();
  const anchor = useGlobal((state) => state.anchorInfo);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const dismiss = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  const avatar = typeof anchor?.avatar === "number" ? anchor.avatar : 0;
  return (
    <div className="lg:relative">
      <button
        ref={button}
        type="button"
        aria-label={text("account.open")}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className="flex size-9 items-center justify-center rounded-full hover:bg-hover aria-expanded:bg-hover"
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => (open ? dismiss() : setOpen(true))}
      >
        <span aria-hidden="true" className="flex">
          <Avatar name={avatarName(avatar)} size={28} />
        </span>
      </button>
      <Suspense fallback={null}>
        {open && <AccountMenu id={id} anchor={button} onDismiss={dismiss} onClose={close} />}
      </Suspense>
    </div>
  );
}
