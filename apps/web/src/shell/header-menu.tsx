// One entry of the header's navigation: a link, or a button with a panel that opens on hover after 80 ms, on Enter or
// ArrowDown, and closes on Escape. Before hydration, hovering opens it by style alone.
import { Icon } from "@clockwork/ui/icon";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "react-router";
import { SiteLink, useSitePath } from "#boot/site-link.tsx";
import { useSiteText } from "#words/site-text.ts";
import type { MenuColumn, MenuGroup } from "./menu.ts";

const OPEN_DELAY_MS = 80;
const CLOSE_DELAY_MS = 140;

const ENTRY =
  "relative flex h-full items-center gap-1 whitespace-nowrap px-3.5 font-medium text-muted hover:text-text aria-[current=page]:text-text aria-expanded:text-text after:absolute after:inset-x-3.5 after:-bottom-px after:h-0.5 after:bg-accent after:opacity-0 aria-expanded:after:opacity-100 aria-[current=page]:after:opacity-100";

export function HeaderMenu({ group }: { readonly group: MenuGroup }) {
  if (group.columns === undefined) return <PlainEntry path={group.path ?? "/"} group={group} />;
  return <PanelEntry group={group} columns={group.columns} />;
}

function PlainEntry({ path, group }: { readonly path: string; readonly group: MenuGroup }) {
  const text = useSiteText();
  const here = useLocation().pathname.startsWith(useSitePath()(path));
  return (
    <li className="h-full">
      <SiteLink to={path} className={ENTRY} aria-current={here ? "page" : undefined}>
        {text(group.title)}
      </SiteLink>
    </li>
  );
}

/** Open or closed, with the delays of a pointer that only passes by. */
function useHoverOpen() {
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isHovered = useRef(false);
  const after = (next: boolean, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      isHovered.current = next;
      setOpen(next);
    }, delayMs);
  };
  const now = (next: boolean) => {
    clearTimeout(timer.current);
    isHovered.current = false;
    setOpen(next);
  };
  /**
   * A click on what the pointer has just opened means to open it: it takes it over, and only the next click closes it.
   */
  const press = () => now(isHovered.current || !open);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { open, after, now, press };
}

function moveFocus(panel: HTMLElement | null, step: 1 | -1 | "first"): void {
  const links = [...(panel?.querySelectorAll<HTMLElement>("a") ?? [])];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = step === "first" ? 0 : (at + step + links.length) % links.length;
  links[next]?.focus();
}

function PanelEntry({ group, columns }: { readonly group: MenuGroup; readonly columns: readonly MenuColumn[] }) {
  const text = useSiteText();
  const id = useId();
  const entry = useRef<HTMLLIElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const { open, after, now, press } = useHoverOpen();
  const path = useLocation().pathname;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the panel
  useEffect(() => now(false), [path]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open) {
      now(false);
      button.current?.focus();
    } else if (event.key === "ArrowDown") {
      now(true);
      requestAnimationFrame(() =>
        moveFocus(panel.current, panel.current?.contains(document.activeElement) ? 1 : "first"),
      );
    } else if (event.key === "ArrowUp" && open) moveFocus(panel.current, -1);
    else return;
    event.preventDefault();
  };

  return (
    <li
      ref={entry}
      className="group relative h-full"
      onPointerEnter={(event) => event.pointerType === "mouse" && after(true, OPEN_DELAY_MS)}
      onPointerLeave={(event) => event.pointerType === "mouse" && after(false, CLOSE_DELAY_MS)}
      onKeyDown={onKeyDown}
      onBlur={(event) => !entry.current?.contains(event.relatedTarget) && now(false)}
    >
      <button ref={button} type="button" aria-expanded={open} aria-controls={id} className={ENTRY} onClick={press}>
        {text(group.title)}
        <Icon name="chevron-down" size={12} className="text-faint" />
      </button>
      <div
        ref={panel}
        id={id}
        className={`absolute top-full -left-2 pt-2 ${open ? "block" : "hidden group-not-data-awake/nav:group-hover:block"}`}
      >
        <div className="flex rounded-card bg-raised p-3 shadow-raised">
          {columns.map((column) => (
            <Column key={column.title} column={column} titled={columns.length > 1} />
          ))}
        </div>
      </div>
    </li>
  );
}

function Column({ column, titled }: { readonly column: MenuColumn; readonly titled: boolean }) {
  const text = useSiteText();
  return (
    <div className="w-[271px]">
      {titled && <p className="px-3 pt-2 pb-2 text-label text-muted">{text(column.title)}</p>}
      <ul>
        {column.items.map((item) => (
          <li key={item.path}>
            <SiteLink
              to={item.path}
              className="flex gap-3 rounded-control px-3 py-2 hover:bg-hover focus-visible:bg-hover"
            >
              <Icon name={item.icon} size={16} className="mt-0.5 text-muted" />
              <span>
                <span className="block font-medium">{text(item.title)}</span>
                <span className="block text-label text-muted leading-5">{text(item.note)}</span>
              </span>
            </SiteLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
