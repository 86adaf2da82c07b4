// Connects the support forms, the support desk and the chat with the database, the captcha, the picture maker, accounts
// and the configuration. Holds no rule of its own.
import { createHash, createHmac, randomInt } from "node:crypto";
import type { ChatNeeds } from "@clockwork/domains/chat/needs";
import { chatRoutes } from "@clockwork/domains/chat/routes";
import { chatService } from "@clockwork/domains/chat/service";
import { writeTicket } from "@clockwork/domains/messages/text-rules";
import { supportDeskRoutes } from "@clockwork/domains/support/desk-routes";
import { supportDesk } from "@clockwork/domains/support/desk-service";
import { deskStore } from "@clockwork/domains/support/desk-store";
import { supportRoutes } from "@clockwork/domains/support/routes";
import { type SupportService, supportService } from "@clockwork/domains/support/service";
import { supportStore } from "@clockwork/domains/support/store";
import type { Desk } from "@clockwork/kit/desk";
import type { RouteSpec } from "@clockwork/kit/route";
import type { Kysely } from "kysely";
import type { Accounts } from "../accounts/accounts.ts";
import type { Config } from "../config.ts";
import { redrawPicture } from "./picture.ts";

export interface SupportParts {
  readonly kysely: Kysely<unknown>;
  readonly accounts: Pick<Accounts, "isCaptchaSolved" | "sendMail" | "origin">;
  readonly findPerson: ChatNeeds["findPerson"];
  readonly config: Pick<Config, "chatUrl" | "chatAppId" | "chatSecret">;
  readonly desk: Desk;
  readonly reports: Pick<Desk, "permit">;
}

export interface Support {
  readonly routes: readonly RouteSpec[];
  readonly support: SupportService;
}

const STATUS_PATH = "/help/ticket";

export function composeSupport({ kysely, accounts, findPerson, config, desk, reports }: SupportParts): Support {
  const store = supportStore(kysely);
  const support = supportService({
    store,
    needs: {
      isCaptchaSolved: accounts.isCaptchaSolved,
      redrawPicture,
      hash: (text) => createHash("sha256").update(text).digest("hex"),
      randomText: (alphabet, length) =>
        Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join(""),
      sendMail: (to, { kind, number }) =>
        accounts.sendMail(to, writeTicket(kind, number, accounts.origin + STATUS_PATH)),
    },
  });
  const { chatUrl, chatAppId, chatSecret } = config;
  const chat = chatService({
    chat: chatUrl === undefined ? undefined : { url: chatUrl, appId: chatAppId },
    findPerson,
    sign: (text) => createHmac("sha256", chatSecret).update(text).digest("base64url"),
  });
  return {
    support,
    routes: [
      ...supportRoutes(support),
      ...chatRoutes(chat),
      ...supportDeskRoutes({
        tickets: supportDesk({ ...store, ...deskStore(kysely) }),
        service: support,
        desk,
        reports,
      }),
    ],
  };
}

/** Who somebody is, from accounts. */
export function personFinder({
  users,
  kyc,
  roles,
}: Pick<Accounts, "users" | "kyc" | "roles">): ChatNeeds["findPerson"] {
  return async (userId, timeMs) => {
    const [account, kycLevel, me] = await Promise.all([
      users.find(userId),
      kyc.levelOf(userId, timeMs),
      roles.me({ userId, sessionId: "", address: "" }, timeMs),
    ]);
    return account === undefined ? undefined : { nickname: account.nickname, kycLevel, isOperator: me.done };
  };
}
