// The English words every page needs at once: brand, header, the last error page. The first load of every page carries
// them, so whatever can wait belongs to an area of its own beside this file.
export const catalogue = {
  "site.name": "Clockwork",
  "site.description":
    "An open crypto exchange on one deterministic core. Every order is journaled before it is acknowledged, and every balance adds up.",
  "site.skip": "Skip to content",
  "notices.look": "View",
  "site.version": "Version {version}",
  "menu.label": "Products",
  "menu.open": "Open menu",
  "search.label": "Search",
  "search.hint": "Search pairs, pages",
  "account.logIn": "Log in",
  "account.signUp": "Sign up",
  "settings.button": "{language} · {currency}: language and currency",
  "theme.choose": "Choose theme",
  "error.title404": "Page Not Found",
  "error.title500": "Internal Server Error",
  "error.label": "Error {status}",
  "error.home": "Go to home page",
} as const;

export type TextKey = keyof typeof catalogue;
