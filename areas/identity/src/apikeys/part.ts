// Connects API keys with the account's guard, the database and notices. Contains no rules.
import { randomInt } from "node:crypto";
import type { Part } from "@clockwork/host/part";
import { HOUR_MS } from "@clockwork/kit/time";
import type { IdentityContext } from "../offers.ts";
import type { ApiKeyNeeds, KeyChange } from "./needs.ts";
import { ApiKeyReading } from "./reading-service.ts";
import { apiKeyRoutes } from "./routes.ts";
import { ApiKeyService } from "./service.ts";
import { apiKeyStore } from "./store.ts";

export interface ApiKeys extends Part {
  readonly reading: ApiKeyReading;
  /** Called after a key has changed or may have become invalid; with a user, for all keys of that user. */
  watch(notify: (changed: { readonly apiKey?: string; readonly userId?: number }) => void): void;
  /** Sets the counter of usage by programs. */
  countBy(read: ApiKeyNeeds["readLimits"]): void;
}

const NOTICE = "keys";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const WORDS: Readonly<Record<KeyChange, readonly [title: string, body: string]>> = {
  added: ["API key made", "was made. Programs that hold it act for you within its permissions."],
  changed: ["API key changed", "was changed: its label, permissions, addresses or rate."],
  removed: ["API key removed", "was removed and works no more."],
  ending: ["API key ends soon", "ends within seven days. Renew it on the page of your keys, or bind it to addresses."],
};

const UNCOUNTED = { used: 0, max: 0 } as const;

export function apiKeysPart(
  { accounts, database, jobs, clock }: IdentityContext,
  isSimulated: ApiKeyNeeds["isSimulated"],
): ApiKeys {
  const { guard, kyc, notices } = accounts;
  notices.register({
    kind: NOTICE,
    group: "account",
    defaults: ["live"],
    always: ["letter", "mail"],
    isSecurity: true,
  });
  let readLimits: ApiKeyNeeds["readLimits"] = () => ({
    weight: UNCOUNTED,
    ordersTenSeconds: UNCOUNTED,
    ordersDay: UNCOUNTED,
    streams: UNCOUNTED,
    connections: 0,
  });
  const watchers: ((changed: { apiKey?: string; userId?: number }) => void)[] = [];
  const store = apiKeyStore(database.kysely);
  const needs: ApiKeyNeeds = {
    seal: guard.seal,
    open: guard.open,
    change: guard.change,
    record: guard.record,
    isActive: guard.isActive,
    randomText: (length) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join(""),
    readLimits: (userId, address, timeMs) => readLimits(userId, address, timeMs),
    isSimulated,
    levelOf: (userId, timeMs) => kyc.levelOf(userId, timeMs),
    onChanged(apiKey) {
      reading.remove(apiKey);
      for (const notify of watchers) notify({ apiKey });
    },
    async notify(userId, change, { apiKey, label }, timeMs) {
      const [title, words] = WORDS[change];
      const reference = `${change}:${apiKey.slice(0, 16)}:${timeMs}`;
      const doubt = change === "ending" ? "" : " If it was not you, freeze your account.";
      const body = `The API key "${label}" (${apiKey.slice(0, 6)}…) ${words}${doubt}`;
      const mailBody = `An API key of your account ${words}${doubt}`;
      await notices.notify(
        userId,
        { kind: NOTICE, reference, topic: `key-${change}`, title, body, mailBody, path: "/api-keys" },
        change === "ending" ? clock.now() : timeMs,
      );
    },
  };
  const reading = new ApiKeyReading({ store, needs });
  guard.onRevoked((userId) => {
    reading.removeUser(userId);
    for (const notify of watchers) notify({ userId });
  });
  const service = new ApiKeyService({ store, needs });
  jobs.add({
    name: "apikeys.warn",
    schedule: { everyMs: HOUR_MS },
    missed: "latest",
    run: () => service.warn(clock.now()),
  });
  return {
    reading,
    watch: (notify) => void watchers.push(notify),
    countBy(read) {
      readLimits = read;
    },
    routes: apiKeyRoutes(service),
  };
}
