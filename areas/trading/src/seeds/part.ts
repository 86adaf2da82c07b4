// Journals a random seed each second in which something happened, and shows the replaced ones: users who saw an outcome
// can repeat the draw. Must never show a seed that is in force.
import { randomBytes } from "node:crypto";
import type { EngineHandle } from "@clockwork/host/engine";
import { type BaseContext, type Part, runs } from "@clockwork/host/part";
import { answer, refuseBy, serve } from "@clockwork/host/route";
import { SECOND_MS } from "@clockwork/kit/time";
import type { Kysely } from "kysely";
import type { ProjectionTables, SeedRow } from "../projectors/rows/rows.ts";
import { REFUSALS, SEED_CALLS } from "./contract.ts";

const SEED_BYTES = 32;

/**
 * An idle exchange journals none: the seed in force is hidden, and the first command after it is soon followed by a new
 * one.
 */
export class SeedSource {
  readonly #engine: Pick<EngineHandle, "submit" | "health">;
  #ownSequence = 0;
  #sending = false;

  constructor(engine: Pick<EngineHandle, "submit" | "health">) {
    this.#engine = engine;
  }

  async renew(): Promise<void> {
    const { state, sequence } = this.#engine.health();
    if (this.#sending || state !== "running" || sequence <= this.#ownSequence) return;
    this.#sending = true;
    try {
      const ack = await this.#engine.submit({ kind: "setSeed", seed: randomBytes(SEED_BYTES).toString("hex") });
      if (ack.done) this.#ownSequence = ack.sequence;
    } finally {
      this.#sending = false;
    }
  }
}

export function seedsPart(context: BaseContext): Part {
  const { engine, clock, database, config, marketMode, log } = context;
  const source = new SeedSource(engine);
  return {
    routes: [seedRoute(database.kysely)],
    ...runs(() => {
      // Without a listing nothing is drawn.
      if (!engine.isThere || marketMode === "off" || config.seedSeconds === 0) return () => undefined;
      return clock.every(config.seedSeconds * SECOND_MS, () => {
        source.renew().catch((error: unknown) => log.warn("seed.failed", { error }));
      });
    }),
  };
}

function seedRoute(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<ProjectionTables>();
  return serve(SEED_CALLS.find, {
    summary: "The seed that was in force at a command, once it was replaced; the newest of these when none is named",
    tag: "system",
    async handle({ query: { sequence } }) {
      const newest = tables.selectFrom("engine_seeds").selectAll().orderBy("number", "desc").limit(1);
      const row = await (sequence === undefined
        ? newest
        : newest.where("since_sequence", "<=", sequence).where("until_sequence", ">", sequence)
      ).executeTakeFirst();
      if (row !== undefined) return answer(describeSeed(row));
      return refuseBy(REFUSALS, { code: "SEED_NOT_PUBLIC" });
    },
  });
}

function describeSeed({ number, seed, since_sequence, until_sequence, replaced_ms }: SeedRow) {
  return {
    number,
    seed,
    sinceSequence: since_sequence,
    untilSequence: until_sequence,
    replacedAtMs: replaced_ms,
  };
}
