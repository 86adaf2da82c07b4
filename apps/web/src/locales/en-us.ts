// The English catalogue: every text of the site frame and the generic labels. Keys are what code names; adding a
// language is a file like this one and an entry in the kit's language list.
export const catalogue = {
  // SITE-17: generic labels
  "label.ok": "OK",
  "label.cancel": "Cancel",
  "label.clear": "Clear",
  "label.noData": "No Data",
  "label.noMatch": "No matching data",
  "label.loading": "Loading",
  "label.illegalInput": "Illegal input",
  "label.yes": "Yes",
  "label.no": "No",
  "label.closeDialog": "Close this dialog",

  "site.name": "Clockwork",
  "site.description":
    "An open crypto exchange on one deterministic core. Every order is journalled before it is answered, and every balance adds up.",
  "site.skip": "Skip to content",

  "error.title404": "Page Not Found",
  "error.title500": "Internal Server Error",
  "error.label": "Error {status}",
  "error.headline404": "A tooth is missing",
  "error.headline500": "The wheel has stopped",
  "error.elseRunning": "Everything else is still running.",
  "error.retryHint": "Nothing you did was lost by this. Try again, or go back.",
  "error.back": "Go back",
  "error.home": "Open the home page",
  "error.retry": "Try again",

  "home.title": "An exchange that keeps exact time",
  "home.headline1": "An exchange that",
  "home.headline2": "keeps exact time.",
  "home.lead":
    "One deterministic core behind everything. Every order is journalled before it is answered, and every balance adds up.",
  "home.core": "Core",
  "home.version": "Version {version}",
  "home.live": "Live",
  "home.stale": "Reconnecting",
  "home.state": "State",
  "home.sequence": "Commands applied",
  "home.durable": "Safe in the journal",
  "home.pending": "Waiting for the disk",
  "home.hash": "State hash",
  "home.uptime": "Running since",
  "home.unreachable": "The core does not answer right now. This page keeps asking.",
  "home.state.starting": "Starting",
  "home.state.replaying": "Replaying",
  "home.state.running": "Running",
  "home.state.halted": "Halted",
  "home.state.unknown": "Unknown",
} as const;

export type TextKey = keyof typeof catalogue;
export type Catalogue = Readonly<Record<TextKey, string>>;
