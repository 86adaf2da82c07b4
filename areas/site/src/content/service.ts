// Use cases of what every page shares: switches, downtimes, footer, links, countries, domains. Public to read; changes
// come from operators and are published to open pages at once.
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
} from "./contract.ts";
import type { ContentNeeds } from "./needs.ts";
import {
  type DomainSettings,
  type Downtime,
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

export interface ContentParts {
  readonly store: ContentStore;
  readonly needs: Pick<ContentNeeds, "publish">;
  readonly domains: DomainSettings;
}

export class ContentService {
  readonly #store: ContentStore;
  readonly #needs: Pick<ContentNeeds, "publish">;
  readonly #domains: DomainSettings;
  readonly #countries = COUNTRIES.map(({ code, name, dial }) => ({ code, name, dialCode: dial }));
  readonly #answer = new Map<string, string>();
  #downtimes: readonly Downtime[] = [];

  constructor({ store, needs, domains }: ContentParts) {
    this.#store = store;
    this.#needs = needs;
    this.#domains = domains;
  }

  async readConfig(): Promise<GlobalConfig> {
    const rows = await this.#store.listConfig(CONFIG_KEYS);
    return this.#notify("config", Object.fromEntries(rows.map(({ key, value }) => [key, value])));
  }

  async readModules(timeMs: number): Promise<ModuleList> {
    this.#downtimes = await this.#store.listDowntimes();
    return this.#notify("modules", { modules: describeModules(this.#downtimes, timeMs) });
  }

  /** True while no maintenance is planned at all. */
  get isAllUp(): boolean {
    return this.#downtimes.length === 0;
  }

  /** The maintenance of a part, as last read: each change and each read of the tables updates it. */
  findDown(module: Module, timeMs: number): ModuleState | undefined {
    const planned = this.#downtimes.find((row) => row.module === module);
    if (planned === undefined || !isUnderWay(planned, timeMs)) return undefined;
    return describeModule(module, planned, timeMs);
  }

  async readModule(module: Module, timeMs: number): Promise<ModuleState> {
    const { modules } = await this.readModules(timeMs);
    return modules.find((state) => state.module === module) ?? describeModule(module, undefined, timeMs);
  }

  async setConfig(key: ConfigKey, value: string, change: Change): Promise<Result<GlobalConfig, "CONFIG_INVALID">> {
    if (!isConfigEntry(key, value)) return refused("CONFIG_INVALID");
    // Read before it changes, so that the change is published.
    await this.readConfig();
    await this.#store.setConfig(key, value, change);
    return done(await this.readConfig());
  }

  async setDowntime(
    module: Module,
    { reason, startsAtMs, endsAtMs }: PlannedDowntime,
    change: Change,
  ): Promise<Result<ModuleState, "DOWNTIME_INVALID" | "DOWNTIME_TAKES_TWO" | "DOWNTIME_CHANGED">> {
    const planned = { reason, starts_at_ms: startsAtMs, ends_at_ms: endsAtMs ?? null };
    if (!isDowntime(planned)) return refused("DOWNTIME_INVALID");
    await this.readModules(change.timeMs);
    const known = await this.#store.findDowntime(module);
    if (opensEarlier(known, planned, change.timeMs)) return refused("DOWNTIME_TAKES_TWO");
    if (!(await this.#store.setDowntime({ module, ...planned }, known, change))) return refused("DOWNTIME_CHANGED");
    return done(await this.readModule(module, change.timeMs));
  }

  /** Withdraws what is planned; one under way is ended by two people. */
  async clearDowntime(module: Module, change: Change): Promise<Result<ModuleState, "DOWNTIME_TAKES_TWO">> {
    await this.readModules(change.timeMs);
    await this.#store.clearPlanned(module, change.timeMs);
    const state = await this.readModule(module, change.timeMs);
    return state.isDown ? refused("DOWNTIME_TAKES_TWO") : done(state);
  }

  /** When the current maintenance was set, which identifies it; undefined when the part is up. */
  async findUnderWay(module: Module, timeMs: number): Promise<number | undefined> {
    const known = await this.#store.findDowntime(module);
    return known !== undefined && isUnderWay(known, timeMs) ? known.set_at_ms : undefined;
  }

  /** False when it is a different one by now. */
  async endDowntime(module: Module, setAtMs: number, timeMs: number): Promise<boolean> {
    await this.readModules(timeMs);
    await this.#store.endDowntime(module, setAtMs);
    return !(await this.readModule(module, timeMs)).isDown;
  }

  async readFooter(): Promise<FooterList> {
    const columns = new Map<number, FooterColumn>();
    for (const { column_position, column_title, title, target } of await this.#store.listFooter()) {
      const column = columns.get(column_position) ?? { title: column_title, links: [] };
      column.links.push({ title, to: target });
      columns.set(column_position, column);
    }
    return { columns: [...columns.values()] };
  }

  /** Replaces the version the editor read; refused when it has changed since. */
  async setFooter(
    was: readonly FooterColumn[],
    columns: readonly FooterColumn[],
  ): Promise<Result<null, "FOOTER_INVALID" | "LINKS_CHANGED">> {
    if (!isFooter(columns)) return refused("FOOTER_INVALID");
    return (await this.#store.replaceFooter(was, columns)) ? done(null) : refused("LINKS_CHANGED");
  }

  async readSocial(): Promise<{ links: SocialLink[] }> {
    return { links: await this.#store.listSocial() };
  }

  async setSocial(
    was: readonly SocialLink[],
    links: readonly SocialLink[],
  ): Promise<Result<null, "SOCIAL_INVALID" | "LINKS_CHANGED">> {
    if (!isSocialList(links)) return refused("SOCIAL_INVALID");
    return (await this.#store.replaceSocial(was, links)) ? done(null) : refused("LINKS_CHANGED");
  }

  readCountries(): CountryList {
    return { countries: this.#countries };
  }

  readDomains(host: string): DomainList {
    return listDomains(this.#domains, host);
  }

  /** Publishes changes without a call: a downtime that started or ended, a switch set by another process. */
  async refresh(timeMs: number): Promise<void> {
    await Promise.all([this.readConfig(), this.readModules(timeMs)]);
  }

  #notify<Data>(type: "config" | "modules", data: Data): Data {
    const text = JSON.stringify(data);
    const known = this.#answer.get(type);
    this.#answer.set(type, text);
    // The first read publishes nothing: subscribers get it as their snapshot.
    if (known !== undefined && known !== text) this.#needs.publish(type, data);
    return data;
  }
}
