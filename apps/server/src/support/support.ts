// Connects the support forms with the database, the captcha and the picture maker. Holds no rule of its own.
import { createHash, randomInt } from "node:crypto";
import { supportRoutes } from "@clockwork/domains/support/routes";
import { type SupportService, supportService } from "@clockwork/domains/support/service";
import { supportStore } from "@clockwork/domains/support/store";
import type { RouteSpec } from "@clockwork/kit/route";
import type { Kysely } from "kysely";
import { redrawPicture } from "./picture.ts";

export interface SupportParts {
  readonly kysely: Kysely<unknown>;
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
}

export interface Support {
  readonly routes: readonly RouteSpec[];
  readonly support: SupportService;
}

export function composeSupport({ kysely, isCaptchaSolved }: SupportParts): Support {
  const support = supportService({
    store: supportStore(kysely),
    needs: {
      isCaptchaSolved,
      redrawPicture,
      hash: (text) => createHash("sha256").update(text).digest("hex"),
      randomText: (alphabet, length) =>
        Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join(""),
    },
  });
  return { support, routes: supportRoutes(support) };
}
