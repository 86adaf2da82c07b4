// Connects what the exchange offers its visitors beside the written pages: campaigns, the hot search, the newsletter.
// Holds no rule of its own.
import { createHash, randomBytes } from "node:crypto";
import { campaignConsoleRoutes } from "@clockwork/growth/campaigns/console-routes";
import { campaignRoutes } from "@clockwork/growth/campaigns/routes";
import { CampaignService } from "@clockwork/growth/campaigns/service";
import { campaignStore } from "@clockwork/growth/campaigns/store";
import { writeNewsletter } from "@clockwork/messaging/messages/text-rules";
import { newsletterRoutes } from "@clockwork/messaging/newsletter/routes";
import { NewsletterService } from "@clockwork/messaging/newsletter/service";
import { newsletterStore } from "@clockwork/messaging/newsletter/store";
import { ARTICLE_KINDS, type ArticleKind } from "@clockwork/site/articles/contract";
import type { ArticleService } from "@clockwork/site/articles/service";
import type { SearchNeeds } from "@clockwork/site/searches/needs";
import { searchRoutes } from "@clockwork/site/searches/routes";
import { SearchService } from "@clockwork/site/searches/service";
import { searchStore } from "@clockwork/site/searches/store";
import type { PairBook } from "../market/pairs.ts";
import type { Part, PartContext } from "../part.ts";

export function offersPart({ database, accounts, audit, market, clock }: PartContext, articles: ArticleReader): Part {
  const { kysely } = database;
  const { pairs } = market;
  const campaigns = new CampaignService({ store: campaignStore(kysely) });
  const searches = new SearchService({ store: searchStore(kysely), needs: { nameOf: nameFound(articles, pairs) } });
  const newsletter = new NewsletterService({
    store: newsletterStore(kysely),
    needs: {
      isCaptchaSolved: accounts.isCaptchaSolved,
      randomToken: () => randomBytes(24).toString("base64url"),
      hash: (text) => createHash("sha256").update(text).digest("hex"),
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
    ],
  };
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
