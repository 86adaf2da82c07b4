// A user's API keys: made, changed and removed with a fresh proof, the secret returned once. Every change notifies the
// owner and all connections that use the key.

import type { SessionTokens } from "@clockwork/host/route";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { Caller } from "../sessions/service.ts";
import {
  type AddedKey,
  type AddKeyBody,
  type ApiKey,
  type ApiKeyList,
  KEYS_MAX,
  ORDER_RATE_MAX,
  type UpdateKeyBody,
} from "./contract.ts";
import type { ApiKeyNeeds, KeyChange } from "./needs.ts";
import type { ApiKeyRefusal } from "./refusals.ts";
import { expiryOf, readIpList, readPublicKey, sortPermissions } from "./rules.ts";
import { type ApiKeyRow, type ApiKeyStore, apiKeyStore } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, ApiKeyRefusal>>;
type Changed<Value> = Outcome<{ readonly value: Value; readonly tokens: SessionTokens }>;

export const KEY_LENGTH = 64;
/** The owner is notified this long before the expiry. */
const WARN_MS = 7 * DAY_MS;
/** The identity level a withdrawal by API requires. */
const WITHDRAW_LEVEL = 2;
const RULE = { needsProof: true, endsOthers: false } as const;

export interface ApiKeyParts {
  readonly store: ApiKeyStore;
  readonly needs: ApiKeyNeeds;
}

export function secretContext(apiKey: string): string {
  return `apikey:${apiKey}`;
}

export class ApiKeyService {
  readonly #store: ApiKeyStore;
  readonly #needs: ApiKeyNeeds;

  constructor({ store, needs }: ApiKeyParts) {
    this.#store = store;
    this.#needs = needs;
  }

  async list(userId: number, address: string, timeMs: number): Promise<ApiKeyList> {
    const keys = (await this.#store.list(userId)).map(describeKey);
    const limits = this.#needs.readLimits(userId, address, timeMs);
    return { keys, keysMax: KEYS_MAX, address, limits, isSimulated: this.#needs.isSimulated() };
  }

  /** Notifies the owners of keys that expire soon; once for each expiry. */
  async warn(timeMs: number): Promise<void> {
    for (const row of await this.#store.listEnding(timeMs, timeMs + WARN_MS)) {
      const { user_id: userId, api_key: apiKey, label, expires_at_ms: endsMs } = row;
      await this.#needs.notify(userId, "ending", { apiKey, label }, endsMs);
    }
  }

  async add(caller: Caller, body: AddKeyBody, timeMs: number): Changed<AddedKey> {
    const { userId } = caller;
    const made = makeKey(this.#needs, body, timeMs);
    if (!made.done) return made;
    const { row, secret } = made.value;
    const level = await this.#needs.levelOf(userId, timeMs);
    const allowed = checkRights(splitList(row.permissions), splitList(row.ip_list), level);
    if (!allowed.done) return allowed;
    const changed = await this.#needs.change(caller, { ...RULE, activity: "key-added" }, timeMs, async (kysely) => {
      const inside = apiKeyStore(kysely);
      const taken = new Set((await inside.list(userId)).map(({ slot }) => slot));
      const slot = Array.from({ length: KEYS_MAX }, (_, index) => index + 1).find((place) => !taken.has(place));
      const isAdded = slot !== undefined && (await inside.add({ ...row, user_id: userId, slot }));
      return isAdded ? done(null) : refused("API_KEY_LIMIT");
    });
    if (!changed.done) return changed;
    await this.#notifyChange(userId, "added", row, timeMs);
    const expiresAtMs = row.expires_at_ms === 0 ? null : row.expires_at_ms;
    const value = { apiKey: row.api_key, expiresAtMs, ...(secret === undefined ? {} : { secret }) };
    return done({ value, tokens: changed.value.tokens });
  }

  async update(caller: Caller, body: UpdateKeyBody, timeMs: number): Changed<ApiKey> {
    const { userId } = caller;
    const ipList = body.ipList === undefined ? undefined : readIpList(body.ipList);
    if (body.ipList !== undefined && ipList === undefined) return refused("IP_LIST_INVALID");
    const level = await this.#needs.levelOf(userId, timeMs);
    const changed = await this.#needs.change(caller, { ...RULE, activity: "key-changed" }, timeMs, async (kysely) => {
      const inside = apiKeyStore(kysely);
      const before = await inside.find(body.apiKey);
      if (before === undefined || before.user_id !== userId) return refused("API_KEY_UNKNOWN");
      const permissions =
        body.permissions === undefined ? splitList(before.permissions) : sortPermissions(body.permissions);
      const addresses = ipList ?? splitList(before.ip_list);
      const allowed = checkRights(permissions, addresses, level);
      if (!allowed.done) return allowed;
      const row = await inside.change(userId, body.apiKey, {
        label: body.label?.trim() || before.label,
        permissions: permissions.join(","),
        ip_list: addresses.join(","),
        order_rate: body.orderRate ?? before.order_rate,
        expires_at_ms: expiryOf(addresses, timeMs),
      });
      return row === undefined ? refused("API_KEY_UNKNOWN") : done(row);
    });
    if (!changed.done) return changed;
    const { value: row, tokens } = changed.value;
    await this.#notifyChange(userId, "changed", row, timeMs);
    return done({ value: describeKey(row), tokens });
  }

  /** Needs no proof: it only increases protection. */
  async remove({ userId, sessionId }: Caller, apiKey: string, timeMs: number): Outcome<null> {
    const row = await this.#store.remove(userId, apiKey);
    if (row === undefined) return refused("API_KEY_UNKNOWN");
    await this.#needs.record(userId, sessionId, "key-removed", timeMs);
    await this.#notifyChange(userId, "removed", row, timeMs);
    return done(null);
  }

  async #notifyChange(
    userId: number,
    change: KeyChange,
    { api_key: apiKey, label }: Pick<ApiKeyRow, "api_key" | "label">,
    timeMs: number,
  ): Promise<void> {
    this.#needs.onChanged(apiKey);
    await this.#needs.notify(userId, change, { apiKey, label }, timeMs);
  }
}

