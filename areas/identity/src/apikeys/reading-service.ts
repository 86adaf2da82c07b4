// Resolves API keys for every signed call. Caches a key for a second, and never past a change of the key or its owner:
// reads in flight at that moment are discarded.
import type { Caller, KeyPermission } from "@clockwork/kit/caller";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { ApiKeyNeeds } from "./needs.ts";
import { addressCheck, hmacProof, type Proof, readPublicKey } from "./rules.ts";
import { secretContext, splitList } from "./service.ts";
import type { ApiKeyRow, ApiKeyStore } from "./store.ts";

/** An active key, ready for checks. */
export interface KeyHolder {
  readonly apiKey: string;
  readonly userId: number;
  readonly permissions: readonly KeyPermission[];
  readonly orderRate: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly isBound: boolean;
  readonly proof: Proof;
  /** The caller used for the exchange's own routes. */
  readonly caller: Caller;
  mayComeFrom(address: string): boolean;
}

export type FoundKey = Result<KeyHolder, "KEY_UNKNOWN" | "KEY_REFUSED">;

const CACHE_MS = 1_000;
const CACHE_MAX = 10_000;
const TOUCH_MS = 10_000;

export interface ReadingParts {
  readonly store: Pick<ApiKeyStore, "find" | "touch">;
  readonly needs: Pick<ApiKeyNeeds, "open" | "isActive">;
}

export class ApiKeyReading {
  readonly #store: Pick<ApiKeyStore, "find" | "touch">;
  readonly #needs: Pick<ApiKeyNeeds, "open" | "isActive">;
  readonly #cache = new Map<string, { readonly holder: KeyHolder; readonly atMs: number }>();
  readonly #touched = new Map<string, { readonly timeMs: number; readonly address: string }>();
  /** One read for concurrent callers of the same key. Removed in the same turn in which its answer is validated. */
  readonly #reads = new Map<string, Promise<KeyHolder | undefined>>();
  /** The proof of a key's calls, by its source: opening a secret costs more than a hundred signatures. */
  readonly #proofs = new Map<string, { readonly source: string; readonly proof: Proof }>();
  /** Increases with every eviction: a read that started before is discarded. */
  #generation = 0;

  constructor({ store, needs }: ReadingParts) {
    this.#store = store;
    this.#needs = needs;
  }

  /** As `find`, but synchronous; undefined when the key has to be read. */
  recall(apiKey: string, address: string, timeMs: number): FoundKey | undefined {
    const kept = this.#cache.get(apiKey);
    const isFresh = kept !== undefined && timeMs >= kept.atMs && timeMs - kept.atMs < CACHE_MS;
    return isFresh ? admit(kept.holder, address, timeMs) : undefined;
  }

  /** The key's holder, if it is active and may be used from this address. */
  async find(apiKey: string, address: string, timeMs: number): Promise<FoundKey> {
    const known = this.recall(apiKey, address, timeMs);
    if (known !== undefined) return known;
    const reading = this.#reads.get(apiKey) ?? this.#read(apiKey, timeMs);
    this.#reads.set(apiKey, reading);
    const holder = await reading.finally(() => {
      if (this.#reads.get(apiKey) === reading) this.#reads.delete(apiKey);
    });
    return holder === undefined ? refused("KEY_UNKNOWN") : admit(holder, address, timeMs);
  }

  /**
   * Stores when, where from and for what it was used. A burst from one address is written once, and returns undefined;
   * another address is written at once.
   */
  touch(apiKey: string, use: { timeMs: number; address: string; call: string }): Promise<void> | undefined {
    const last = this.#touched.get(apiKey);
    if (last?.address === use.address && use.timeMs - last.timeMs < TOUCH_MS) return undefined;
    if (this.#touched.size >= CACHE_MAX) this.#touched.clear();
    this.#touched.set(apiKey, { timeMs: use.timeMs, address: use.address });
    return this.#store.touch(apiKey, use);
  }

  remove(apiKey: string): void {
    this.#generation += 1;
    this.#cache.delete(apiKey);
  }

  removeUser(userId: number): void {
    this.#generation += 1;
    for (const [apiKey, { holder }] of this.#cache) if (holder.userId === userId) this.#cache.delete(apiKey);
  }

  #remember(holder: KeyHolder, atMs: number): void {
    this.#cache.delete(holder.apiKey);
    if (this.#cache.size >= CACHE_MAX) this.#cache.delete(this.#cache.keys().next().value ?? "");
    this.#cache.set(holder.apiKey, { holder, atMs });
  }

  #proofOf(row: ApiKeyRow): Proof | undefined {
    const source = sourceOf(row);
    const known = this.#proofs.get(row.api_key);
    if (known?.source === source) return known.proof;
    const proof = proofOf(this.#needs, row);
    this.#proofs.delete(row.api_key);
    if (proof === undefined) return undefined;
    if (this.#proofs.size >= CACHE_MAX) this.#proofs.delete(this.#proofs.keys().next().value ?? "");
    this.#proofs.set(row.api_key, { source, proof });
    return proof;
  }

  async #read(apiKey: string, timeMs: number): Promise<KeyHolder | undefined> {
    for (;;) {
      const startedAt = this.#generation;
      const row = await this.#store.find(apiKey);
      const isActive = row !== undefined && (await this.#needs.isActive(row.user_id));
      if (startedAt !== this.#generation) continue;
      this.#reads.delete(apiKey);
      if (row === undefined || !isActive) {
        this.#proofs.delete(apiKey);
        return undefined;
      }
      const proof = this.#proofOf(row);
      const holder = proof === undefined ? undefined : holderOf(row, proof);
      if (holder !== undefined) this.#remember(holder, timeMs);
      return holder;
    }
  }
}

function sourceOf({ kind, sealed, public_key }: ApiKeyRow): string {
  return `${kind}:${sealed === null ? (public_key ?? "") : Buffer.from(sealed).toString("latin1")}`;
}

function admit(holder: KeyHolder, address: string, timeMs: number): FoundKey {
  const hasEnded = holder.expiresAtMs !== 0 && timeMs >= holder.expiresAtMs;
  return hasEnded || !holder.mayComeFrom(address) ? refused("KEY_REFUSED") : done(holder);
}

function holderOf(row: ApiKeyRow, proof: Proof): KeyHolder {
  const ipList = splitList(row.ip_list);
  const permissions = row.permissions.split(",") as KeyPermission[];
  return {
    apiKey: row.api_key,
    userId: row.user_id,
    permissions,
    orderRate: row.order_rate,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    isBound: ipList.length > 0,
    proof,
    caller: { kind: "key", userId: String(row.user_id), keyId: row.api_key, permissions },
    mayComeFrom: addressCheck(ipList),
  };
}

function proofOf(needs: Pick<ApiKeyNeeds, "open">, row: ApiKeyRow): Proof | undefined {
  if (row.kind === "HMAC") {
    if (row.sealed === null) return undefined;
    return hmacProof(Buffer.from(needs.open(row.sealed, secretContext(row.api_key))).toString("utf8"));
  }
  const key = readPublicKey(row.kind, row.public_key ?? "");
  return key === undefined ? undefined : { kind: "KEY", key };
}
