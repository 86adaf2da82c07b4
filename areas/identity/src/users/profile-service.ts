// A user's public appearance: a name, one of a few drawn pictures, a short text. Public once its owner enables it;
// never shows an address, a number or a country.
import { done, type Result, refused } from "@clockwork/kit/result";
import { checkText } from "@clockwork/kit/validate";
import type { Profile, ProfileBody, PublicProfile } from "./contract.ts";
import { INTRO_LENGTH_MAX, NICKNAME_LENGTH_MAX, NICKNAME_LENGTH_MIN } from "./contract.ts";
import type { ProfileRefusal } from "./refusals.ts";
import { describeProfile } from "./rules.ts";
import type { UserStore } from "./store.ts";

export class ProfileService {
  readonly #store: UserStore;

  constructor({ store }: { readonly store: UserStore }) {
    this.#store = store;
  }

  async read(userId: number): Promise<Result<Profile, ProfileRefusal>> {
    const [account, row] = await Promise.all([this.#store.find(userId), this.#store.findProfile(userId)]);
    if (account === undefined) return refused("PROFILE_UNKNOWN");
    return done(describeProfile(account, row));
  }

  async save(userId: number, body: ProfileBody, timeMs: number): Promise<Result<Profile, ProfileRefusal>> {
    const before = await this.read(userId);
    if (!before.done) return before;
    const nickname = body.nickname?.trim() ?? before.value.nickname;
    const intro = body.intro?.trim() ?? before.value.intro;
    const isLong = nickname.length > NICKNAME_LENGTH_MAX || nickname.length < NICKNAME_LENGTH_MIN;
    // A public name is limited to the characters of names here; a lone accent or a line break cannot imitate another
    // user.
    if (isLong || checkText(nickname) !== undefined) return refused("NICKNAME_INVALID");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for them
    if (intro.length > INTRO_LENGTH_MAX || /[\u0000-\u0009\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(intro)) {
      return refused("INTRO_INVALID");
    }
    await this.#store.change(userId, { nickname });
    await this.#store.saveProfile({
      user_id: userId,
      avatar: body.avatar ?? before.value.avatar,
      intro,
      is_public: body.isPublic ?? before.value.isPublic,
      updated_at_ms: timeMs,
    });
    return this.read(userId);
  }

  /** The public view; an account that is not public looks like a missing one. */
  async readPublic(userId: number): Promise<Result<PublicProfile, ProfileRefusal>> {
    const [account, row] = await Promise.all([this.#store.find(userId), this.#store.findProfile(userId)]);
    if (account === undefined || row === undefined || !row.is_public || account.status !== "active") {
      return refused("PROFILE_UNKNOWN");
    }
    const { nickname, created_at_ms } = account;
    return done({
      id: String(userId),
      nickname,
      avatar: row.avatar,
      intro: row.intro,
      sinceMs: created_at_ms - (created_at_ms % 86_400_000),
    });
  }
}
