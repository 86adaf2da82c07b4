// The small header of narrow screens for steps of a flow: a way back (unless the route suppresses it) and the title.
import { Icon } from "@clockwork/ui/icon";
import { useNavigate } from "react-router";
import { useSiteText } from "#words/site-text.ts";

export interface MobileHeaderProps {
  readonly title: string;
  readonly noReturn: boolean;
}

export function MobileHeader({ title, noReturn }: MobileHeaderProps) {
  const text = useSiteText();
  const navigate = useNavigate();
  return (
    <header className="sticky top-0 z-header flex h-14 shrink-0 items-center border-line border-b bg-header px-2 lg:hidden">
      {!noReturn && (
        <button
          type="button"
          aria-label={text("error.back")}
          className="flex size-10 items-center justify-center rounded-control hover:bg-hover"
          onClick={() => void navigate(-1)}
        >
          <Icon name="arrow-left" size={20} />
        </button>
      )}
      <p className="-translate-x-1/2 absolute left-1/2 font-semibold text-[16px]">{title}</p>
    </header>
  );
}
