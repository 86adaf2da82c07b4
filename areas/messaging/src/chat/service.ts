// Use cases around the chat: the user's type, and the signature of their sign-in. Stores nothing.
import type { ChatLogin, UserType } from "./contract.ts";
import type { ChatNeeds, Person } from "./needs.ts";
import { CHAT_TOKEN_SECONDS, userTypeOf, writeClaims } from "./rules.ts";

export class ChatService {
  readonly #needs: ChatNeeds;

  constructor(needs: ChatNeeds) {
    this.#needs = needs;
  }

  async readUserType(
    userId: number | null,
    timeMs: number,
  ): Promise<{ readonly userType: UserType; readonly kycLevel: number }> {
    const person = await this.#find(userId, timeMs);
    return { userType: userTypeOf(person), kycLevel: person?.kycLevel ?? 0 };
  }

  async readLogin(userId: number | null, locale: string, timeMs: number): Promise<ChatLogin> {
    const person = await this.#find(userId, timeMs);
    const userType = userTypeOf(person);
    const { chat, ownChannel } = this.#needs;
    if (chat === undefined) {
      const isOpen = person !== undefined;
      const own = { provider: "own", isOpen, channel: isOpen ? ownChannel : null, url: null, appId: "" } as const;
      return { ...own, token: null, expiresAtMs: null, userType };
    }
    const open = { provider: "outside", isOpen: true, channel: null, ...chat, userType } as const;
    if (userId === null || person === undefined) return { ...open, token: null, expiresAtMs: null };
    const claims = writeClaims({ userId, person, locale, appId: chat.appId }, timeMs);
    const expiresAtMs = (Math.floor(timeMs / 1000) + CHAT_TOKEN_SECONDS) * 1000;
    return { ...open, token: `${claims}.${this.#needs.sign(claims)}`, expiresAtMs };
  }

  async #find(userId: number | null, timeMs: number): Promise<Person | undefined> {
    return userId === null ? undefined : this.#needs.findPerson(userId, timeMs);
  }
}
