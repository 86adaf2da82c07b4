// The wire contract of the published seeds. The only file of the slice a browser may import.
import { endpoint, type RefusalTable } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";

export const REFUSALS = {
  SEED_NOT_PUBLIC: [404, "No seed of that command is public: it is still in force, or older than a week."],
} as const satisfies RefusalTable<string>;

export const Seed = Type.Object({
  number: Type.Integer(),
  /** 64 hexadecimal digits. */
  seed: Type.String(),
  /** In force from this command on … */
  sinceSequence: Type.Integer(),
  /** … to before this one. */
  untilSequence: Type.Integer(),
  replacedAtMs: Type.Integer(),
});

export type Seed = Static<typeof Seed>;

export const SEED_CALLS = {
  find: endpoint("GET", "/v1/system/seeds", {
    query: Type.Object({ sequence: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })) }),
    output: Seed,
    refusals: REFUSALS,
  }),
};
