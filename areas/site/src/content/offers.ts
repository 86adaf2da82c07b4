// Connects the exchange's offers to visitors other than written pages: campaigns, the hot search, the newsletter and
// broadcasts. Contains no rules.
import { createHash, randomBytes } from "node:crypto";
import { campaignConsoleRoutes } from "@clockwork/growth/campaigns/console-routes";
import { campaignRoutes } from "@clockwork/growth/campaigns/routes";
import { CampaignService } from "@clockwork/growth/campaigns/service";
import { campaignStore } from "@clockwork/growth/campaigns/store";
import type { Part } from "@clockwork/host/part";
import { broadcastRoutes } from "@clockwork/messaging/broadcasts/routes";
import { BroadcastService, RUN_MS } from "@clockwork/messaging/broadcasts/service";
import { broadcastStore } from "@clockwork/messaging/broadcasts/store";
import { BROADCAST_KIND } from "@clockwork/messaging/messages/rules";
import { writeNewsletter } from "@clockwork/messaging/messages/text-rules";
import { NEWSLETTER_CALLS } from "@clockwork/messaging/newsletter/contract";
import { newsletterRoutes } from "@clockwork/messaging/newsletter/routes";
import { NewsletterService } from "@clockwork/messaging/newsletter/service";
import { newsletterStore } from "@clockwork/messaging/newsletter/store";
import { pushStore } from "@clockwork/messaging/push/store";
import type { PartContext } from "@clockwork/trading/context";
import type { PairBook } from "@clockwork/trading/market/pairs";
import { ARTICLE_KINDS, type ArticleKind } from "../articles/contract.ts";
import type { ArticleService } from "../articles/service.ts";
import type { SearchNeeds } from "../searches/needs.ts";
import { searchRoutes } from "../searches/routes.ts";
import { SearchService } from "../searches/service.ts";
import { searchStore } from "../searches/store.ts";

const LEAVE_CONTEXT = "newsletter-leave";
const NEWS = "news";
const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

export function offersPart(context: PartContext, articles: ArticleReader): Part {
  const { database, accounts, audit, market, clock } = context;
  const { kysely } = database;
  const { pairs } = market;
  const campaigns = new CampaignService({ store: campaignStore(kysely), hasTestFunds: context.isTestMoney });
  const searches = new SearchService({ store: searchStore(kysely), needs: { nameOf: nameFound(articles, pairs) } });
  const newsletter = new NewsletterService({
    store: newsletterStore(kysely),
    needs: {
      isCaptchaSolved: accounts.isCaptchaSolved,
      randomToken: () => randomBytes(24).toString("base64url"),
      hash: digest,
      leaveToken: (email) =>
        Buffer.from(accounts.guard.seal(new TextEncoder().encode(email), LEAVE_CONTEXT)).toString("base64url"),
      readLeaveToken: (token) => {
        try {
          return new TextDecoder().decode(accounts.guard.open(Buffer.from(token, "base64url"), LEAVE_CONTEXT));
        } catch {
          // Not one of ours: opening checks what was sealed.
          return undefined;
        }
      },
      sendConfirmation: async (email, token) => {
        if (!(await accounts.mayWriteTo(email, clock.now()))) return;
        const link = (action: string) => `${accounts.origin}/newsletter?${action}=${token}`;
        await accounts.sendMail(email, writeNewsletter(link("confirm"), link("leave")));
      },
    },
  });
  return {
    routes: [
      ...campaignRoutes(campaigns),
      ...campaignConsoleRoutes(campaigns, audit),
      ...searchRoutes(searches),
      ...newsletterRoutes(newsletter, audit),
      ...broadcastRoutes(broadcastsOf(context, newsletter), audit),
    ],
  };
}

function broadcastsOf(context: PartContext, newsletter: NewsletterService): BroadcastService {
  const { accounts, clock, config, database, jobs, permissions } = context;
  const { queue, notices, origin } = accounts;
  permissions.add({ name: "broadcasts.send", roles: ["editor"] });
  notices.register({ kind: NEWS, group: "account", defaults: ["push"] });
  const phones = pushStore(database.kysely);
  const wantsNews = async (userId: number): Promise<boolean> => {
    const { kinds } = await notices.readChoices(userId);
    const channels = kinds.find(({ kind }) => kind === NEWS)?.channels;
    return channels?.find(({ channel }) => channel === "push")?.isOn === true;
  };
  const broadcasts = new BroadcastService({
    store: broadcastStore(database.kysely),
    needs: {
      async listSubscribers(after, confirmedBeforeMs, limit) {
        const rows = await newsletter.listReaders(after, confirmedBeforeMs, limit);
        return rows.map(({ email, locale }) => ({ address: email, locale, isWanted: true }));
      },
      async listPhones(after, limit) {
        const rows = await phones.listAll(after, limit);
        return Promise.all(
          rows.map(async ({ token, locale, user_id }) => ({
            address: token,
            locale,
            isWanted: queue.canPush(token) && (user_id === null || (await wantsNews(user_id))),
          })),
        );
      },
      countSubscribers: () => newsletter.countConfirmed(),
      countPhones: () => phones.count(),
      leaveUrl: (email) => `${origin}/newsletter?leave=${newsletter.leaveToken(email)}`,
      hasMail: queue.hasMail,
      hasPush: queue.hasPush,
      perMinute: config.broadcastPerMinute,
      nameOf: accounts.nameOf,
      async queue(inside, messages) {
        for (const { id, channel, to, ...words } of messages) {
          const unsubscribeUrl = `${origin}/api${NEWSLETTER_CALLS.oneClick.path}?token=${newsletter.leaveToken(to)}`;
          await queue.add(inside, {
            to,
            channel,
            kind: BROADCAST_KIND,
            ...words,
            id: `${id}.${digest(to).slice(0, 24)}`,
            ...(channel === "mail" ? { unsubscribeUrl } : {}),
          });
        }
      },
      wake: queue.wake,
    },
  });
  jobs.add({
    name: "broadcasts.send",
    schedule: { everyMs: RUN_MS },
    missed: "latest",
    run: () => broadcasts.run(clock.now()),
  });
  return broadcasts;
}

type ArticleReader = Pick<ArticleService, "read">;

function nameFound(articles: ArticleReader, pairs: PairBook): SearchNeeds["nameOf"] {
  return async ({ kind, key }, timeMs) => {
    if (kind === "pair") {
      const pair = pairs.findPair(key);
      return pair === undefined ? undefined : { title: `${pair.base.symbol}/${pair.quote.symbol}`, category: "" };
    }
    const [name = "", slug = ""] = key.split("/");
    const known: ArticleKind | undefined = ARTICLE_KINDS.find((one) => one === name);
    if (known === undefined || slug === "") return undefined;
    const found = await articles.read(known, slug, timeMs);
    return found.done ? { title: found.value.title, category: found.value.category } : undefined;
  };
}
