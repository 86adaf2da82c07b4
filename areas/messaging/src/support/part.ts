// Connects the support forms, the support chat and the console for both with the database, the captcha, the picture
// maker, accounts, the sockets and the configuration. Contains no rules.
import { createHash, createHmac, randomInt } from "node:crypto";
import type { Channel } from "@clockwork/host/channel";
import type { BaseContext, PartWith } from "@clockwork/host/part";
import { chatRoutes } from "../chat/routes.ts";
import { ChatService } from "../chat/service.ts";
import { writeTicket } from "../messages/text-rules.ts";
import type { MessagingPorts } from "../ports.ts";
import { chatMessageRoutes } from "./chat-routes.ts";
import { SupportChat } from "./chat-service.ts";
import { chatStore } from "./chat-store.ts";
import { supportConsoleRoutes } from "./console-routes.ts";
import { SupportConsole } from "./console-service.ts";
import { consoleStore } from "./console-store.ts";
import { type ChatState, SUPPORT_CHAT_CHANNEL, SUPPORT_DESK_CHANNEL } from "./contract.ts";
import type { SupportNeeds } from "./needs.ts";
import { supportRoutes } from "./routes.ts";
import { SupportService } from "./service.ts";
import { supportStore } from "./store.ts";

export interface SupportContext
  extends MessagingPorts,
    Pick<BaseContext, "database" | "pictures" | "live" | "clock" | "isTestMoney"> {
  readonly config: Pick<BaseContext["config"], "chatUrl" | "chatAppId" | "chatSecret" | "simulatedReviewer">;
}

export interface Support extends PartWith<"routes" | "start"> {
  readonly support: SupportService;
}

const STATUS_PATH = "/help/ticket";
const NOTICE = "support";
const ANSWERS = "support.answer";

export function supportPart(context: SupportContext, levels: Pick<SupportNeeds, "levelOf">): Support {
  const { database, accounts, config, audit, mayOperate, pictures } = context;
  const { kysely } = database;
  const { chatUrl, chatAppId, chatSecret } = config;
  accounts.notices.register({ kind: NOTICE, group: "account", defaults: ["live", "letter"] });
  const store = supportStore(kysely, accounts.guard);
  const chats = chatStore(kysely, accounts.guard);
  const console = consoleStore(kysely, accounts.guard);
  const desk = new DeskNews(context);
  const shared = {
    levelOf: (userId: number) => levels.levelOf(userId),
    redrawPicture: (bytes: Uint8Array) => pictures.redraw(bytes),
    hash: (text: string) => createHash("sha256").update(text).digest("hex"),
    randomText: (alphabet: string, length: number) =>
      Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join(""),
    wrote: spreadNews(context, desk, (userId) => chats.readState(userId)),
  };
  const support = new SupportService({
    store,
    needs: {
      ...shared,
      isCaptchaSolved: accounts.isCaptchaSolved,
      mayWriteTo: accounts.mayWriteTo,
      sendMail: (to, { kind, number }) =>
        accounts.sendMail(to, writeTicket(kind, number, accounts.origin + STATUS_PATH)),
    },
  });
  const ownChat = new SupportChat({
    chats,
    tickets: store,
    files: console,
    needs: {
      ...shared,
      nicknameOf: async (userId, timeMs) => (await accounts.findPerson(userId, timeMs))?.nickname ?? "",
      read: async (userId) =>
        context.live.publish({ channel: SUPPORT_CHAT_CHANNEL }, await chats.readState(userId), {
          account: String(userId),
        }),
      hasSimulatedAgent: context.isTestMoney && config.simulatedReviewer === "auto",
    },
  });
  const chat = new ChatService({
    ownChannel: SUPPORT_CHAT_CHANNEL,
    chat: chatUrl === undefined ? undefined : { url: chatUrl, appId: chatAppId },
    findPerson: accounts.findPerson,
    sign: (text) => createHmac("sha256", chatSecret).update(text).digest("base64url"),
  });
  return {
    support,
    start: store.sealPlain,
    // With an outside chat the own one takes no new messages: its bubble is hidden.
    channels: [desk.channel, ...(chatUrl === undefined ? [chatChannel(ownChat)] : [])],
    routes: [
      ...supportRoutes(support),
      ...chatRoutes(chat),
      ...(chatUrl === undefined ? chatMessageRoutes(ownChat) : []),
      ...supportConsoleRoutes({
        tickets: new SupportConsole({ ...store, ...console }),
        service: support,
        audit,
        seesReports: (context) => mayOperate(context, "reports.read"),
      }),
    ],
  };
}

