// Connects API keys with the account's guard, the database and notices. Holds no rule of its own.
import { randomInt } from "node:crypto";
import type { ApiKeyNeeds, KeyChange } from "@clockwork/domains/apikeys/needs";
import { ApiKeyReading } from "@clockwork/domains/apikeys/reading-service";
import { apiKeyRoutes } from "@clockwork/domains/apikeys/routes";
import { ApiKeyService } from "@clockwork/domains/apikeys/service";
import { apiKeyStore } from "@clockwork/domains/apikeys/store";
import type { Part, PartContext } from "../part.ts";

export interface ApiKeys extends Part {
  readonly reading: ApiKeyReading;
  /** Told of every key that changed or may no longer work, after it is so; of a user's whole ring when he is named. */
  watch(tell: (changed: { readonly apiKey?: string; readonly userId?: number }) => void): void;
}

const NOTICE = "keys";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const WORDS: Readonly<Record<KeyChange, readonly [title: string, body: string]>> = {
  added: ["API key made", "was made. Programs that hold it act for you within its permissions."],
  changed: ["API key changed", "was changed: its label, permissions, addresses or rate."],
  removed: ["API key removed", "was removed and works no more."],
};

export function apiKeysPart({ accounts, database }: PartContext): ApiKeys {
  const { guard, kyc, notices } = accounts;
  notices.register({
    kind: NOTICE,
    group: "account",
    defaults: ["live"],
    always: ["letter", "mail"],
    isSecurity: true,
  });
  const watchers: ((changed: { apiKey?: string; userId?: number }) => void)[] = [];
  const store = apiKeyStore(database.kysely);
  const needs: ApiKeyNeeds = {
    seal: guard.seal,
    open: guard.open,
    change: guard.change,
    isActive: guard.isActive,
    randomText: (length) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join(""),
    levelOf: (userId, timeMs) => kyc.levelOf(userId, timeMs),
    onChanged(apiKey) {
      reading.forget(apiKey);
      for (const tell of watchers) tell({ apiKey });
    },
    async tell(userId, change, { apiKey, label }, timeMs) {
      const [title, words] = WORDS[change];
      const reference = `${change}:${apiKey.slice(0, 16)}:${timeMs}`;
      const body = `The API key "${label}" (${apiKey.slice(0, 6)}…) ${words} If it was not you, freeze your account.`;
      const mailBody = `An API key of your account ${words} If it was not you, freeze your account.`;
      await notices.tell(
        userId,
        { kind: NOTICE, reference, topic: `key-${change}`, title, body, mailBody, path: "/api-keys" },
        timeMs,
      );
    },
  };
  const reading = new ApiKeyReading({ store, needs });
  guard.onRevoked((userId) => {
    reading.forgetUser(userId);
    for (const tell of watchers) tell({ userId });
  });
  return {
    reading,
    watch: (tell) => void watchers.push(tell),
    routes: apiKeyRoutes(new ApiKeyService({ store, needs })),
  };
}
