// Connects the support forms, the operators' console for support and the chat with the database, the captcha, the picture maker, accounts
// and the configuration. Holds no rule of its own.
import { createHash, createHmac, randomInt } from "node:crypto";
import type { VipService } from "@clockwork/growth/vip/service";
import { chatRoutes } from "@clockwork/messaging/chat/routes";
import { ChatService } from "@clockwork/messaging/chat/service";
import { writeTicket } from "@clockwork/messaging/messages/text-rules";
import { supportConsoleRoutes } from "@clockwork/messaging/support/console-routes";
import { SupportConsole } from "@clockwork/messaging/support/console-service";
import { consoleStore } from "@clockwork/messaging/support/console-store";
import { supportRoutes } from "@clockwork/messaging/support/routes";
import { SupportService } from "@clockwork/messaging/support/service";
import { supportStore } from "@clockwork/messaging/support/store";
import type { Accounts } from "../offers.ts";
import type { PartContext, PartWith } from "../part.ts";

export interface SupportContext extends Pick<PartContext, "database" | "audit" | "mayOperate" | "pictures"> {
  readonly accounts: Pick<Accounts, "isCaptchaSolved" | "mayWriteTo" | "sendMail" | "origin" | "findPerson"> & {
    readonly guard: Pick<Accounts["guard"], "seal" | "open">;
  };
  readonly config: Pick<PartContext["config"], "chatUrl" | "chatAppId" | "chatSecret">;
}

export interface Support extends PartWith<"routes" | "start"> {
  readonly support: SupportService;
}

const STATUS_PATH = "/help/ticket";

export function supportPart(
  { database, accounts, config, audit, mayOperate, pictures }: SupportContext,
  levels: Pick<VipService, "levelOf">,
): Support {
  const { kysely } = database;
  const store = supportStore(kysely, accounts.guard);
  const support = new SupportService({
    store,
    needs: {
      isCaptchaSolved: accounts.isCaptchaSolved,
      mayWriteTo: accounts.mayWriteTo,
      levelOf: (userId) => levels.levelOf(userId),
      redrawPicture: (bytes) => pictures.redraw(bytes),
      hash: (text) => createHash("sha256").update(text).digest("hex"),
      randomText: (alphabet, length) =>
        Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join(""),
      sendMail: (to, { kind, number }) =>
        accounts.sendMail(to, writeTicket(kind, number, accounts.origin + STATUS_PATH)),
    },
  });
  const { chatUrl, chatAppId, chatSecret } = config;
  const chat = new ChatService({
    chat: chatUrl === undefined ? undefined : { url: chatUrl, appId: chatAppId },
    findPerson: accounts.findPerson,
    sign: (text) => createHmac("sha256", chatSecret).update(text).digest("base64url"),
  });
  return {
    support,
    start: store.sealPlain,
    routes: [
      ...supportRoutes(support),
      ...chatRoutes(chat),
      ...supportConsoleRoutes({
        tickets: new SupportConsole({ ...store, ...consoleStore(kysely, accounts.guard) }),
        service: support,
        audit,
        seesReports: (context) => mayOperate(context, "reports.read"),
      }),
    ],
  };
}