/** Withdrawing by API requires a verified identity and bound addresses. */
function checkRights(
  permissions: readonly string[],
  ipList: readonly string[],
  level: number,
): Result<null, ApiKeyRefusal> {
  if (!permissions.includes("withdraw")) return done(null);
  if (ipList.length === 0) return refused("IP_LIST_REQUIRED");
  return level < WITHDRAW_LEVEL ? refused("KYC_LEVEL_REQUIRED") : done(null);
}

type NewRow = Omit<ApiKeyRow, "user_id" | "slot">;

function makeKey(
  needs: ApiKeyNeeds,
  body: AddKeyBody,
  timeMs: number,
): Result<{ readonly row: NewRow; readonly secret: string | undefined }, ApiKeyRefusal> {
  const ipList = readIpList(body.ipList ?? []);
  if (ipList === undefined) return refused("IP_LIST_INVALID");
  const { kind } = body;
  const publicKey = kind === "HMAC" || body.publicKey === undefined ? undefined : readPublicKey(kind, body.publicKey);
  if ((kind === "HMAC") !== (body.publicKey === undefined)) return refused("PUBLIC_KEY_INVALID");
  if (kind !== "HMAC" && publicKey === undefined) return refused("PUBLIC_KEY_INVALID");
  const apiKey = needs.randomText(KEY_LENGTH);
  const secret = kind === "HMAC" ? needs.randomText(KEY_LENGTH) : undefined;
  const row: NewRow = {
    api_key: apiKey,
    label: body.label.trim(),
    kind,
    public_key: publicKey === undefined ? null : publicKey.export({ type: "spki", format: "pem" }).toString(),
    sealed: secret === undefined ? null : needs.seal(Buffer.from(secret, "utf8"), secretContext(apiKey)),
    permissions: sortPermissions(body.permissions).join(","),
    ip_list: ipList.join(","),
    order_rate: body.orderRate ?? ORDER_RATE_MAX,
    created_at_ms: timeMs,
    expires_at_ms: expiryOf(ipList, timeMs),
    used_at_ms: 0,
    used_address: "",
    used_call: "",
  };
  return done({ row, secret });
}

export function splitList(text: string): readonly string[] {
  return text === "" ? [] : text.split(",");
}

function describeKey(row: ApiKeyRow): ApiKey {
  return {
    apiKey: row.api_key,
    label: row.label,
    kind: row.kind,
    permissions: row.permissions.split(","),
    ipList: [...splitList(row.ip_list)],
    orderRate: row.order_rate,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms === 0 ? null : row.expires_at_ms,
    lastUse: row.used_at_ms === 0 ? null : { timeMs: row.used_at_ms, address: row.used_address, call: row.used_call },
  };
}
