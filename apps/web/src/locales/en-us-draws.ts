// The English words of earlier spring draws; they come with their dialog.
export const drawsCatalogue = {
  checkTitle: "Earlier draws",
  checkLead: "Your browser verifies each draw again. The seed behind a commitment is published when its day is over.",
  noDraws: "No draws yet.",
  agrees: "verified",
  differs: "MISMATCH",
  tomorrow: "seed published tomorrow",
  movement: "Movement, {amount} USDT",
  "line.promise": "Commitment, published before the draw",
  "line.serverSeed": "Server seed",
  "line.root": "Merkle root of the {tickets} tickets",
  "line.journal": "Journal seed {number}, in force for commands {first} to {last}",
  "line.journalLater": "Journal seed",
  "line.publicSeed": "Public seed, bound to command {close}",
  "line.seed": "Shuffle seed",
  "line.ticket": "Ticket drawn",
  kept: "not yet",
  file: "Save all as a file",
  command: "Verify outside this page:",
} as const;

export type DrawsTextKey = keyof typeof drawsCatalogue;
