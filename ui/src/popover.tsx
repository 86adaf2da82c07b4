// The style of every raised panel next to its trigger: lists, calendars, menus.

/** Base z-index of the product instead of the library's 100000. */
export const POPOVER_CLASS =
  "z-popover! overflow-auto rounded-control bg-raised text-text shadow-raised outline-none overlay-tick data-entering:opacity-0 data-exiting:opacity-0 data-[placement=bottom]:data-entering:-translate-y-1 data-[placement=top]:data-entering:translate-y-1";
