// Use cases of campaigns: those shown to a visitor now, those an account has closed, operators' plans.
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Campaign, CampaignBody, CampaignTable } from "./contract.ts";
import { type CampaignRow, isCampaign, isFor, stateOf } from "./rules.ts";
import type { CampaignStore } from "./store.ts";

/** Longer carousels are not read to the end. */
const SHOWN_MAX = 12;
export const CAMPAIGNS_MAX = 200;

const TEST_FUNDS_BANNER: Campaign = {
  key: "release:test-funds",
  title: "Practise first",
  text: "Test funds are free here. Every rule is the real one.",
  action: "How to get test funds",
  to: "/help/articles/test-funds",
};

export class CampaignService {
  readonly #store: CampaignStore;
  readonly #hasTestFunds: boolean;

  constructor({ store, hasTestFunds }: { readonly store: CampaignStore; readonly hasTestFunds: boolean }) {
    this.#store = store;
    this.#hasTestFunds = hasTestFunds;
  }

  /** Those of operators; where funds are free, the one about them comes first. */
  async listBanners(userId: number | null, timeMs: number): Promise<readonly Campaign[]> {
    const banners = (await this.#show("banner", userId, timeMs)).map(describe);
    return this.#hasTestFunds ? [TEST_FUNDS_BANNER, ...banners].slice(0, SHOWN_MAX) : banners;
  }

  /** Those an account has not closed yet; a browser without one stores it locally. */
  async listPopups(userId: number | null, timeMs: number): Promise<readonly Campaign[]> {
    const seen = new Set(userId === null ? [] : await this.#store.listSeen(userId));
    return (await this.#show("popup", userId, timeMs)).filter(({ key }) => !seen.has(key)).map(describe);
  }

  async markSeen(userId: number, key: string, timeMs: number): Promise<Result<null, "CAMPAIGN_UNKNOWN">> {
    if (!(await this.#store.has(key))) return refused("CAMPAIGN_UNKNOWN");
    await this.#store.markSeen(userId, key, timeMs);
    return done(null);
  }

  async list(timeMs: number): Promise<CampaignTable> {
    const rows = await this.#store.list(CAMPAIGNS_MAX);
    return {
      campaigns: rows.map((row) => ({
        ...describe(row),
        kind: row.kind,
        audience: row.audience,
        position: row.position,
        startsAtMs: row.starts_at_ms,
        endsAtMs: row.ends_at_ms,
        state: stateOf(row, timeMs),
        setBy: row.set_by,
        setAtMs: row.set_at_ms,
      })),
    };
  }

  async save(
    body: CampaignBody,
    { by, timeMs }: { readonly by: string; readonly timeMs: number },
  ): Promise<Result<{ readonly setAtMs: number }, "CAMPAIGN_INVALID" | "CAMPAIGN_CHANGED" | "CAMPAIGNS_FULL">> {
    if (!isCampaign(body)) return refused("CAMPAIGN_INVALID");
    const { text, to, startsAtMs, endsAtMs, baseSetAtMs, ...rest } = body;
    const times = { starts_at_ms: startsAtMs, ends_at_ms: endsAtMs };
    const row = { ...rest, body: text, target: to, ...times, set_by: by };
    const setAtMs = await this.#store.put(row, baseSetAtMs, timeMs, CAMPAIGNS_MAX);
    return typeof setAtMs === "number" ? done({ setAtMs }) : refused(setAtMs);
  }

  async remove(key: string): Promise<Result<null, "CAMPAIGN_UNKNOWN">> {
    return (await this.#store.remove(key)) ? done(null) : refused("CAMPAIGN_UNKNOWN");
  }

  async #show(kind: "banner" | "popup", userId: number | null, timeMs: number) {
    return (await this.#store.listShown(kind, timeMs, SHOWN_MAX)).filter(({ audience }) =>
      isFor(audience, userId !== null),
    );
  }
}

function describe({ key, title, body, action, target }: CampaignRow): Campaign {
  return { key, title, text: body, action, to: target };
}