const isWhole: Channel["serves"] = ({ biz, type, pairCode, base }) =>
  [biz, type, pairCode, base].every((part) => part === undefined);

function chatChannel(chat: SupportChat): Channel {
  return {
    channel: SUPPORT_CHAT_CHANNEL,
    kind: "latest",
    isPrivate: true,
    serves: isWhole,
    snapshot: async (_, account) => ({ data: await chat.readState(Number(account)) }),
  };
}

/** Publishes to open consoles where something was written; its content is requested, and that read logged. */
class DeskNews {
  readonly channel: Channel;
  readonly #context: Pick<SupportContext, "live" | "clock" | "accounts">;
  /** Whether an open console may answer; others are not kept, however many subscribe to the channel. */
  readonly #open = new Map<string, Promise<boolean>>();

  constructor(context: Pick<SupportContext, "live" | "clock" | "accounts">) {
    this.#context = context;
    this.channel = {
      channel: SUPPORT_DESK_CHANNEL,
      kind: "latest",
      isPrivate: true,
      serves: isWhole,
      opened: (_, account = "") => this.#admit(account),
      closed: (_, account = "") => void this.#open.delete(account),
    };
  }

  /** To all who may answer at this moment. */
  async publish(number: string): Promise<void> {
    for (const [account, admitted] of [...this.#open]) {
      if ((await admitted) && (await this.#mayAnswer(account)))
        this.#context.live.publish({ channel: SUPPORT_DESK_CHANNEL }, { number }, { account });
    }
  }

  #admit(account: string): void {
    const admitted = this.#mayAnswer(account).catch(() => false);
    this.#open.set(account, admitted);
    void admitted.then((isIn) => {
      if (!isIn && this.#open.get(account) === admitted) this.#open.delete(account);
    });
  }

  async #mayAnswer(account: string): Promise<boolean> {
    const { clock, accounts } = this.#context;
    const me = await accounts.roles.me({ userId: Number(account), sessionId: "", address: "" }, clock.now());
    return me.done && me.value.permissions.includes(ANSWERS);
  }
}

/** To the open pages of both sides. A user without one is notified of the answer by their chosen channels. */
function spreadNews(
  { live, accounts, clock }: Pick<SupportContext, "live" | "accounts" | "clock">,
  desk: DeskNews,
  readState: (userId: number) => Promise<ChatState>,
): SupportNeeds["wrote"] {
  return async ({ number, kind, user_id }, author) => {
    // Access to reports is checked per call.
    if (kind !== "whistleblower") await desk.publish(number);
    if (kind !== "chat" || user_id === null) return;
    const account = String(user_id);
    const isSeen = live.isOpen({ channel: SUPPORT_CHAT_CHANNEL }, account);
    const state = await readState(user_id);
    live.publish({ channel: SUPPORT_CHAT_CHANNEL }, state, { account });
    if (author !== "staff" || isSeen) return;
    const notice = {
      kind: NOTICE,
      // One notice for all unread answers.
      reference: `chat:${number}:${state.readId}`,
      title: "Support has answered",
      body: "There is an answer in your support chat.",
      path: "/help",
    };
    await accounts.notices.notify(user_id, notice, clock.now());
  };
}
