// A seed for a draw: one set after a command and public since. Requested where there is none yet, so that callers do
// not wait for the next second.
import { randomBytes } from "node:crypto";
import type { JournalledSeed } from "@clockwork/kit/earn/draw";
import type { PartContext } from "../context.ts";
import type { ProjectionTables } from "../projectors/rows/rows.ts";

const SEED_BYTES = 32;
type Seeds = Pick<PartContext, "database" | "engine" | "ledger">;

export async function seedAfter(context: Seeds, sequence: number): Promise<JournalledSeed | undefined> {
  const known = await find(context, sequence);
  if (known !== undefined) return known;
  // The first is set after the command, the second replaces and so publishes it.
  const acks = [await renew(context), await renew(context)];
  const last = acks.at(-1);
  if (last?.done !== true) return undefined;
  await context.ledger.settled(last.sequence);
  return find(context, sequence);
}

const renew = ({ engine }: Seeds) => engine.submit({ kind: "setSeed", seed: randomBytes(SEED_BYTES).toString("hex") });

async function find({ database }: Seeds, sequence: number): Promise<JournalledSeed | undefined> {
  const row = await database.kysely
    .$extendTables<ProjectionTables>()
    .selectFrom("engine_seeds")
    .selectAll()
    .where("since_sequence", ">", sequence)
    .orderBy("number")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { number, seed, since_sequence, until_sequence } = row;
  return { number, seed, sinceSequence: since_sequence, untilSequence: until_sequence };
}
