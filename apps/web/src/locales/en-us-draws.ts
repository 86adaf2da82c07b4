// The English words of earlier spring draws; they come with their dialog.
export const drawsCatalogue = {
  checkTitle: "Earlier draws",
  checkLead: "Your browser draws each of them again. The seed behind a promise is shown when its day is over.",
  noDraws: "You have not drawn yet.",
  agrees: "agrees",
  differs: "DIFFERS",
  tomorrow: "seed follows tomorrow",
  movement: "Movement, {amount} USDT",
  "line.promise": "Promise, shown before the draw",
  "line.serverSeed": "Seed behind the promise",
  "line.root": "Root of the {tickets} tickets",
  "line.journal": "Seed of the journal, number {number}, in force for commands {first} to {last}",
  "line.journalLater": "Seed of the journal",
  "line.publicSeed": "Public seed, bound to command {close}",
  "line.seed": "Seed of the shuffle",
  "line.ticket": "Ticket drawn",
  kept: "not yet",
  file: "Save all of them as a file",
  command: "Checked outside this page:",
} as const;

export type DrawsTextKey = keyof typeof drawsCatalogue;
