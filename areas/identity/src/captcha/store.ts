// The SQL of captcha.
import type { Kysely } from "kysely";

export interface CaptchaStore {
  /** True the first time, false ever after. */
  use(id: string, expiresAtMs: number): Promise<boolean>;
  remove(beforeMs: number): Promise<void>;
}

type CaptchaTables = { captcha_used: { readonly id: string; readonly expires_at_ms: number } };

export function captchaStore(kysely: Kysely<unknown>): CaptchaStore {
  const tables = kysely.$extendTables<CaptchaTables>();
  return {
    async use(id, expiresAtMs) {
      const row = await tables
        .insertInto("captcha_used")
        .values({ id, expires_at_ms: expiresAtMs })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async remove(beforeMs) {
      await tables.deleteFrom("captcha_used").where("expires_at_ms", "<", beforeMs).execute();
    },
  };
}
