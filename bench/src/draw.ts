// A draw of a million tickets: root, seed and shuffle, compared with the same tree hashed with the platform's own
// SHA-256. By processor time of this process: the machine may be busy. npm run bench -- draw [tickets]
import { createHash } from "node:crypto";
import { drawSeed, shuffleTickets, type TicketRange, ticketRoot } from "@clockwork/kit/earn/draw";

const tickets = Number(process.argv[2] ?? 1_000_000);
const HELD = 10;
const ROUNDS = 3;
const ranges: TicketRange[] = Array.from({ length: Math.ceil(tickets / HELD) }, (_, index) => ({
  holder: index.toString(16).padStart(32, "0"),
  count: HELD,
}));

function spentMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

function ownDraw(): Uint32Array {
  const root = ticketRoot(ranges);
  return shuffleTickets(drawSeed("11".repeat(32), root, "22".repeat(32)), tickets);
}

/** The root alone, by the platform. */
function platformRoot(): string {
  let level: Buffer[] = [];
  const leaf = Buffer.alloc(20);
  for (const { holder, count } of ranges) {
    leaf.write(holder, 4, "hex");
    for (let i = 0; i < count; i++) {
      leaf.writeUInt32BE(level.length + 1);
      level.push(createHash("sha256").update(leaf).digest());
    }
  }
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let at = 0; at < level.length; at += 16) {
      above.push(
        createHash("sha256")
          .update(Buffer.concat(level.slice(at, at + 16)))
          .digest(),
      );
    }
    level = above;
  }
  return level[0]?.toString("hex") ?? "";
}

if (platformRoot() !== ticketRoot(ranges)) throw new Error("the two trees differ");
const own = Array.from({ length: ROUNDS }, () => spentMs(ownDraw));
const roots = Array.from({ length: ROUNDS }, () => spentMs(() => ticketRoot(ranges)));
const peers = Array.from({ length: ROUNDS }, () => spentMs(platformRoot));
const best = (times: readonly number[]): number => Math.round(Math.min(...times));
process.stdout.write(
  `${tickets} tickets: draw ${best(own)} ms; root ${best(roots)} ms, by the platform's hash ${best(peers)} ms (${(best(peers) / best(roots)).toFixed(1)}×)\n`,
);
