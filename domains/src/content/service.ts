// Use cases of what every page shares: switches, downtimes, footer, links, countries, domains. Readers are everybody;
// changes come from operators and are told to open pages at once.
import { COUNTRIES } from "@clockwork/kit/countries";
import { done, type Result, refused } from "@clockwork/kit/result";
import {
  CONFIG_KEYS,
  type ConfigKey,
  type CountryList,
  type DomainList,
  type FooterColumn,
  type FooterList,
  type GlobalConfig,
  type Module,
  type ModuleList,
  type ModuleState,
  type SocialLink,
} from "./api.ts";
import type { ContentNeeds } from "./needs.ts";
import {
  type DomainSettings,
  describeModule,
  describeModules,
  isConfigEntry,
  isDowntime,
  isFooter,
  isSocialList,
  isUnderWay,
  listDomains,
  opensEarlier,
} from "./rules.ts";
import type { Change, ContentStore } from "./store.ts";

export interface PlannedDowntime {
  readonly reason: string;
  readonly startsAtMs: number;
  /** Open when left out. */
  readonly endsAtMs?: number;
}

export interface ContentService {
  readConfig(): Promise<GlobalConfig>;
  setConfig(key: ConfigKey, value: string, change: Change): Promise<Result<GlobalConfig, "CONFIG_INVALID">>;
  readModule(module: Module, timeMs: number): Promise<ModuleState>;
  readModules(timeMs: number): Promise<ModuleList>;
  setDowntime(
    module: Module,
    planned: PlannedDowntime,
    change: Change,
  ): Promise<Result<ModuleState, "DOWNTIME_INVALID" | "DOWNTIME_TAKES_TWO" | "DOWNTIME_CHANGED">>;
  /** Takes back what is planned; one under way is ended by two people. */
  clearDowntime(module: Module, change: Change): Promise<Result<ModuleState, "DOWNTIME_TAKES_TWO">>;
  /** When the maintenance under way was set, which names it; undefined when the part is up. */
  findUnderWay(module: Module, timeMs: number): Promise<number | undefined>;
  /** False when it is another one by now. */
  endDowntime(module: Module, setAtMs: number, timeMs: number): Promise<boolean>;
  readFooter(): Promise<FooterList>;
  setFooter(columns: readonly FooterColumn[]): Promise<Result<null, "FOOTER_INVALID">>;
  readSocial(): Promise<{ links: SocialLink[] }>;
  setSocial(links: readonly SocialLink[]): Promise<Result<null, "SOCIAL_INVALID">>;
  readCountries(): CountryList;
  readDomains(host: string): DomainList;
  /** Tells pages what changed by itself: a downtime that began or ended, a switch turned by another process. */
  refresh(timeMs: number): Promise<void>;
}

export interface ContentParts {
  readonly store: ContentStore;
  readonly needs: Pick<ContentNeeds, "publish">;
  readonly domains: DomainSettings;
}

export function contentService({ store, needs, domains }: ContentParts): ContentService {
  const countries = COUNTRIES.map(({ code, name, dial }) => ({ code, name, dialCode: dial }));
  const told = new Map<string, string>();
  const tell = <Data>(type: "config" | "modules", data: Data): Data => {
    const text = JSON.stringify(data);
    const known = told.get(type);
    told.set(type, text);
    // The first look tells nothing new: whoever subscribes gets it as their snapshot.
    if (known !== undefined && known !== text) needs.publish(type, data);
    return data;
  };
  const readConfig = async (): Promise<GlobalConfig> => {
    const rows = await store.listConfig(CONFIG_KEYS);
    return tell("config", Object.fromEntries(rows.map(({ key, value }) => [key, value])));
  };
  const readModules = async (timeMs: number): Promise<ModuleList> =>
    tell("modules", { modules: describeModules(await store.listDowntimes(), timeMs) });
  const readModule = async (module: Module, timeMs: number): Promise<ModuleState> => {
    const { modules } = await readModules(timeMs);
    return modules.find((state) => state.module === module) ?? describeModule(module, undefined, timeMs);
  };

  return {
    readConfig,
    readModules,
    readModule,
    async setConfig(key, value, change) {
      if (!isConfigEntry(key, value)) return refused("CONFIG_INVALID");
      // Looked at before it changes, so that the change is told.
      await readConfig();
      await store.setConfig(key, value, change);
      return done(await readConfig());
    },
    ...downtimes(store, { readModules, readModule }),
    async readFooter() {
      const columns = new Map<number, FooterColumn>();
      for (const { column_position, column_title, title, target } of await store.listFooter()) {
        const column = columns.get(column_position) ?? { title: column_title, links: [] };
        column.links.push({ title, to: target });
        columns.set(column_position, column);
      }
      return { columns: [...columns.values()] };
    },
    async setFooter(columns) {
      if (!isFooter(columns)) return refused("FOOTER_INVALID");
      await store.replaceFooter(columns);
      return done(null);
    },
    readSocial: async () => ({ links: await store.listSocial() }),
    async setSocial(links) {
      if (!isSocialList(links)) return refused("SOCIAL_INVALID");
      await store.replaceSocial(links);
      return done(null);
    },
    readCountries: () => ({ countries }),
    readDomains: (host) => listDomains(domains, host),
    async refresh(timeMs) {
      await Promise.all([readConfig(), readModules(timeMs)]);
    },
  };
}

type Downtimes = Pick<ContentService, "setDowntime" | "clearDowntime" | "findUnderWay" | "endDowntime">;

function downtimes(
  store: ContentStore,
  { readModules, readModule }: Pick<ContentService, "readModules" | "readModule">,
): Downtimes {
  return {
    async setDowntime(module, { reason, startsAtMs, endsAtMs }, change) {
      const planned = { reason, starts_at_ms: startsAtMs, ends_at_ms: endsAtMs ?? null };
      if (!isDowntime(planned)) return refused("DOWNTIME_INVALID");
      await readModules(change.timeMs);
      const known = await store.findDowntime(module);
      if (opensEarlier(known, planned, change.timeMs)) return refused("DOWNTIME_TAKES_TWO");
      if (!(await store.setDowntime({ module, ...planned }, known, change))) return refused("DOWNTIME_CHANGED");
      return done(await readModule(module, change.timeMs));
    },
    async clearDowntime(module, change) {
      await readModules(change.timeMs);
      await store.clearPlanned(module, change.timeMs);
      const state = await readModule(module, change.timeMs);
      return state.isDown ? refused("DOWNTIME_TAKES_TWO") : done(state);
    },
    async findUnderWay(module, timeMs) {
      const known = await store.findDowntime(module);
      return known !== undefined && isUnderWay(known, timeMs) ? known.set_at_ms : undefined;
    },
    async endDowntime(module, setAtMs, timeMs) {
      await readModules(timeMs);
      await store.endDowntime(module, setAtMs);
      return !(await readModule(module, timeMs)).isDown;
    },
  };
}
