// The English words of the home page.
export const homeCatalogue = {
  "home.title": "An exchange that keeps exact time",
  "home.headline1": "An exchange that",
  "home.headline2": "keeps exact time.",
  "home.lead":
    "One deterministic core behind everything. Every order is journalled before it is answered, and every balance adds up.",
  "home.core": "Core",
  "home.live": "Live",
  "home.connecting": "Connecting",
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

export type HomeTextKey = keyof typeof homeCatalogue;
